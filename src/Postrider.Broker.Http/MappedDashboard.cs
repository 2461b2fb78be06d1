using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>The pages of a broker at a path of an application.</summary>
/// <remarks>Thread-safe.</remarks>
/// <param name="broker">The broker; null for the one of the application's services.</param>
/// <param name="stopping">Canceled when the application stops: its server waits for responses to end.</param>
internal sealed class MappedDashboard(NatsBroker? broker, CancellationToken stopping)
{
    /// <summary>The name of the route value with the page.</summary>
    internal const string PageValue = "page";

    private readonly EndpointReadAccess _access = new();
    private Served? _served;

    /// <summary>Handles a request.</summary>
    /// <param name="context">The request.</param>
    internal Task HandleAsync(HttpContext context)
    {
        if (!HttpMethods.IsGet(context.Request.Method) && !HttpMethods.IsHead(context.Request.Method) && !HttpMethods.IsConnect(context.Request.Method))
        {
            context.Response.Headers.Allow = "GET, HEAD";
            return MonitoringPages.TextAsync(context.Response, StatusCodes.Status405MethodNotAllowed, "These pages are read with GET.\n");
        }

        if ((broker ?? context.RequestServices.GetService<BrokerService>()?.Running) is not { } running)
            return MonitoringPages.TextAsync(context.Response, StatusCodes.Status503ServiceUnavailable, "The broker of this application does not run: it starts and stops with the application.\n");
        if (context.Request.RouteValues[PageValue] is string { Length: > 0 } page)
            return PagesOf(running).HandleAsync(context, "/" + page);
        context.Response.Redirect($"{context.Request.PathBase}{context.Request.Path.Value?.TrimEnd('/')}{DashboardFiles.Path}");
        return Task.CompletedTask;
    }

    // A broker that was restarted has a new state.
    private MonitoringPages PagesOf(NatsBroker running)
    {
        if (Volatile.Read(ref _served) is { } served && ReferenceEquals(served.State, running.State)) return served.Pages;
        var ended = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        _ = EndAsync(running, ended);
        var pages = new MonitoringPages(running.State, _access, basePath: "", ended.Token);
        Volatile.Write(ref _served, new Served(running.State, pages));
        return pages;
    }

    private static async Task EndAsync(NatsBroker running, CancellationTokenSource ended)
    {
        await running.Completion.ConfigureAwait(false);
        await ended.CancelAsync().ConfigureAwait(false);
        ended.Dispose();
    }

    private sealed record Served(IBrokerState State, MonitoringPages Pages);
}
