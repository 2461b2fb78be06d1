using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Http;

/// <summary>Hands Kestrel's requests to the pages.</summary>
internal sealed class PageApplication(MonitoringPages pages, ILogger logger) : IHttpApplication<HttpContext>
{
    public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

    public async Task ProcessRequestAsync(HttpContext context)
    {
        try
        {
            await pages.HandleAsync(context).ConfigureAwait(false);
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
        // The context holds nothing but the request's features, which are Kestrel's.
    }
}
