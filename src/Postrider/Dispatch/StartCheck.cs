using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Diagnostics;
using Postrider.Dispatch.Routes;

namespace Postrider.Dispatch;

/// <summary>Checks the transports of routes, and the handlers' services if that is wanted, before the hosted services start.</summary>
internal sealed partial class StartCheck(PipelineTable table, DispatchOptions options) : IHostedLifecycleService, IDisposable
{
    private ConfigurationWatch? _watch;

    public Task StartingAsync(CancellationToken cancellationToken)
    {
        new RouteCheck(table.Services, options.Routes, options.ValidateOnStart).CheckTransports();
        if (table.Services.GetService<ILogger<StartCheck>>() is { } logger)
        {
            foreach (var (message, route) in options.RemovedRoutes)
                LogRemovedRoute(logger, message, route.Destination, route.Source);
            if (table.Services.GetService<IConfiguration>() is { } configuration)
                _watch ??= new(configuration, logger);
        }

        if (options.ValidateOnStart)
            table.CheckServices();
        return Task.CompletedTask;
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose() => _watch?.Dispose();

    [LoggerMessage(35, LogLevel.Warning, "{Message} is not routed to '{Destination}': its handler was replaced after {Source}, which removed the route. To keep the route, replace the handler first: the replacement then handles the messages that arrive through a binding.")]
    private static partial void LogRemovedRoute(ILogger logger, Type message, string destination, string source);
}
