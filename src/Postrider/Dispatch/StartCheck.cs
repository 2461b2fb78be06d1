using Microsoft.Extensions.Hosting;
using Postrider.Dispatch.Routes;

namespace Postrider.Dispatch;

/// <summary>Checks the transports of routes, and the handlers' services if that is wanted, before the hosted services start.</summary>
internal sealed class StartCheck(PipelineTable table, DispatchOptions options) : IHostedLifecycleService
{
    public Task StartingAsync(CancellationToken cancellationToken)
    {
        new RouteCheck(table.Services, options.Routes, options.ValidateOnStart).CheckTransports();
        if (options.ValidateOnStart)
            table.CheckServices();
        return Task.CompletedTask;
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
