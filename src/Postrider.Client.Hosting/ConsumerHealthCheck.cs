using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Client.JetStream;

namespace Postrider.Client.Hosting;

/// <summary>Reports whether a consumer is behind its stream by more than a number of messages.</summary>
internal sealed class ConsumerHealthCheck(NatsClient client, string stream, string consumer, long maxPending) : IHealthCheck
{
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        JetStreamConsumer found;
        try
        {
            found = await client.CreateJetStreamContext().GetConsumerAsync(stream, consumer, cancellationToken).ConfigureAwait(false);
        }
        catch (NatsClientException error)
        {
            return new HealthCheckResult(context.Registration.FailureStatus, $"Consumer '{consumer}' of stream '{stream}' cannot be read: {error.Message}", error);
        }

        var info = found.Info;
        var data = new Dictionary<string, object>(StringComparer.Ordinal)
        {
            ["pending"] = info.PendingCount,
            ["unacknowledged"] = info.AckPendingCount,
        };
        return info.PendingCount <= (ulong)maxPending
            ? HealthCheckResult.Healthy($"Consumer '{consumer}' has {info.PendingCount} pending messages.", data)
            : new HealthCheckResult(context.Registration.FailureStatus, $"Consumer '{consumer}' of stream '{stream}' has {info.PendingCount} pending messages, more than {maxPending}.", data: data);
    }
}
