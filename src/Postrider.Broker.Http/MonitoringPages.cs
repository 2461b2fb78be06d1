using Microsoft.AspNetCore.Http;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>Handles requests for the monitoring pages and the dashboard.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class MonitoringPages
{
    private readonly PageReader _reader;
    private readonly DashboardPages _dashboard;
    private readonly IReadAccess _access;
    private readonly string _basePath;
    private readonly TimeProvider _time;
    private readonly PageQueue _largePages = new();
    private readonly PageMemory _memory = new();

    /// <param name="state">The broker.</param>
    /// <param name="access">Decides who may read the pages.</param>
    /// <param name="basePath">The path before that of each page.</param>
    /// <param name="stopping">Ends the responses that have no end of their own.</param>
    internal MonitoringPages(IBrokerState state, IReadAccess access, string basePath, CancellationToken stopping)
    {
        var monitor = new BrokerMonitor(state);
        var metrics = new MetricsPage(state, monitor);
        _reader = new PageReader(monitor, metrics, counts: true);
        // What is pushed was not requested.
        _dashboard = new DashboardPages(state, new LivePages(state, new PageReader(monitor, metrics, counts: false), stopping));
        _access = access;
        _time = state.Options.TimeProvider;
        _basePath = "/" + basePath.Trim('/');
    }

    /// <summary>Handles a request for the page of its path.</summary>
    /// <param name="context">The request.</param>
    internal Task HandleAsync(HttpContext context)
        => PageOf(context.Request.Path.Value ?? "/") is { } page ? HandleAsync(context, page) : NotFoundAsync(context.Response);

    /// <summary>Handles a request for a page.</summary>
    /// <param name="context">The request.</param>
    /// <param name="page">The page, without the base path.</param>
    internal async Task HandleAsync(HttpContext context, string page)
    {
        BackgroundWork.Begin();
        if (await _access.IsAllowedAsync(context, page).ConfigureAwait(false))
            await ShowAsync(context, page).ConfigureAwait(false);
    }

    internal static Task TextAsync(HttpResponse response, int status, string text)
    {
        var content = PageContent.OfText(text, status);
        Begin(response, content);
        return response.Body.WriteAsync(content.Bytes).AsTask();
    }

    private async Task ShowAsync(HttpContext context, string page)
    {
        if (DashboardPages.Has(page))
        {
            await _dashboard.HandleAsync(context, page).ConfigureAwait(false);
            return;
        }

        var query = context.Request.Query;
        var found = PageReader.MayBeLarge(page, query)
            ? await _largePages.BuildAsync(() => _reader.Read(page, query), context.RequestAborted).ConfigureAwait(false)
            : _reader.Read(page, query);
        if (found is { } content) await WriteAsync(context, content).ConfigureAwait(false);
        else await NotFoundAsync(context.Response).ConfigureAwait(false);
    }

    private async Task WriteAsync(HttpContext context, PageContent content)
    {
        var taken = _memory.Take(ref content);
        try
        {
            // As in nats-server: pages that need no credentials may be read by scripts of any site.
            if (content.IsJson && _access.IsOpen) context.Response.Headers.AccessControlAllowOrigin = "*";
            Begin(context.Response, content);
            await ResponseWriter.WriteAsync(context, content.Bytes, _time, context.RequestAborted).ConfigureAwait(false);
        }
        finally
        {
            _memory.Release(taken);
        }
    }

    private string? PageOf(string path)
    {
        if (_basePath.Length == 1)
            return path;
        if (string.Equals(path, _basePath, StringComparison.Ordinal))
            return "/";
        return path.StartsWith(_basePath + "/", StringComparison.Ordinal) && path.Length > _basePath.Length + 1 ? path[_basePath.Length..] : null;
    }

    private static Task NotFoundAsync(HttpResponse response)
    {
        response.Headers.XContentTypeOptions = "nosniff";
        return TextAsync(response, StatusCodes.Status404NotFound, "404 page not found\n");
    }

    private static void Begin(HttpResponse response, PageContent content)
    {
        response.StatusCode = content.Status;
        response.ContentType = content.Type;
        response.ContentLength = content.Bytes.Length;
    }
}
