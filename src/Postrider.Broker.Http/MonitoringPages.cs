using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Http;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>Answers requests for pages.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class MonitoringPages
{
    private const string Json = "application/json";
    private const string PlainText = "text/plain; charset=utf-8";

    private readonly BrokerMonitor _monitor;
    private readonly MetricsPage _metrics;
    private readonly DashboardAccess _access;
    private readonly IBrokerState _state;
    private readonly string _basePath;

    internal MonitoringPages(IBrokerState state)
    {
        _monitor = new BrokerMonitor(state);
        _metrics = new MetricsPage(state, _monitor);
        _access = new DashboardAccess(state);
        _state = state;
        _basePath = "/" + state.Options.Monitoring.BasePath.Trim('/');
    }

    internal Task HandleAsync(HttpContext context)
    {
        if (PageOf(context.Request.Path.Value ?? "/") is not { } page)
            return NotFoundAsync(context.Response);
        return page switch
        {
            "/" => RootAsync(context.Response),
            "/varz" => VarzAsync(context.Response),
            "/connz" => ConnzAsync(context),
            "/subsz" or "/subscriptionsz" => SubszAsync(context),
            "/healthz" => HealthzAsync(context),
            "/accountz" => AccountzAsync(context),
            "/leafz" => LeafzAsync(context),
            "/routez" => RoutezAsync(context),
            "/accstatz" => AccstatzAsync(context),
            "/jsz" when _monitor.ReadJsz() is not null => JszAsync(context),
            "/metrics" => MetricsAsync(context.Response),
            "/dashboard" => MovedAsync(context.Response, "dashboard/"),
            "/dashboard/access" => AccessAsync(context),
            "/dashboard/nats" => ActAsync(context),
            _ when DashboardFiles.Has(page) => DashboardFiles.SendAsync(page, context.Response),
            "/raftz" => TextAsync(context.Response, StatusCodes.Status404NotFound, PlainText, "No Raft nodes registered"),
            _ when _monitor.ReadAbsent(page) is { } content => CountedAsync(context.Response, page, content),
            _ => NotFoundAsync(context.Response),
        };
    }

    private string? PageOf(string path)
    {
        if (_basePath.Length == 1)
            return path;
        if (string.Equals(path, _basePath, StringComparison.Ordinal))
            return "/";
        return path.StartsWith(_basePath + "/", StringComparison.Ordinal) && path.Length > _basePath.Length + 1 ? path[_basePath.Length..] : null;
    }

    private Task RootAsync(HttpResponse response)
    {
        _monitor.CountRequest("/");
        return TextAsync(response, StatusCodes.Status200OK, "text/html; charset=utf-8", RootPage.Html);
    }

    private Task VarzAsync(HttpResponse response)
    {
        _monitor.CountRequest("/varz");
        return JsonAsync(response, JsonSerializer.SerializeToUtf8Bytes(_monitor.ReadVarz(), MonitoringJson.Default.VarzPage));
    }

    private Task ConnzAsync(HttpContext context)
    {
        var reader = new QueryReader(context.Request.Query);
        var inDetail = reader.Text("subs").Equals("detail", StringComparison.OrdinalIgnoreCase);
        var query = new ConnzQuery
        {
            Sort = reader.Text("sort"),
            Auth = reader.Boolean("auth"),
            SubscriptionDetails = inDetail,
            Subscriptions = !inDetail && reader.Boolean("subs"),
            Offset = reader.Integer("offset"),
            Limit = reader.Integer("limit"),
            ConnectionId = reader.Unsigned("cid"),
            State = reader.State(),
            User = reader.Text("user"),
            Account = reader.Text("acc"),
            FilterSubject = reader.Text("filter_subject"),
        };
        if (reader.Problem is { } unreadable)
            return BadRequestAsync(context.Response, unreadable);
        _monitor.CountRequest("/connz");
        return _monitor.ReadConnz(query, out var problem) is { } page
            ? JsonAsync(context.Response, JsonSerializer.SerializeToUtf8Bytes(page, MonitoringJson.Default.ConnzPage))
            : BadRequestAsync(context.Response, problem!);
    }

    private Task SubszAsync(HttpContext context)
    {
        _monitor.CountRequest("/subsz");
        var reader = new QueryReader(context.Request.Query);
        var query = new SubszQuery
        {
            Subscriptions = reader.Boolean("subs"),
            Offset = reader.Integer("offset"),
            Limit = reader.Integer("limit"),
            Test = reader.Text("test"),
            Account = reader.Text("acc"),
        };
        if (reader.Problem is { } unreadable)
            return BadRequestAsync(context.Response, unreadable);
        return _monitor.ReadSubsz(query, out var problem) is { } page
            ? JsonAsync(context.Response, JsonSerializer.SerializeToUtf8Bytes(page, MonitoringJson.Default.SubszPage))
            : BadRequestAsync(context.Response, problem!);
    }

    private Task RoutezAsync(HttpContext context)
    {
        _monitor.CountRequest("/routez");
        var reader = new QueryReader(context.Request.Query);
        var withSubscriptions = reader.Boolean("subs");
        return reader.Problem is { } unreadable
            ? BadRequestAsync(context.Response, unreadable)
            : JsonAsync(context.Response, JsonSerializer.SerializeToUtf8Bytes(_monitor.ReadRoutez(withSubscriptions), MonitoringJson.Default.RoutezPage));
    }

    private Task LeafzAsync(HttpContext context)
    {
        _monitor.CountRequest("/leafz");
        var reader = new QueryReader(context.Request.Query);
        var withSubscriptions = reader.Boolean("subs");
        return reader.Problem is { } unreadable
            ? BadRequestAsync(context.Response, unreadable)
            : JsonAsync(context.Response, JsonSerializer.SerializeToUtf8Bytes(_monitor.ReadLeafz(reader.Text("acc"), withSubscriptions), MonitoringJson.Default.LeafzPage));
    }

    private Task HealthzAsync(HttpContext context)
    {
        _monitor.CountRequest("/healthz");
        var reader = new QueryReader(context.Request.Query);
        foreach (var name in (ReadOnlySpan<string>)["js-enabled", "js-enabled-only", "js-server-only", "js-meta-only", "details"])
            reader.Boolean(name);
        if (reader.Problem is { } unreadable)
            return BadRequestAsync(context.Response, unreadable);
        var page = _monitor.ReadHealthz();
        var status = page.IsHealthy ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable;
        return JsonAsync(context.Response, JsonSerializer.SerializeToUtf8Bytes(page, CompactMonitoringJson.Default.HealthzPage), status);
    }

    private Task JszAsync(HttpContext context)
    {
        _monitor.CountRequest("/jsz");
        var reader = new QueryReader(context.Request.Query);
        foreach (var name in (ReadOnlySpan<string>)["leader-only", "stream-leader-only"])
            reader.Boolean(name);
        var query = new JszQuery
        {
            Account = reader.Text("acc"),
            Accounts = reader.Boolean("accounts"),
            Streams = reader.Boolean("streams"),
            Consumers = reader.Boolean("consumers"),
            DirectConsumers = reader.Boolean("direct-consumers"),
            Configurations = reader.Boolean("config"),
            Leaders = reader.Boolean("raft"),
            Offset = reader.Integer("offset"),
            Limit = reader.Integer("limit"),
        };
        return reader.Problem is { } unreadable
            ? BadRequestAsync(context.Response, unreadable)
            : JsonAsync(context.Response, JsonSerializer.SerializeToUtf8Bytes(_monitor.ReadJsz(query)!, MonitoringJson.Default.JszPage));
    }

    private Task MetricsAsync(HttpResponse response)
    {
        _monitor.CountRequest("/metrics");
        return TextAsync(response, StatusCodes.Status200OK, "text/plain; version=0.0.4; charset=utf-8", _metrics.Read());
    }

    // Whether the page may act, and whether the broker will want credentials for it.
    private Task AccessAsync(HttpContext context)
    {
        var problem = _access.FindProblem(context);
        context.Response.ContentType = Json;
        context.Response.Headers.CacheControl = "no-store";
        return context.Response.WriteAsync(new JsonObject
        {
            ["allowed"] = problem is null,
            ["reason"] = problem,
            ["credentials"] = _state.Options.RequiresAuthentication,
            ["server_id"] = _state.ServerId,
        }.ToJsonString());
    }

    private Task ActAsync(HttpContext context)
    {
        if (!context.WebSockets.IsWebSocketRequest) return BadRequestAsync(context.Response, "This address is for the dashboard's own WebSocket.");
        if (!DashboardAccess.IsOwnPage(context.Request))
            return TextAsync(context.Response, StatusCodes.Status403Forbidden, PlainText, "Only pages of this dashboard may connect here. Other clients connect to the broker's own ports.");
        return _access.FindProblem(context) is { } problem
            ? TextAsync(context.Response, StatusCodes.Status403Forbidden, PlainText, problem)
            : DashboardSocket.ServeAsync(context, _state);
    }

    private Task AccountzAsync(HttpContext context)
    {
        var account = new QueryReader(context.Request.Query).Text("acc");
        return _monitor.ReadAccountz(account) is { } page
            ? CountedAsync(context.Response, "/accountz", page)
            : BadRequestAsync(context.Response, $"Account {account} does not exist");
    }

    private Task AccstatzAsync(HttpContext context)
    {
        var reader = new QueryReader(context.Request.Query);
        var unused = reader.Boolean("unused");
        return reader.Problem is { } unreadable
            ? BadRequestAsync(context.Response, unreadable)
            : CountedAsync(context.Response, "/accstatz", _monitor.ReadAccstatz(unused));
    }

    private Task CountedAsync(HttpResponse response, string page, JsonObject content)
    {
        _monitor.CountRequest(page);
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, new JsonWriterOptions { Indented = true, NewLine = "\n" }))
            content.WriteTo(writer);
        return JsonAsync(response, buffer.WrittenSpan.ToArray());
    }

    private static Task JsonAsync(HttpResponse response, byte[] json, int status = StatusCodes.Status200OK)
    {
        response.StatusCode = status;
        response.ContentType = Json;
        response.ContentLength = json.Length;
        response.Headers.AccessControlAllowOrigin = "*";
        return response.Body.WriteAsync(json).AsTask();
    }

    private static Task BadRequestAsync(HttpResponse response, string problem) =>
        TextAsync(response, StatusCodes.Status400BadRequest, PlainText, problem);

    // Relative, so that it works behind a base path and a reverse proxy.
    private static Task MovedAsync(HttpResponse response, string location)
    {
        response.StatusCode = StatusCodes.Status301MovedPermanently;
        response.Headers.Location = location;
        return Task.CompletedTask;
    }

    private static Task NotFoundAsync(HttpResponse response)
    {
        response.Headers.XContentTypeOptions = "nosniff";
        return TextAsync(response, StatusCodes.Status404NotFound, PlainText, "404 page not found\n");
    }

    private static Task TextAsync(HttpResponse response, int status, string contentType, string text)
    {
        response.StatusCode = status;
        response.ContentType = contentType;
        var bytes = Encoding.UTF8.GetBytes(text);
        response.ContentLength = bytes.Length;
        return response.Body.WriteAsync(bytes).AsTask();
    }
}
