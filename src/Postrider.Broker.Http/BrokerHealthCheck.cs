using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>Reports the health of the host's broker.</summary>
internal sealed class BrokerHealthCheck(BrokerService service) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        if (service.Running is not { } broker)
            return Task.FromResult(new HealthCheckResult(context.Registration.FailureStatus, "The broker is not running."));
        var page = new BrokerMonitor(broker.State).ReadHealthz();
        return Task.FromResult(page switch
        {
            { Error: null } => HealthCheckResult.Healthy($"Serving at {broker.Url ?? "this process"}."),
            { IsHealthy: true } => HealthCheckResult.Degraded(page.Error),
            _ => new HealthCheckResult(context.Registration.FailureStatus, page.Error),
        });
    }
}
