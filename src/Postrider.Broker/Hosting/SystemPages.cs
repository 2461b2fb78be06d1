using System.Text.Json;
using System.Text.Json.Nodes;
using Postrider.Broker.Monitoring;
using Postrider.Broker.Sessions;

namespace Postrider.Broker.Hosting;

/// <summary>Writes the responses of the system account's services: the monitoring pages, and the pages of one account.</summary>
/// <remarks>Thread-safe. Member names are nats-server's.</remarks>
/// <param name="context">The broker's context.</param>
/// <param name="state">The state that the pages show.</param>
internal sealed class SystemPages(SessionContext context, IBrokerState state)
{
    private readonly BrokerMonitor _monitor = new(state);

    /// <summary>The pages of the server.</summary>
    public static IReadOnlyList<string> OfServer { get; } = ["VARZ", "SUBSZ", "CONNZ", "ROUTEZ", "GATEWAYZ", "LEAFZ", "ACCOUNTZ", "JSZ", "HEALTHZ", "IPQUEUESZ", "RAFTZ"];

    /// <summary>The pages of an account.</summary>
    public static IReadOnlyList<string> OfAccount { get; } = ["SUBSZ", "CONNZ", "LEAFZ", "JSZ", "INFO", "STATZ"];

    /// <summary>Reads a page.</summary>
    /// <param name="page">One of <see cref="OfServer"/>, or of <see cref="OfAccount"/> with an account.</param>
    /// <param name="query">The options of the request.</param>
    /// <param name="account">The account; null for the server.</param>
    /// <param name="problem">Why there is no page; null when there is one, or when the request is not to be answered.</param>
    /// <returns>A function that writes the page as one JSON value, or null.</returns>
    /// <exception cref="FormatException">An option has the wrong type.</exception>
    public Action<Utf8JsonWriter>? Read(string page, SystemQuery query, string? account, out string? problem)
    {
        problem = null;
        return page switch
        {
            "VARZ" => ReadVarz(),
            "SUBSZ" => ReadSubsz(query, account, out problem),
            "CONNZ" => ReadConnz(query, account, out problem),
            "ACCOUNTZ" => ReadAccountz(query, out problem),
            "JSZ" => account is null ? ReadJsz(query) : ReadAccountJsz(query, account, out problem),
            "LEAFZ" => ReadLeafz(query, account),
            "ROUTEZ" => ReadRoutez(query),
            "HEALTHZ" => ReadHealthz(query),
            "INFO" => ReadInfo(account!, out problem),
            "STATZ" => ReadStatz(query, account!),
            "RAFTZ" => Write([]),
            _ => Write(_monitor.ReadAbsent("/" + page.ToLowerInvariant())!),
        };
    }

    /// <summary>Writes the members of the statistics that are published periodically.</summary>
    public void WriteStatz(Utf8JsonWriter json)
    {
        var varz = _monitor.ReadVarz();
        ServerJson.Write(json, context);
        json.WriteStartObject("statsz");
        json.WriteString("start", varz.Start);
        json.WriteNumber("mem", varz.MemoryBytes);
        json.WriteNumber("cores", varz.Cores);
        json.WriteNumber("cpu", varz.CpuPercent);
        json.WriteNumber("connections", varz.Connections);
        json.WriteNumber("total_connections", varz.TotalConnections);
        json.WriteNumber("active_accounts", context.Accounts.All.Count(static account => account.Connections > 0));
        json.WriteNumber("subscriptions", varz.Subscriptions);
        WriteTraffic(json, "sent", varz.OutMessages, varz.OutBytes);
        WriteTraffic(json, "sent_to_clients", varz.OutClientMessages, varz.OutClientBytes);
        WriteTraffic(json, "received", varz.InMessages, varz.InBytes);
        WriteTraffic(json, "received_from_clients", varz.InClientMessages, varz.InClientBytes);
        json.WriteNumber("slow_consumers", varz.SlowConsumers);
        if (varz.SlowConsumers > 0) WriteKinds(json, "slow_consumer_stats", varz.SlowConsumersByKind);
        if (varz.StaleConnections > 0)
        {
            json.WriteNumber("stale_connections", varz.StaleConnections);
            WriteKinds(json, "stale_connection_stats", varz.StaleConnectionsByKind);
        }
        if (varz.StalledClients > 0) json.WriteNumber("stalled_clients", varz.StalledClients);
        WriteRoutes(json);
        json.WriteNumber("active_servers", 1);
        WriteJetStream(json);
        json.WriteNumber("gomaxprocs", varz.MaxProcessors);
        json.WriteEndObject();
    }

