using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>Serves a broker's monitoring pages and metrics over HTTP.</summary>
/// <remarks>
/// Thread-safe. Pages, parameters, status codes and error texts are nats-server's; <c>/metrics</c> is Postrider's own.
/// Kestrel is used without the web host around it: routing, configuration and a service container would cost
/// an idle broker 5 MB of resident memory, and the pages do not use them.
/// </remarks>
internal sealed class MonitoringServer : IAsyncDisposable
{
    /// <summary>Maximum number of concurrent connections, without those of the dashboard's pages; further ones are closed.</summary>
    /// <remarks>A scraper, a health check and a browser need fewer than ten; each connection may run one request over all connections.</remarks>
    internal const int MaxConnections = 256;

    private static readonly TimeSpan LongestStop = TimeSpan.FromSeconds(1);

    private readonly KestrelServer _server;
    private readonly CancellationTokenSource _stopping;

    private MonitoringServer(KestrelServer server, CancellationTokenSource stopping, IPEndPoint endPoint)
    {
        _server = server;
        _stopping = stopping;
        EndPoint = endPoint;
    }

    /// <summary>The endpoint of the pages, with the chosen port if it was random.</summary>
    internal IPEndPoint EndPoint { get; }

    /// <summary>Starts to serve at the host and port of <see cref="BrokerOptions.Monitoring"/>.</summary>
    /// <param name="state">The broker.</param>
    /// <param name="ct">Stops the start.</param>
    /// <exception cref="BrokerException">With <see cref="BrokerError.CannotListen"/>.</exception>
    internal static async Task<MonitoringServer> StartAsync(IBrokerState state, CancellationToken ct)
    {
        var options = state.Options;
        var logger = options.LoggerFactory?.CreateLogger<MonitoringServer>() ?? (ILogger)NullLogger.Instance;
        var isSecure = options.Monitoring.HttpsPort != 0;
        var port = isSecure ? options.Monitoring.HttpsPort : options.Monitoring.Port;
        var wanted = await ResolveAsync(options.Monitoring.Host ?? options.Host, port, ct).ConfigureAwait(false);
        var server = Build(wanted, isSecure ? new TlsMiddleware(state, logger) : null);
        var stopping = new CancellationTokenSource();
        try
        {
            var pages = new MonitoringPages(state, new BasicReadAccess(state), options.Monitoring.BasePath, stopping.Token);
            await server.StartAsync(new PageApplication(pages, logger), ct).ConfigureAwait(false);
        }
        catch (Exception error) when (error is IOException or SocketException)
        {
            server.Dispose();
            stopping.Dispose();
            throw new BrokerException(BrokerError.CannotListen, $"Cannot listen for monitoring on {wanted}: {error.InnerException?.Message ?? error.Message}. Choose another port with {options.NameOf(isSecure ? "Monitoring.HttpsPort" : "Monitoring.Port")}, or -1 for a free one.", error);
        }
        var endPoint = new IPEndPoint(wanted.Address, BoundPort(server));
        MonitoringLog.Started(logger, isSecure ? "https" : "http", endPoint);
        return new MonitoringServer(server, stopping, endPoint);
    }

    /// <summary>Stops serving; requests in progress have a second to end.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        using var patience = new CancellationTokenSource(LongestStop);
        await _server.StopAsync(patience.Token).ConfigureAwait(false);
        _server.Dispose();
        _stopping.Dispose();
    }

    private static KestrelServer Build(IPEndPoint endPoint, TlsMiddleware? tls)
    {
        var options = new KestrelServerOptions { AddServerHeader = false, ApplicationServices = new NoServices() };
        options.Limits.MaxConcurrentConnections = MaxConnections;
        options.Limits.MaxConcurrentUpgradedConnections = DashboardPages.MaxSockets;
        // Kestrel's own HTTPS needs a service container.
        options.Listen(endPoint, listen =>
        {
            if (tls is not null) listen.Use(next => connection => tls.RunAsync(connection, next));
        });
        // Kestrel's own log is about connections; the application logs errors of pages.
        var transport = new SocketTransportFactory(Options.Create(new SocketTransportOptions()), NullLoggerFactory.Instance);
        return new KestrelServer(Options.Create(options), transport, NullLoggerFactory.Instance);
    }

    private static int BoundPort(KestrelServer server)
        => new Uri(server.Features.Get<IServerAddressesFeature>()!.Addresses.First()).Port;

    private static async Task<IPEndPoint> ResolveAsync(string host, int port, CancellationToken ct)
    {
        port = Math.Max(port, 0);
        if (IPAddress.TryParse(host, out var address))
            return new IPEndPoint(address, port);
        try
        {
            var addresses = await Dns.GetHostAddressesAsync(host, ct).ConfigureAwait(false);
            return new IPEndPoint(addresses.FirstOrDefault(found => found.AddressFamily == AddressFamily.InterNetwork) ?? addresses[0], port);
        }
        catch (SocketException error)
        {
            throw new BrokerException(BrokerError.CannotListen, $"Cannot listen for monitoring on {host}: {error.Message}. Use an address of this machine.", error);
        }
    }

    private sealed class NoServices : IServiceProvider
    {
        public object? GetService(Type serviceType) => null;
    }
}
