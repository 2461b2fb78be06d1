using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Server.Polling;

namespace Postrider.Rpc.Server;

/// <summary>Has Kestrel read its connections as the multiplexed socket does.</summary>
public static class EpollSocketsWebHostBuilderExtensions
{
    /// <summary>
    /// On Linux one thread waits for Kestrel's connections, TCP and Unix domain sockets, and begins on the spot what they ask for, so
    /// that a request of HTTP/1.1 changes threads nowhere; code that blocks there holds others up for 4 milliseconds at most. On other
    /// systems nothing changes. Whatever else the application serves gains by it too, but for HTTP/2 with many requests at once on a
    /// connection: leave its endpoints to the framework's sockets.
    /// </summary>
    /// <param name="host">The host whose server is Kestrel.</param>
    /// <param name="where">At which of the endpoints that Kestrel was told to listen at; null for all.</param>
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
