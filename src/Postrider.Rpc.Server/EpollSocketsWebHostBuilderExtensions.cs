using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Server.Polling;

namespace Postrider.Rpc.Server;

/// <summary>Lets Kestrel use the epoll engine of the multiplexed socket.</summary>
public static class EpollSocketsWebHostBuilderExtensions
{
    /// <summary>On Linux, one thread waits for Kestrel's connections (TCP and Unix domain sockets) and starts requests on that thread, so
    /// that an HTTP/1.1 request never switches threads. Code that blocks there delays other connections by at most 4 milliseconds. On
    /// other systems this has no effect. Everything the application serves benefits, except HTTP/2 with many concurrent requests per
    /// connection: exclude such endpoints.</summary>
    /// <param name="host">The host whose server is Kestrel.</param>
    /// <param name="where">Selects the endpoints to use it for; null for all.</param>
    /// <returns>The host.</returns>
    public static IWebHostBuilder UseEpollSockets(this IWebHostBuilder host, Func<EndPoint, bool>? where = null)
    {
        ArgumentNullException.ThrowIfNull(host);
        return OperatingSystem.IsLinux()
            ? host.ConfigureServices(services => services.AddSingleton<IConnectionListenerFactory>(
                provider => new EpollConnectionListenerFactory(where, provider.GetRequiredService<ILoggerFactory>())))
            : host;
    }
}
