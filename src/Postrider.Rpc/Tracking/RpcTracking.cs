using Postrider.Rpc.Tracking;

namespace Postrider.Rpc;

/// <summary>Calls that a tracker is told of, over every transport alike.</summary>
/// <remarks>A call's id travels in the header <c>message-id</c>, so that both ends know it by the same name. A caller that gives that header
/// itself chooses the id.</remarks>
public static class RpcTracking
{
    /// <summary>The header with a call's id.</summary>
    public const string MessageId = "message-id";

    /// <summary>Calls over a channel, each told to a tracker.</summary>
    /// <param name="channel">The channel; owned from here on.</param>
    /// <param name="tracker">The tracker.</param>
    /// <param name="time">The clock; the system's unless told.</param>
    /// <returns>A channel that tracks.</returns>
    public static RpcChannel WithTracking(this RpcChannel channel, ICallTracker tracker, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(tracker);
        return new TrackingInterceptor(tracker, time ?? TimeProvider.System, CallSide.Caller).Intercept(channel);
    }

    /// <summary>Serves a contract, each call told to a tracker.</summary>
    /// <param name="service">The service to serve.</param>
    /// <param name="tracker">The tracker.</param>
    /// <param name="time">The clock; the system's unless told.</param>
    /// <returns>The same, tracked.</returns>
    public static RpcService WithTracking(this RpcService service, ICallTracker tracker, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(tracker);
        return new TrackingInterceptor(tracker, time ?? TimeProvider.System, CallSide.Server).Intercept(service);
    }
}
