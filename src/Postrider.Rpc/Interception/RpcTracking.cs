using Postrider.Rpc.Interception;

namespace Postrider.Rpc;

/// <summary>Tracking of calls over every transport.</summary>
/// <remarks>A call's id travels in the header <c>message-id</c>, so that both sides use the same id. A caller that sets this header
/// chooses the id.</remarks>
public static class RpcTracking
{
    /// <summary>The name of the header with the call's id.</summary>
    public const string MessageId = "message-id";

    /// <summary>Adds tracking to a channel.</summary>
    /// <param name="channel">The channel. The returned channel owns it.</param>
    /// <param name="tracker">The tracker.</param>
    /// <param name="time">The clock; null for the system clock.</param>
    /// <returns>The channel with tracking.</returns>
    public static RpcChannel WithTracking(this RpcChannel channel, ICallTracker tracker, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(tracker);
        return new TrackingObserver(tracker, time ?? TimeProvider.System, CallSide.Caller).Observe(channel);
    }

    /// <summary>Adds tracking to a service.</summary>
    /// <param name="service">The service to serve.</param>
    /// <param name="tracker">The tracker.</param>
    /// <param name="time">The clock; null for the system clock.</param>
    /// <returns>The service with tracking.</returns>
    public static RpcService WithTracking(this RpcService service, ICallTracker tracker, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(tracker);
        return new TrackingObserver(tracker, time ?? TimeProvider.System, CallSide.Server).Observe(service);
    }
}
