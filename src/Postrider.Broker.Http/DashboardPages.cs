using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Http;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>Handles requests for the dashboard: its files, its events, whether it may act, and the connection for its actions.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class DashboardPages(IBrokerState state, LivePages live)
{
    /// <summary>Maximum number of connected pages; each is also a client of the broker.</summary>
    internal const int MaxSockets = 100;

    private readonly DashboardAccess _access = new(state);
    private int _sockets;

    /// <summary>Whether the dashboard has a page.</summary>
    /// <param name="page">The page, without the base path.</param>
    internal static bool Has(string page) => page is "/dashboard" or "/dashboard/access" or "/dashboard/live" or "/dashboard/nats" || DashboardFiles.Has(page);

    /// <summary>Handles a request for a page of the dashboard.</summary>
    /// <param name="context">The request.</param>
    /// <param name="page">The page, one for which <see cref="Has"/> is true.</param>
    internal Task HandleAsync(HttpContext context, string page)
        => page switch
        {
            "/dashboard" => MovedAsync(context.Response),
            "/dashboard/access" => AccessAsync(context),
            "/dashboard/live" => live.HandleAsync(context),
            "/dashboard/nats" => ActAsync(context),
            _ => DashboardFiles.SendAsync(page, context.Response),
        };

    // Relative, so that it works behind a base path and a reverse proxy.
    private static Task MovedAsync(HttpResponse response)
    {
        response.StatusCode = StatusCodes.Status301MovedPermanently;
        response.Headers.Location = "dashboard/";
        return Task.CompletedTask;
    }

    // Whether the page may act, and whether the broker requires credentials for it.
    private Task AccessAsync(HttpContext context)
    {
        var problem = _access.FindProblem(context);
        context.Response.ContentType = "application/json";
        context.Response.Headers.CacheControl = "no-store";
        return context.Response.WriteAsync(new JsonObject
        {
            ["allowed"] = problem is null,
            ["reason"] = problem,
            ["credentials"] = state.Options.RequiresAuthentication,
            ["server_id"] = state.ServerId,
        }.ToJsonString());
    }

    private async Task ActAsync(HttpContext context)
    {
        if (FindRefusal(context) is var (status, text) && status != 0)
        {
            await MonitoringPages.TextAsync(context.Response, status, text).ConfigureAwait(false);
            return;
        }

        try
        {
            if (Interlocked.Increment(ref _sockets) > MaxSockets)
                await MonitoringPages.TextAsync(context.Response, StatusCodes.Status503ServiceUnavailable, $"{MaxSockets} pages of the dashboard are connected, which is the limit.").ConfigureAwait(false);
            else
                await DashboardSocket.ServeAsync(context, state).ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Decrement(ref _sockets);
        }
    }

    private (int Status, string Text) FindRefusal(HttpContext context)
    {
        if (!context.WebSockets.IsWebSocketRequest) return (StatusCodes.Status400BadRequest, "This address is for the dashboard's own WebSocket.");
        if (!DashboardAccess.IsOwnPage(context.Request))
            return (StatusCodes.Status403Forbidden, "Only pages of this dashboard may connect here. Other clients connect to the broker's own ports.");
        return _access.FindProblem(context) is { } problem ? (StatusCodes.Status403Forbidden, problem) : default;
    }
}
