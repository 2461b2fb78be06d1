using System.Buffers;
using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Http;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>Reads the monitoring pages of a broker.</summary>
/// <remarks>Thread-safe. Pages, parameters, status codes and error texts are nats-server's; <c>/metrics</c> is Postrider's own.</remarks>
/// <param name="monitor">Builds the pages.</param>
/// <param name="metrics">Builds <c>/metrics</c>.</param>
/// <param name="counts">Whether readings are counted in <c>/varz</c>, as requests.</param>
internal sealed class PageReader(BrokerMonitor monitor, MetricsPage metrics, bool counts)
{
    /// <summary>Whether a page may list many subscriptions, streams or consumers.</summary>
    /// <param name="page">The page, without the base path.</param>
    /// <param name="query">The query.</param>
    internal static bool MayBeLarge(string page, IQueryCollection query)
        => query.Count > 0 && page is ("/connz" or "/subsz" or "/subscriptionsz" or "/routez" or "/leafz" or "/jsz" or "/accountz");

    /// <summary>Reads a page.</summary>
    /// <param name="page">The page, without the base path, such as <c>/varz</c>.</param>
    /// <param name="query">The query.</param>
    /// <returns>The page, which may report a problem of the query; null if there is no such page.</returns>
    internal PageContent? Read(string page, IQueryCollection query)
    {
        var reader = new QueryReader(query);
        return page switch
        {
            "/" => Root(),
            "/varz" => Varz(),
            "/connz" => Connz(reader),
            "/subsz" or "/subscriptionsz" => Subsz(reader),
            "/healthz" => Healthz(reader),
            "/accountz" => Accountz(reader),
            "/leafz" => Leafz(reader),
            "/routez" => Routez(reader),
            "/accstatz" => Accstatz(reader),
            "/jsz" when monitor.ReadJsz() is not null => Jsz(reader),
            "/metrics" => Metrics(),
            "/raftz" => PageContent.OfText("No Raft nodes registered", StatusCodes.Status404NotFound),
            _ when monitor.ReadAbsent(page) is { } content => Counted(page, content),
            _ => null,
        };
    }

    private void Count(string page)
    {
        if (counts) monitor.CountRequest(page);
    }

    private PageContent Root()
    {
        Count("/");
        return PageContent.OfText(RootPage.Html, type: "text/html; charset=utf-8");
    }

    private PageContent Varz()
    {
        Count("/varz");
        return PageContent.OfJson(JsonSerializer.SerializeToUtf8Bytes(monitor.ReadVarz(), MonitoringJson.Default.VarzPage));
    }

    private PageContent Connz(QueryReader reader)
    {
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
            return BadRequest(unreadable);
        Count("/connz");
        return monitor.ReadConnz(query, out var problem) is { } page
            ? PageContent.OfJson(JsonSerializer.SerializeToUtf8Bytes(page, MonitoringJson.Default.ConnzPage))
            : BadRequest(problem!);
    }

    private PageContent Subsz(QueryReader reader)
    {
        Count("/subsz");
        var query = new SubszQuery
        {
            Subscriptions = reader.Boolean("subs"),
            Offset = reader.Integer("offset"),
            Limit = reader.Integer("limit"),
            Test = reader.Text("test"),
            Account = reader.Text("acc"),
        };
        if (reader.Problem is { } unreadable)
            return BadRequest(unreadable);
        return monitor.ReadSubsz(query, out var problem) is { } page
            ? PageContent.OfJson(JsonSerializer.SerializeToUtf8Bytes(page, MonitoringJson.Default.SubszPage))
            : BadRequest(problem!);
    }

    private PageContent Routez(QueryReader reader)
    {
        Count("/routez");
        var inDetail = reader.Text("subs").Equals("detail", StringComparison.OrdinalIgnoreCase);
        var withSubscriptions = !inDetail && reader.Boolean("subs");
        return reader.Problem is { } unreadable
            ? BadRequest(unreadable)
            : PageContent.OfJson(JsonSerializer.SerializeToUtf8Bytes(monitor.ReadRoutez(withSubscriptions, inDetail), MonitoringJson.Default.RoutezPage));
    }

    private PageContent Leafz(QueryReader reader)
    {
        Count("/leafz");
        var withSubscriptions = reader.Boolean("subs");
        return reader.Problem is { } unreadable
            ? BadRequest(unreadable)
            : PageContent.OfJson(JsonSerializer.SerializeToUtf8Bytes(monitor.ReadLeafz(reader.Text("acc"), withSubscriptions), MonitoringJson.Default.LeafzPage));
    }

    private PageContent Healthz(QueryReader reader)
    {
        Count("/healthz");
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
            return BadRequest(unreadable);
        var page = monitor.ReadHealthz(query);
        return PageContent.OfJson(JsonSerializer.SerializeToUtf8Bytes(page, CompactMonitoringJson.Default.HealthzPage), page.StatusCode);
    }

    private PageContent Jsz(QueryReader reader)
    {
        Count("/jsz");
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
            ? BadRequest(unreadable)
            : PageContent.OfJson(JsonSerializer.SerializeToUtf8Bytes(monitor.ReadJsz(query)!, MonitoringJson.Default.JszPage));
    }

    private PageContent Metrics()
    {
        Count("/metrics");
        return PageContent.OfText(metrics.Read(), type: "text/plain; version=0.0.4; charset=utf-8");
    }

    private PageContent Accountz(QueryReader reader)
    {
        var account = reader.Text("acc");
        return monitor.ReadAccountz(account) is { } page
            ? Counted("/accountz", page)
            : BadRequest($"Account {account} does not exist");
    }

    private PageContent Accstatz(QueryReader reader)
    {
        var unused = reader.Boolean("unused");
        return reader.Problem is { } unreadable
            ? BadRequest(unreadable)
            : Counted("/accstatz", monitor.ReadAccstatz(unused));
    }

    private PageContent Counted(string page, JsonObject content)
    {
        Count(page);
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, new JsonWriterOptions { Indented = true, NewLine = "\n" }))
            content.WriteTo(writer);
        return PageContent.OfJson(buffer.WrittenSpan.ToArray());
    }

    private static PageContent BadRequest(string problem) => PageContent.OfText(problem, StatusCodes.Status400BadRequest);
}
