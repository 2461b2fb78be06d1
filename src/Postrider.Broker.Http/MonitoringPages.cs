using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Http;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>Handles requests for pages.</summary>
/// <remarks>Thread-safe. Pages, parameters, status codes and error texts are nats-server's; <c>/metrics</c> and the dashboard are Postrider's own.</remarks>
internal sealed class MonitoringPages
{
    private const string Json = "application/json";
    private const string PlainText = "text/plain; charset=utf-8";

    private readonly BrokerMonitor _monitor;
    private readonly MetricsPage _metrics;
    private readonly DashboardPages _dashboard;
    private readonly IReadAccess _access;
    private readonly string _basePath;

    /// <param name="state">The broker.</param>
    /// <param name="access">Decides who may read the pages.</param>
    /// <param name="basePath">The path before that of each page.</param>
    internal MonitoringPages(IBrokerState state, IReadAccess access, string basePath)
    {
        _monitor = new BrokerMonitor(state);
        _metrics = new MetricsPage(state, _monitor);
        _dashboard = new DashboardPages(state);
        _access = access;
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
        if (await _access.IsAllowedAsync(context, page).ConfigureAwait(false))
            await ShowAsync(context, page).ConfigureAwait(false);
    }

    internal static Task TextAsync(HttpResponse response, int status, string text) => TextAsync(response, status, PlainText, text);

    private Task ShowAsync(HttpContext context, string page)
        => page switch
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
            _ when DashboardPages.Has(page) => _dashboard.HandleAsync(context, page),
            "/raftz" => TextAsync(context.Response, StatusCodes.Status404NotFound, PlainText, "No Raft nodes registered"),
            _ when _monitor.ReadAbsent(page) is { } content => CountedAsync(context.Response, page, content),
            _ => NotFoundAsync(context.Response),
        };

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
            Reverse = reader.Boolean("reverse"),
            Search = reader.Text("search"),
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
        var inDetail = reader.Text("subs").Equals("detail", StringComparison.OrdinalIgnoreCase);
        var withSubscriptions = !inDetail && reader.Boolean("subs");
        return reader.Problem is { } unreadable
            ? BadRequestAsync(context.Response, unreadable)
            : JsonAsync(context.Response, JsonSerializer.SerializeToUtf8Bytes(_monitor.ReadRoutez(withSubscriptions, inDetail), MonitoringJson.Default.RoutezPage));
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
        reader.Boolean("js-enabled");
        var query = new HealthzQuery
        {
            Account = reader.Text("account"),
            Stream = reader.Text("stream"),
            Consumer = reader.Text("consumer"),
            ServerOnly = reader.Boolean("js-enabled-only") | reader.Boolean("js-server-only") | reader.Boolean("js-meta-only"),
            Details = reader.Boolean("details"),
        };
        if (reader.Problem is { } unreadable)
            return BadRequestAsync(context.Response, unreadable);
        var page = _monitor.ReadHealthz(query);
        return JsonAsync(context.Response, JsonSerializer.SerializeToUtf8Bytes(page, CompactMonitoringJson.Default.HealthzPage), page.StatusCode);
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

    private Task JsonAsync(HttpResponse response, byte[] json, int status = StatusCodes.Status200OK)
    {
        response.StatusCode = status;
        response.ContentType = Json;
        response.ContentLength = json.Length;
        // As in nats-server: pages that need no credentials may be read by scripts of any site.
        if (_access.IsOpen) response.Headers.AccessControlAllowOrigin = "*";
        return response.Body.WriteAsync(json).AsTask();
    }

    private static Task BadRequestAsync(HttpResponse response, string problem) =>
        TextAsync(response, StatusCodes.Status400BadRequest, PlainText, problem);

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
