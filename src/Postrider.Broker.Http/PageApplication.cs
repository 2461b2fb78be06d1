using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.WebSockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using UpgradeOptions = Microsoft.AspNetCore.Builder.WebSocketOptions;

namespace Postrider.Broker.Http;

/// <summary>Passes Kestrel's requests to the pages.</summary>
internal sealed class PageApplication(MonitoringPages pages, ILogger logger) : IHttpApplication<HttpContext>
{
    internal static readonly TimeSpan AliveInterval = TimeSpan.FromSeconds(30);

    // Replaces the middleware of a web host for the only WebSocket.
    private readonly WebSocketMiddleware _application = new(
        pages.HandleAsync, Options.Create(new UpgradeOptions { KeepAliveInterval = AliveInterval, KeepAliveTimeout = AliveInterval }), NullLoggerFactory.Instance);

    public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

    public async Task ProcessRequestAsync(HttpContext context)
    {
        try
        {
            await _application.Invoke(context).ConfigureAwait(false);
        }
        catch (Exception error) when (!context.RequestAborted.IsCancellationRequested)
        {
            // Kestrel answers with status 500.
            MonitoringLog.Failed(logger, context.Request.Path, error);
            throw;
        }
    }

    public void DisposeContext(HttpContext context, Exception? exception)
    {
        // The context only has the request's features, which belong to Kestrel.
    }
}
