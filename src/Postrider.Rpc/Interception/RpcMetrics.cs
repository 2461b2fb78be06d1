using Postrider.Rpc.Interception;

namespace Postrider.Rpc;

/// <summary>Metrics of calls over every transport. Enable them in OpenTelemetry with <c>AddMeter(RpcMetrics.MeterName)</c>.</summary>
/// <remarks><c>rpc.client.call.duration</c> and <c>rpc.server.call.duration</c> in seconds, with <c>rpc.method</c>
/// (<c>service/operation</c>), <c>rpc.response.status_code</c> and, for failures, <c>error.type</c>; <c>rpc.server.events</c> counts
/// one-way calls over HTTP by <c>outcome</c>. Without a listener nothing is measured.</remarks>
public static class RpcMetrics
{
    /// <summary>The name of the meter.</summary>
    public const string MeterName = "Postrider.Rpc";

    /// <summary>Adds metrics to a channel.</summary>
    /// <param name="channel">The channel. The returned channel owns it.</param>
    /// <returns>The channel with metrics.</returns>
    public static RpcChannel WithMetrics(this RpcChannel channel) => MetricsObserver.Client.Observe(channel);

    /// <summary>Adds metrics to a service.</summary>
    /// <param name="service">The service to serve.</param>
    /// <returns>The service with metrics.</returns>
    public static RpcService WithMetrics(this RpcService service) => MetricsObserver.Server.Observe(service);
}
