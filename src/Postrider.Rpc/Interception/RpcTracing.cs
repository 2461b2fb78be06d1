using Postrider.Rpc.Interception;

namespace Postrider.Rpc;

/// <summary>Tracing of calls over every transport. Enable it in OpenTelemetry with <c>AddSource(RpcTracing.SourceName)</c>.</summary>
/// <remarks>An activity is named after its operation, <c>service/operation</c>, and lasts until the response or the end of the stream.
/// The client's activity is sent in the header <c>traceparent</c> (W3C Trace Context), so that the server's activity is its
/// child.</remarks>
public static class RpcTracing
{
    /// <summary>The name of the activity source.</summary>
    public const string SourceName = "Postrider.Rpc";

    /// <summary>Adds tracing to a channel.</summary>
    /// <param name="channel">The channel. The returned channel owns it.</param>
    /// <returns>The channel with tracing.</returns>
    public static RpcChannel WithTracing(this RpcChannel channel) => TracingObserver.Client.Observe(channel);

    /// <summary>Adds tracing to a service.</summary>
    /// <param name="service">The service to serve.</param>
    /// <returns>The service with tracing.</returns>
    public static RpcService WithTracing(this RpcService service) => TracingObserver.Server.Observe(service);
}