    /// <summary>The number of an account's subscriptions of clients that match a subject or pattern.</summary>
    /// <param name="account">The account's name.</param>
    /// <param name="subject">A subject, or a pattern that covers those of the subscriptions.</param>
    /// <param name="queueGroup">Only subscriptions of that queue group; null for all.</param>
    public int CountSubscribers(string account, string subject, string? queueGroup)
        => state.Subscriptions(account).Count(one => (queueGroup is null || one.Queue == queueGroup)
            && (SubjectText.IsLiteral(subject) ? SubjectText.Matches(one.Subject, subject) : SubjectText.Matches(subject, one.Subject)));

    private void WriteRoutes(Utf8JsonWriter json)
    {
        var routes = state.Routes(withSubscriptions: false);
        if (routes.Count == 0) return;
        json.WriteStartArray("routes");
        foreach (var route in routes.OrderBy(static route => route.Id))
        {
            json.WriteStartObject();
            json.WriteNumber("rid", route.Id);
            if (route.RemoteName.Length > 0) json.WriteString("name", route.RemoteName);
            WriteTraffic(json, "sent", route.OutMessages, route.OutBytes);
            WriteTraffic(json, "received", route.InMessages, route.InBytes);
            json.WriteNumber("pending", route.PendingBytes);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }

    // Without the folder, which is private to the machine.
    private void WriteJetStream(Utf8JsonWriter json)
    {
        if (state.ReadJetStream() is not { } streams) return;
        var described = JsonSerializer.SerializeToNode(new JetStreamVarz { Settings = streams.Settings, Use = streams.Use, Limits = _monitor.Limits }, MonitoringJson.Default.JetStreamVarz)!;
        described["config"]!.AsObject().Remove("store_dir");
        json.WritePropertyName("jetstream");
        described.WriteTo(json);
    }

    private Action<Utf8JsonWriter> ReadVarz()
    {
        var page = _monitor.ReadVarz();
        return json => JsonSerializer.Serialize(json, page, MonitoringJson.Default.VarzPage);
    }

    private Action<Utf8JsonWriter>? ReadSubsz(SystemQuery query, string? account, out string? problem)
    {
        var asked = new SubszQuery
        {
            Subscriptions = query.Flag("subscriptions") || account is not null,
            Offset = query.Integer("offset"),
            Limit = query.Integer("limit"),
            Account = account ?? query.Text("account"),
            Test = query.Text("test"),
        };
        return _monitor.ReadSubsz(asked, out problem) is { } page ? json => JsonSerializer.Serialize(json, page, MonitoringJson.Default.SubszPage) : null;
    }

    private Action<Utf8JsonWriter>? ReadConnz(SystemQuery query, string? account, out string? problem)
    {
        var filter = query.Integer("state");
        if (filter is < 0 or > 2) throw new FormatException("state must be 0 for open, 1 for closed or 2 for all connections.");
        var asked = new ConnzQuery
        {
            Sort = query.Text("sort"),
            Auth = query.Flag("auth"),
            Subscriptions = query.Flag("subscriptions"),
            SubscriptionDetails = query.Flag("subscriptions_detail"),
            Offset = query.Integer("offset"),
            Limit = query.Integer("limit"),
            ConnectionId = query.Unsigned("cid"),
            State = (ConnectionFilter)filter,
            User = query.Text("user"),
            Account = account ?? query.Text("acc"),
            FilterSubject = query.Text("filter_subject"),
        };
        return _monitor.ReadConnz(asked, out problem) is { } page ? json => JsonSerializer.Serialize(json, page, MonitoringJson.Default.ConnzPage) : null;
    }

    private Action<Utf8JsonWriter> ReadLeafz(SystemQuery query, string? account)
    {
        var page = _monitor.ReadLeafz(account ?? query.Text("account"), query.Flag("subscriptions"));
        return json => JsonSerializer.Serialize(json, page, MonitoringJson.Default.LeafzPage);
    }

    private Action<Utf8JsonWriter>? ReadAccountz(SystemQuery query, out string? problem)
    {
        var account = query.Text("account");
        var page = _monitor.ReadAccountz(account);
        problem = page is null ? $"Account {account} does not exist" : null;
        return page is null ? null : Write(page);
    }

    private Action<Utf8JsonWriter> ReadJsz(SystemQuery query)
    {
        var page = _monitor.ReadJsz(Jsz(query, query.Text("account")));
        return page is null ? Write(_monitor.ReadAbsent("/jsz")!) : json => JsonSerializer.Serialize(json, page, MonitoringJson.Default.JszPage);
    }

    private Action<Utf8JsonWriter> ReadRoutez(SystemQuery query)
    {
        var page = _monitor.ReadRoutez(query.Flag("subscriptions"), query.Flag("subscriptions_detail"));
        return json => JsonSerializer.Serialize(json, page, MonitoringJson.Default.RoutezPage);
    }

    private Action<Utf8JsonWriter>? ReadAccountJsz(SystemQuery query, string account, out string? problem)
    {
        var asked = Jsz(query, account);
        problem = state.ReadJetStream() is null ? "jetstream not enabled" : context.Accounts.Find(account) is null ? $"account {GoQuote.Quote(account)} not found" : null;
        if (problem is not null) return null;
        if (state.ReadJetStreamDetails(asked with { Accounts = false })?.FirstOrDefault() is JsonObject found && found["id"]?.GetValue<string>() == account) return Write(found);
        problem = $"account {GoQuote.Quote(account)} not jetstream enabled";
        return null;
    }

    private static JszQuery Jsz(SystemQuery query, string account) => new()
    {
        Account = account,
        Accounts = query.Flag("accounts"),
        Streams = query.Flag("streams"),
        Consumers = query.Flag("consumer"),
        DirectConsumers = query.Flag("direct_consumer"),
        Configurations = query.Flag("config"),
        Leaders = query.Flag("raft"),
        Offset = query.Integer("offset"),
        Limit = query.Integer("limit"),
    };

    private Action<Utf8JsonWriter> ReadHealthz(SystemQuery query)
    {
        var page = _monitor.ReadHealthz(new HealthzQuery { Account = query.Text("account"), Stream = query.Text("stream"), Consumer = query.Text("consumer"), Details = query.Flag("details") });
        return json =>
        {
            json.WriteStartObject();
            json.WriteString("status", page.Status);
            json.WriteNumber("status_code", page.StatusCode);
            if (page.Error is { } problem) json.WriteString("error", problem);
            if (page.Errors is { } problems)
            {
                json.WritePropertyName("errors");
                json.WriteRawValue(JsonSerializer.SerializeToUtf8Bytes(problems, CompactMonitoringJson.Default.IReadOnlyListHealthzError));
            }
            json.WriteEndObject();
        };
    }

    private Action<Utf8JsonWriter>? ReadInfo(string account, out string? problem)
    {
        var detail = _monitor.ReadAccountz(account)?["account_detail"];
        problem = detail is null ? $"Account {account} does not exist" : null;
        return detail is null ? null : Write(detail);
    }

    // An account without connections sends no response: another server may have some.
    private Action<Utf8JsonWriter>? ReadStatz(SystemQuery query, string account)
    {
        var isAll = account == "PING";
        var unused = query.Flag("include_unused");
        var page = new AccountPages(state).ReadAccstatz(unused, isAll ? query.Texts("accounts") : [account]);
        return page["account_statz"]!.AsArray().Count == 0 && !unused ? null : Write(page);
    }

    private static Action<Utf8JsonWriter> Write(JsonNode page) => json => page.WriteTo(json);

    private static Action<Utf8JsonWriter> Write(JsonObject page) => json => page.WriteTo(json);

    private static void WriteTraffic(Utf8JsonWriter json, string name, long messages, long bytes)
    {
        json.WriteStartObject(name);
        json.WriteNumber("msgs", messages);
        json.WriteNumber("bytes", bytes);
        json.WriteEndObject();
    }

    private static void WriteKinds(Utf8JsonWriter json, string name, CountByKind count)
    {
        json.WriteStartObject(name);
        json.WriteNumber("clients", count.Clients);
        json.WriteNumber("routes", count.Routes);
        json.WriteNumber("gateways", count.Gateways);
        json.WriteNumber("leafs", count.LeafNodes);
        json.WriteEndObject();
    }
}
