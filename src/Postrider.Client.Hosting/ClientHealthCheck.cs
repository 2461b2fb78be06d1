using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Postrider.Client.Hosting;

/// <summary>Reports the state of a client's connection.</summary>
internal sealed class ClientHealthCheck(NatsClient client) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var state = client.State;
        var data = new Dictionary<string, object>(StringComparer.Ordinal) { ["state"] = state.ToString(), ["server"] = client.ConnectedServer ?? "" };
        return Task.FromResult(state switch
        {
            ConnectionState.Connected => HealthCheckResult.Healthy($"Connected to {client.ConnectedServer}.", data),
            ConnectionState.Closed => new HealthCheckResult(context.Registration.FailureStatus, "The client is closed.", data: data),
            ConnectionState.Draining => HealthCheckResult.Degraded("The client is draining.", data: data),
            _ => HealthCheckResult.Degraded("The client is looking for a server.", data: data),
        });
    }
}
