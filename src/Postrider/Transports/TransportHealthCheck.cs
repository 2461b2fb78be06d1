using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Postrider.Transports;

/// <summary>Reports the health of a transport, with the failure status of its registration.</summary>
internal sealed class TransportHealthCheck(ITransport transport) : IHealthCheck
{
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var health = await transport.CheckHealthAsync(cancellationToken).ConfigureAwait(false);
        return health.Status == HealthStatus.Unhealthy
            ? new HealthCheckResult(context.Registration.FailureStatus, health.Description, health.Exception, health.Data)
            : health;
    }
}
