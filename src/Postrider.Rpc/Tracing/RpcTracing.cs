using Postrider.Rpc.Tracing;

namespace Postrider.Rpc;

/// <summary>Activities of calls, over every transport alike: OpenTelemetry listens with <c>AddSource(RpcTracing.SourceName)</c>.</summary>
/// <remarks>
/// An activity is named after its operation, <c>service/operation</c>, and lasts until the answer or the stream's end. The caller's goes in
/// the header <c>traceparent</c> (W3C Trace Context), so that the server's is its child wherever it runs.
/// </remarks>
public static class RpcTracing
{
    /// <summary>The name of the activities' source.</summary>
    public const string SourceName = "Postrider.Rpc";

    /// <summary>Calls over a channel, each as an activity.</summary>
    /// <param name="channel">The channel; owned from here on.</param>
    /// <returns>A channel that traces.</returns>
    public static RpcChannel WithTracing(this RpcChannel channel) => TracingInterceptor.Client.Intercept(channel);

    /// <summary>Serves a contract, each call as an activity.</summary>
    /// <param name="service">The service to serve.</param>
    /// <returns>The same, traced.</returns>
    public static RpcService WithTracing(this RpcService service) => TracingInterceptor.Server.Intercept(service);
}
