using System.Net;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>Serves the monitoring pages and <c>/metrics</c> of a broker.</summary>
/// <remarks>Host, port and base path come from <see cref="BrokerOptions.Monitoring"/>; with both ports zero nothing is served.</remarks>
/// <example><code>
/// var monitoring = new HttpMonitoring();
/// var options = new BrokerOptions { Port = -1, Monitoring = new() { Port = -1 } };
/// await using var broker = await NatsBroker.StartAsync(options, [monitoring]);
/// Console.WriteLine($"http://{monitoring.EndPoint}/varz");
/// </code></example>
public sealed class HttpMonitoring : IBrokerExtension
{
    /// <summary>The address of the pages; null before the start and if monitoring is disabled.</summary>
    public IPEndPoint? EndPoint { get; private set; }

    /// <summary>Whether the pages are served over HTTPS.</summary>
    public bool IsSecure { get; private set; }

    /// <inheritdoc/>
    /// <exception cref="BrokerException">With <see cref="BrokerError.CannotListen"/>.</exception>
    public async ValueTask<IAsyncDisposable> StartAsync(IBrokerState state, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(state);
        if (state.Options.Monitoring is { Port: 0, HttpsPort: 0 })
            return new Nothing();
        var server = await MonitoringServer.StartAsync(state, ct).ConfigureAwait(false);
        EndPoint = server.EndPoint;
        IsSecure = state.Options.Monitoring.HttpsPort != 0;
        return server;
    }

    private sealed class Nothing : IAsyncDisposable
    {
        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
