using System.Text.Json;
using Postrider.Broker;
using Postrider.Broker.Monitoring;

namespace Postrider.UnitTests.Broker.Monitoring;

public sealed class BrokerMonitorTests
{
    private static readonly SubscriptionState Orders = new() { Subject = "orders.*", Sid = "1", ConnectionId = 1, Messages = 5 };
    private static readonly SubscriptionState All = new() { Subject = ">", Queue = "q", Sid = "2", ConnectionId = 2, Max = 7, Account = "A" };

    // The names nats-server 2.15.1 shows for a server without cluster, JetStream and TLS, and the product's own version.
    private static readonly string[] VarzNames =
    [
        "server_id", "server_name", "version", "postrider_version", "proto", "go", "host", "port", "max_connections", "ping_interval", "ping_max",
        "http_host", "http_port", "http_base_path", "https_port", "auth_timeout", "max_control_line", "max_payload", "max_pending",
        "cluster", "gateway", "leaf", "mqtt", "websocket", "jetstream", "tls_timeout", "write_deadline", "start", "now", "uptime",
        "mem", "cores", "gomaxprocs", "cpu", "connections", "total_connections", "routes", "remotes", "leafnodes", "in_msgs",
        "in_bytes", "in_client_msgs", "in_client_bytes", "out_msgs", "out_bytes", "out_client_msgs", "out_client_bytes",
        "slow_consumers", "stale_connections", "stalled_clients", "subscriptions", "http_req_stats", "config_load_time",
        "config_digest", "tags", "feature_flags", "slow_consumer_stats", "stale_connection_stats", "disk_io_wait_stats",
    ];

    [Fact]
    public void Varz_has_the_names_and_order_of_nats_server()
    {
        var page = new BrokerMonitor(new FixedBrokerState { Options = new() { ServerTags = ["a"] } }).ReadVarz();

        var names = JsonSerializer.SerializeToElement(page, MonitoringJson.Default.VarzPage).EnumerateObject().Select(field => field.Name);

        Assert.Equal(VarzNames, names);
    }

    [Fact]
    public void Varz_has_the_version_of_the_product_beside_that_of_nats_server()
    {
        var page = new BrokerMonitor(new FixedBrokerState()).ReadVarz();

        Assert.Equal("2.15.1", page.Version);
        Assert.Matches(@"^\d+\.\d+\.\d+[^+]*$", page.ProductVersion);
        Assert.NotEqual(page.Version, page.ProductVersion);
    }

    [Fact]
    public void Varz_shows_options_in_the_units_of_nats_server()
    {
        var state = new FixedBrokerState
        {
            Options = new() { Host = "0.0.0.0", AuthTimeout = TimeSpan.FromSeconds(1.5), Authorization = new() { Token = "t" }, Monitoring = new() { Port = -1, BasePath = "/x" } },
            Counters = new() { Connections = 2, TotalConnections = 9, InMessages = 3, OutBytes = 4, SlowConsumers = 1 },
        };

        var json = JsonSerializer.SerializeToElement(new BrokerMonitor(state).ReadVarz(), MonitoringJson.Default.VarzPage);

        Assert.Equal(120_000_000_000, json.GetProperty("ping_interval").GetInt64());
        Assert.Equal(10_000_000_000, json.GetProperty("write_deadline").GetInt64());
        Assert.Equal(1.5, json.GetProperty("auth_timeout").GetDouble());
        Assert.True(json.GetProperty("auth_required").GetBoolean());
        Assert.Equal("0.0.0.0", json.GetProperty("http_host").GetString());
        Assert.Equal(-1, json.GetProperty("http_port").GetInt32());
        Assert.Equal("2026-01-02T03:04:05Z", json.GetProperty("start").GetString());
        Assert.Equal(3, json.GetProperty("in_client_msgs").GetInt64());
        Assert.Equal(1, json.GetProperty("slow_consumer_stats").GetProperty("clients").GetInt64());
        Assert.Equal("{}", json.GetProperty("cluster").GetRawText());
    }

    [Fact]
    public void Requests_are_counted_by_page()
    {
        var monitor = new BrokerMonitor(new FixedBrokerState());

        monitor.CountRequest("/varz");
        monitor.CountRequest("/connz");
        monitor.CountRequest("/varz");

        Assert.Equal([new("/connz", 1ul), new("/varz", 2ul)], monitor.ReadVarz().HttpRequests);
    }

