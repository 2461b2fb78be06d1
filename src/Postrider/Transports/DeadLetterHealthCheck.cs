using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Postrider.Transports;

/// <summary>Reports whether a destination of dead letters has more than a number of them.</summary>
internal sealed class DeadLetterHealthCheck(ITransport transport, string source, int max) : IHealthCheck
{
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var count = 0;
        await foreach (var _ in transport.OpenDeadLetters(source).ListAsync(new DeadLetterQuery { Max = max + 1 }, cancellationToken).ConfigureAwait(false))
            count++;
        var data = new Dictionary<string, object>(StringComparer.Ordinal) { ["source"] = source, ["count"] = count };
        return count <= max
            ? HealthCheckResult.Healthy($"'{source}' has {count} dead letters.", data)
            : new HealthCheckResult(context.Registration.FailureStatus, $"'{source}' has more than {max} dead letters.", data: data);
    }
}
