using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Client.Services;
using Postrider.Dispatch;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Serves the handlers and dead letters of an application for as long as the host runs.</summary>
internal sealed class DashboardServices(IServiceProvider services, string application, IReadOnlyList<string> transports, object? client) : IHostedService, IAsyncDisposable
{
    private readonly List<NatsService> _running = [];

    public Task StartAsync(CancellationToken cancellationToken)
    {
        var connection = NatsTransportServiceCollectionExtensions.Client(services, client, $"AddPostriderDashboardServices(\"{application}\")");
        var deadLetters = transports.ToDictionary(static name => name, Transport, StringComparer.Ordinal);
        _running.Add(connection.AddHandlerService(services.GetRequiredService<IHandlerMap>(), application, routes: services.GetRequiredService<IRouteTable>()));
        if (deadLetters.Count > 0)
            _running.Add(connection.AddDeadLetterService(deadLetters, sources: services.GetServices<DeadLetterSource>()));
        return Task.CompletedTask;
    }

    public async Task StopAsync(CancellationToken cancellationToken) => await DisposeAsync().ConfigureAwait(false);

    public async ValueTask DisposeAsync()
    {
        foreach (var service in _running)
            await service.DisposeAsync().ConfigureAwait(false);
        _running.Clear();
    }

    private ITransport Transport(string name)
        => services.GetKeyedService<ITransport>(name) ?? throw new PostriderException(
            PostriderError.Configuration, $"AddPostriderDashboardServices(\"{application}\") needs the transport '{name}', which was not added. Call AddPostriderTransport(\"{name}\", …).");
}