    [Theory]
    [InlineData("", "1 2 3")]
    [InlineData("cid", "1 2 3")]
    [InlineData("start", "1 2 3")]
    [InlineData("subs", "2 1 3")]
    [InlineData("pending", "3 1 2")]
    [InlineData("msgs_to", "1 3 2")]
    [InlineData("msgs_from", "2 1 3")]
    [InlineData("bytes_to", "1 3 2")]
    [InlineData("bytes_from", "2 1 3")]
    [InlineData("last", "3 2 1")]
    [InlineData("idle", "1 2 3")]
    [InlineData("uptime", "3 2 1")]
    [InlineData("rtt", "3 1 2")]
    public void Connections_are_sorted(string sort, string ids)
    {
        var state = new FixedBrokerState
        {
            Open =
            [
                FixedBrokerState.Connection(3) with { PendingBytes = 9, OutMessages = 5, OutBytes = 5, RoundTrip = TimeSpan.FromMilliseconds(5) },
                FixedBrokerState.Connection(1, Orders) with { PendingBytes = 5, OutMessages = 9, OutBytes = 9, InMessages = 1, InBytes = 1, RoundTrip = TimeSpan.FromMilliseconds(1) },
                FixedBrokerState.Connection(2, Orders, All) with { InMessages = 9, InBytes = 9 },
            ],
        };

        var page = new BrokerMonitor(state).ReadConnz(new() { Sort = sort }, out var problem);

        Assert.Null(problem);
        Assert.Equal(ids, string.Join(' ', page!.Connections.Select(connection => connection.Id)));
    }

    [Theory]
    [InlineData("name", false, "3 2 1")]
    [InlineData("name", true, "1 2 3")]
    [InlineData("ip", false, "2 1 3")]
    [InlineData("account", false, "1 3 2")]
    [InlineData("user", false, "3 1 2")]
    [InlineData("lang", false, "2 3 1")]
    [InlineData("cid", true, "3 2 1")]
    [InlineData("msgs_from", true, "3 2 1")]
    public void Connections_are_sorted_by_their_texts_and_backwards(string sort, bool isReversed, string ids)
    {
        var page = new BrokerMonitor(Three()).ReadConnz(new() { Sort = sort, Reverse = isReversed }, out var problem);

        Assert.Null(problem);
        Assert.Equal(ids, string.Join(' ', page!.Connections.Select(connection => connection.Id)));
    }

    [Theory]
    [InlineData("DESK", "2")]
    [InlineData("10.0.0.9:7", "1")]
    [InlineData("orders", "2")]
    [InlineData("ann", "1")]
    [InlineData("python", "1")]
    [InlineData("a", "1 3")]
    [InlineData("nothing has this", "")]
    public void Connections_are_found_by_a_part_of_what_they_are_called(string text, string ids)
    {
        var page = new BrokerMonitor(Three()).ReadConnz(new() { Search = text }, out _)!;

        Assert.Equal(ids, string.Join(' ', page.Connections.Select(connection => connection.Id)));
        Assert.Equal(page.Connections.Count, page.Total);
    }

    [Theory]
    [InlineData("foo", ConnectionFilter.Open, "invalid sorting option: foo")]
    [InlineData("stop", ConnectionFilter.Open, "sort by stop only valid on closed connections")]
    [InlineData("reason", ConnectionFilter.All, "sort by reason only valid on closed connections")]
    public void Impossible_order_is_refused(string sort, ConnectionFilter filter, string reason)
    {
        var page = new BrokerMonitor(new FixedBrokerState()).ReadConnz(new() { Sort = sort, State = filter }, out var problem);

        Assert.Null(page);
        Assert.Equal(reason, problem);
    }

    private static FixedBrokerState Three() => new()
    {
        Open =
        [
            FixedBrokerState.Connection(3) with { Name = "archive", RemoteAddress = "10.0.0.9", RemotePort = 8, Account = "A", Language = "java" },
            FixedBrokerState.Connection(1) with { Name = "worker", RemoteAddress = "10.0.0.9", RemotePort = 7, Account = "A", User = "ann", Language = "python", InMessages = 9 },
            FixedBrokerState.Connection(2) with { Name = "Desk", RemoteAddress = "10.0.0.1", RemotePort = 9, Account = "orders", User = "bob", Language = "go" },
        ],
    };

    [Fact]
    public void Connections_are_cut_to_the_range()
    {
        var state = new FixedBrokerState { Open = [.. Enumerable.Range(1, 9).Select(id => FixedBrokerState.Connection((ulong)id))] };

        var page = new BrokerMonitor(state).ReadConnz(new() { Offset = 7, Limit = 5 }, out _)!;

        Assert.Equal([8ul, 9ul], page.Connections.Select(connection => connection.Id));
        Assert.Equal((2, 9, 7, 5), (page.Count, page.Total, page.Offset, page.Limit));
    }

