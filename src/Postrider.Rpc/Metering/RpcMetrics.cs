using Postrider.Rpc.Metering;

namespace Postrider.Rpc;

/// <summary>Durations of calls, over every transport alike: OpenTelemetry reads them with <c>AddMeter(RpcMetrics.MeterName)</c>.</summary>
/// <remarks><c>rpc.client.call.duration</c> and <c>rpc.server.call.duration</c> in seconds, with <c>rpc.method</c> (<c>service/operation</c>),
/// <c>rpc.response.status_code</c> and, of a failure, <c>error.type</c>; <c>rpc.server.events</c> counts the calls of one-way operations over HTTP
/// by their <c>outcome</c>. While nobody listens nothing is measured.</remarks>
public static class RpcMetrics
{
    /// <summary>The meter's name.</summary>
    public const string MeterName = "Postrider.Rpc";

    /// <summary>Calls over a channel, each measured.</summary>
    /// <param name="channel">The channel; owned from here on.</param>
    /// <returns>A channel that measures.</returns>
    public static RpcChannel WithMetrics(this RpcChannel channel) => MetricsInterceptor.Client.Intercept(channel);

    /// <summary>Serves a contract, each call measured.</summary>
    /// <param name="service">The service to serve.</param>
    /// <returns>The same, measured.</returns>
    public static RpcService WithMetrics(this RpcService service) => MetricsInterceptor.Server.Intercept(service);
}
