using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.WebUtilities;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>Pushes monitoring pages to open pages of the dashboard as Server-Sent Events.</summary>
/// <remarks>
/// Thread-safe. A listener names the pages by the parameter <c>page</c>, such as <c>?page=varz&amp;page=connz%3Flimit%3D200</c>. The first event
/// contains all of them; afterwards there is at most one event in each <see cref="Interval"/>, with those that have changed. Nothing is queued: a
/// listener that reads slowly misses intervals, and gets the newest pages when it has read the last ones. Pages are read for one listener at a time, so
/// that listeners use at most one core. Limits: docs/limits.md. Source: the HTML standard, section 9.2, server-sent events.
/// </remarks>
internal sealed class LivePages(IBrokerState state, PageReader reader, CancellationToken stopping)
{
    /// <summary>The time from one reading of the pages to the next.</summary>
    internal static readonly TimeSpan Interval = TimeSpan.FromSeconds(2);

    /// <summary>Maximum number of listeners.</summary>
    internal const int MaxListeners = 100;

    /// <summary>Maximum number of pages of a listener. The dashboard needs three.</summary>
    internal const int MaxPages = 8;

    /// <summary>Maximum length of a page in bytes, without line breaks and indentation; the content of a larger one is not pushed.</summary>
    internal const int MaxPageBytes = 1024 * 1024;

    // The rights of a listener are checked again when it reconnects.
    private static readonly TimeSpan s_maxDuration = TimeSpan.FromMinutes(10);

    private static readonly HashSet<string> s_names = new(StringComparer.Ordinal) { "varz", "connz", "subsz", "healthz", "accountz", "leafz", "routez", "accstatz", "jsz" };

    private readonly PageQueue _reading = new();
    private int _listeners;

    /// <summary>Handles the request of a listener, until it leaves or the broker stops.</summary>
    /// <param name="context">The request, which may read all pages.</param>
    internal async Task HandleAsync(HttpContext context)
    {
        if (FindPages(context.Request, out var problem) is not { } pages)
        {
            await MonitoringPages.TextAsync(context.Response, StatusCodes.Status400BadRequest, problem!).ConfigureAwait(false);
            return;
        }

        try
        {
            if (Interlocked.Increment(ref _listeners) > MaxListeners)
                await MonitoringPages.TextAsync(context.Response, StatusCodes.Status503ServiceUnavailable, $"{MaxListeners} pages of the dashboard receive events, which is the limit.").ConfigureAwait(false);
            else
                await PushAsync(context, pages).ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Decrement(ref _listeners);
        }
    }

    private static LivePage[]? FindPages(HttpRequest request, out string? problem)
    {
        var names = request.Query["page"];
        problem = names.Count switch
        {
            0 => "No page is named: use ?page=varz&page=healthz.",
            > MaxPages => $"{names.Count} pages are named, and a listener may have {MaxPages}.",
            _ => null,
        };
        if (problem is not null) return null;
        var pages = new LivePage[names.Count];
        for (var i = 0; i < pages.Length; i++)
        {
            var parts = (names[i] ?? "").Split('?', 2);
            if (!s_names.Contains(parts[0]))
            {
                problem = $"The page '{parts[0]}' cannot be pushed. Pages: {string.Join(", ", s_names.Order(StringComparer.Ordinal))}.";
                return null;
            }

            pages[i] = new LivePage(names[i]!, "/" + parts[0], new QueryCollection(QueryHelpers.ParseQuery(parts.ElementAtOrDefault(1))));
        }

        return pages;
    }

    private async Task PushAsync(HttpContext context, LivePage[] pages)
    {
        var response = context.Response;
        response.ContentType = "text/event-stream";
        response.Headers.CacheControl = "no-store";
        // nginx would collect the events.
        response.Headers["X-Accel-Buffering"] = "no";
        context.Features.Get<IHttpResponseBodyFeature>()?.DisableBuffering();
        if (!HttpMethods.IsGet(context.Request.Method)) return;
        var time = state.Options.TimeProvider;
        var (configuredAt, began) = (state.ConfiguredAt, time.GetTimestamp());
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted, stopping);
        using var timer = new PeriodicTimer(Interval, time);
        try
        {
            do
            {
                await ResponseWriter.WriteAsync(context, await _reading.BuildAsync(() => LiveEvent.Write(pages, reader), ended.Token).ConfigureAwait(false), time, ended.Token).ConfigureAwait(false);
            }
            while (await timer.WaitForNextTickAsync(ended.Token).ConfigureAwait(false)
                && state.ConfiguredAt == configuredAt && time.GetElapsedTime(began) < s_maxDuration);
        }
        catch (Exception error) when (error is OperationCanceledException or IOException)
        {
            // The listener or the broker has ended the stream, or the listener did not read.
        }
    }
}