    [Theory]
    [InlineData(ConnectionFilter.Open, "1")]
    [InlineData(ConnectionFilter.Closed, "2")]
    [InlineData(ConnectionFilter.All, "1 2")]
    public void Connections_are_chosen_by_state(ConnectionFilter filter, string ids)
    {
        var state = new FixedBrokerState
        {
            Open = [FixedBrokerState.Connection(1)],
            Closed = [FixedBrokerState.Connection(2) with { StoppedAt = FixedBrokerState.Start.AddHours(1), CloseReason = "Client Closed" }],
        };

        var page = new BrokerMonitor(state).ReadConnz(new() { State = filter }, out _)!;

        Assert.Equal(ids, string.Join(' ', page.Connections.Select(connection => connection.Id)));
    }

    [Fact]
    public void Closed_connection_shows_its_age_at_its_end()
    {
        var state = new FixedBrokerState { Closed = [FixedBrokerState.Connection(2) with { StoppedAt = FixedBrokerState.Start.AddSeconds(92), CloseReason = "Stale Connection" }] };

        var connection = new BrokerMonitor(state).ReadConnz(new() { State = ConnectionFilter.Closed }, out _)!.Connections[0];

        Assert.Equal(("1m30s", "1m20s", "Stale Connection"), (connection.Uptime, connection.Idle, connection.Reason));
    }

    [Fact]
    public void Connection_is_found_by_number_user_and_account()
    {
        var monitor = new BrokerMonitor(new FixedBrokerState
        {
            Open = [FixedBrokerState.Connection(1) with { User = "u" }, FixedBrokerState.Connection(2) with { Account = "A" }, FixedBrokerState.Connection(3)],
        });

        ulong[] Ids(ConnzQuery query) => [.. monitor.ReadConnz(query, out _)!.Connections.Select(connection => connection.Id)];

        Assert.Equal([3ul], Ids(new() { ConnectionId = 3 }));
        Assert.Equal([1ul], Ids(new() { User = "u" }));
        Assert.Equal([2ul], Ids(new() { Account = "A" }));
        Assert.Empty(Ids(new() { ConnectionId = 9 }));
    }

    [Fact]
    public void Users_and_subscriptions_are_shown_only_when_asked_for()
    {
        var monitor = new BrokerMonitor(new FixedBrokerState { Open = [FixedBrokerState.Connection(2, All) with { User = "u", Account = "A" }] });

        ConnzConnection Read(ConnzQuery query) => monitor.ReadConnz(query, out _)!.Connections[0];

        var plain = Read(new());
        Assert.Equal((null, null, null, null), (plain.AuthorizedUser, plain.Account, plain.Subjects, plain.SubscriptionDetails));
        var auth = Read(new() { Auth = true });
        Assert.Equal(("u", "A", "A"), (auth.AuthorizedUser, auth.Account, auth.NameTag));
        Assert.Equal([">"], Read(new() { Subscriptions = true }).Subjects);
        var detail = Assert.Single(Read(new() { SubscriptionDetails = true }).SubscriptionDetails!);
        Assert.Equal((">", "q", "2", 7L, null), (detail.Subject, detail.Queue, detail.Sid, detail.Max, detail.Account));
    }

    [Theory]
    [InlineData("", "", 2)]
    [InlineData("A", "", 1)]
    [InlineData("", "orders.1", 2)]
    [InlineData("", "orders.1.x", 1)]
    [InlineData("", "x", 1)]
    public void Subscriptions_are_listed_by_account_and_test_subject(string account, string test, int count)
    {
        var monitor = new BrokerMonitor(new FixedBrokerState { Open = [FixedBrokerState.Connection(1, Orders), FixedBrokerState.Connection(2, All)] });

        var page = monitor.ReadSubsz(new() { Subscriptions = true, Account = account, Test = test }, out var problem)!;

        Assert.Null(problem);
        Assert.Equal(count, page.Total);
        Assert.Equal(count, page.List!.Count);
    }

    [Fact]
    public void Subscriptions_are_not_listed_unless_asked_for()
    {
        var page = new BrokerMonitor(new FixedBrokerState { Open = [FixedBrokerState.Connection(1, Orders)] }).ReadSubsz(new(), out _)!;

        Assert.Null(page.List);
        Assert.Equal((1, 0, 1024), (page.Subscriptions, page.Total, page.Limit));
    }

