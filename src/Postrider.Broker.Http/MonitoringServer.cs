using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>Serves a broker's monitoring pages and metrics over HTTP.</summary>
/// <remarks>Thread-safe. Pages, parameters, status codes and error texts are nats-server's; <c>/metrics</c> is Postrider's own.</remarks>
internal sealed class MonitoringServer : IAsyncDisposable
{
    private readonly WebApplication _application;

    private MonitoringServer(WebApplication application, IPEndPoint endPoint)
    {
        _application = application;
        EndPoint = endPoint;
    }

    /// <summary>Where the pages are served, after a random port was chosen.</summary>
    internal IPEndPoint EndPoint { get; }

    /// <summary>Starts to serve at the host and port of <see cref="BrokerOptions.Monitoring"/>.</summary>
    /// <param name="state">The broker.</param>
    /// <param name="ct">Stops the start.</param>
    /// <exception cref="BrokerException">With <see cref="BrokerError.CannotListen"/>.</exception>
    internal static async Task<MonitoringServer> StartAsync(IBrokerState state, CancellationToken ct)
    {
        var options = state.Options;
        var wanted = await ResolveAsync(options.Monitoring.Host ?? options.Host, options.Monitoring.Port, ct).ConfigureAwait(false);
        var application = Build(state, wanted);
        try
        {
            await application.StartAsync(ct).ConfigureAwait(false);
        }
        catch (Exception error) when (error is IOException or SocketException)
        {
            await application.DisposeAsync().ConfigureAwait(false);
            throw new BrokerException(BrokerError.CannotListen, $"Cannot listen for monitoring on {wanted}: {error.InnerException?.Message ?? error.Message}. Choose another port with -m, or -1 for a free one.", error);
        }
        var endPoint = new IPEndPoint(wanted.Address, BoundPort(application));
        var logger = options.LoggerFactory?.CreateLogger<MonitoringServer>() ?? (ILogger)NullLogger.Instance;
        MonitoringLog.Started(logger, endPoint);
        return new MonitoringServer(application, endPoint);
    }

    /// <summary>Stops serving; requests in progress end.</summary>
    public ValueTask DisposeAsync() => _application.DisposeAsync();

    private static WebApplication Build(IBrokerState state, IPEndPoint endPoint)
    {
        // The empty builder reads no settings from files or the environment: ASPNETCORE_URLS must not move the pages.
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Listen(endPoint);
        });
        // Signals are the program's business, not of each web host inside it.
        builder.Services.AddSingleton<IHostLifetime, NoLifetime>();
        var application = builder.Build();
        var pages = new MonitoringPages(state);
        application.Run(pages.HandleAsync);
        return application;
    }

    private static int BoundPort(WebApplication application)
    {
        var addresses = application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!;
        return BindingAddress.Parse(addresses.Addresses.First()).Port;
    }

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
            throw new BrokerException(BrokerError.CannotListen, $"Cannot listen for monitoring on {host}: {error.Message}. Give an address of this machine.", error);
        }
    }

    private sealed class NoLifetime : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
