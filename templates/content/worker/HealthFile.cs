using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace PostriderWorker;

/// <summary>Writes a file while the worker is healthy, and deletes it otherwise.</summary>
internal sealed class HealthFile(string path) : IHealthCheckPublisher
{
    public Task PublishAsync(HealthReport report, CancellationToken cancellationToken)
    {
        if (report.Status == HealthStatus.Healthy)
            return File.WriteAllTextAsync(path, "healthy", cancellationToken);
        File.Delete(path);
        return Task.CompletedTask;
    }
}