    [Fact]
    public void Test_subject_with_a_wildcard_is_refused()
    {
        var page = new BrokerMonitor(new FixedBrokerState()).ReadSubsz(new() { Test = "a.*" }, out var problem);

        Assert.Null(page);
        Assert.Equal("invalid test subject, must be valid publish subject: a.*", problem);
    }

    [Theory]
    [InlineData(null, null, true, "{\"status\":\"ok\"}")]
    [InlineData("server is shutting down", null, false, "{\"status\":\"unavailable\",\"error\":\"server is shutting down\"}")]
    [InlineData("server is shutting down", "messages are lost", false, "{\"status\":\"unavailable\",\"error\":\"server is shutting down\"}")]
    [InlineData(null, "messages are lost", true, "{\"status\":\"degraded\",\"error\":\"messages are lost\"}")]
    public void Health_is_one_line(string? problem, string? warning, bool isHealthy, string json)
    {
        var page = new BrokerMonitor(new FixedBrokerState { HealthProblem = problem, HealthWarning = warning }).ReadHealthz();

        Assert.Equal(isHealthy, page.IsHealthy);
        Assert.Equal(json, JsonSerializer.Serialize(page, CompactMonitoringJson.Default.HealthzPage));
    }

    [Theory]
    [InlineData("A", "", "", 200, "{\"status\":\"ok\"}")]
    [InlineData("A", "S", "C", 200, "{\"status\":\"ok\"}")]
    [InlineData("B", "", "", 404, "{\"status\":\"unavailable\",\"error\":\"JetStream account \\u0022B\\u0022 not found\"}")]
    [InlineData("A", "T", "", 404, "{\"status\":\"unavailable\",\"error\":\"JetStream stream \\u0022T\\u0022 not found on account \\u0022A\\u0022\"}")]
    [InlineData("A", "S", "D", 404, "{\"status\":\"unavailable\",\"error\":\"JetStream consumer \\u0022D\\u0022 not found for stream \\u0022S\\u0022 on account \\u0022A\\u0022\"}")]
    [InlineData("", "S", "", 400, "{\"status\":\"error\",\"error\":\"\\u0022account\\u0022 must not be empty when checking stream health\"}")]
    [InlineData("A", "", "C", 400, "{\"status\":\"error\",\"error\":\"\\u0022stream\\u0022 must not be empty when checking consumer health\"}")]
    public void Health_of_an_account_a_stream_or_a_consumer(string account, string stream, string consumer, int status, string json)
    {
        var query = new HealthzQuery { Account = account, Stream = stream, Consumer = consumer };

        var page = new BrokerMonitor(WithStream()).ReadHealthz(query);

        Assert.Equal((status, json), (page.StatusCode, JsonSerializer.Serialize(page, CompactMonitoringJson.Default.HealthzPage)));
        Assert.Equal(200, new BrokerMonitor(WithStream()).ReadHealthz(query with { ServerOnly = true }).StatusCode);
    }

    [Fact]
    public void Health_lists_problems_in_detail()
    {
        var page = new BrokerMonitor(WithStream()).ReadHealthz(new() { Account = "A", Stream = "T", Details = true });

        Assert.Equal(
            "{\"status\":\"error\",\"errors\":[{\"type\":\"STREAM\",\"account\":\"A\",\"stream\":\"T\",\"error\":\"JetStream stream \\u0022T\\u0022 not found on account \\u0022A\\u0022\"}]}",
            JsonSerializer.Serialize(page, CompactMonitoringJson.Default.HealthzPage));
    }

    [Fact]
    public void Without_JetStream_the_health_of_a_stream_is_not_checked()
        => Assert.Equal(200, new BrokerMonitor(new FixedBrokerState()).ReadHealthz(new() { Account = "A", Stream = "S" }).StatusCode);

    private static FixedBrokerState WithStream() => new()
    {
        JetStreamAccount = """{"id":"A","stream_detail":[{"name":"S","consumer_detail":[{"name":"C"}]}]}""",
    };

    [Theory]
    [InlineData(0, "0s")]
    [InlineData(59, "59s")]
    [InlineData(61, "1m1s")]
    [InlineData(3661, "1h1m1s")]
    [InlineData(90061, "1d1h1m1s")]
    [InlineData(31626061, "1y1d1h1m1s")]
    public void Age_is_written_in_days_and_years(int seconds, string text)
        => Assert.Equal(text, UptimeText.Format(TimeSpan.FromSeconds(seconds)));
}
