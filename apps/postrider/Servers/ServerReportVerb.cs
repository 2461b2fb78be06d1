using System.CommandLine;
using System.Text.Json;
using Postrider.Client;

namespace Postrider.CommandLine.Servers;

/// <summary><c>postrider server report</c>.</summary>
internal static class ServerReportVerb
{
    private static readonly Dictionary<string, Func<JsonElement, long>> s_orders = new(StringComparer.Ordinal)
    {
        ["in-msgs"] = static connection => connection.Number("in_msgs"),
        ["out-msgs"] = static connection => connection.Number("out_msgs"),
        ["in-bytes"] = static connection => connection.Number("in_bytes"),
        ["out-bytes"] = static connection => connection.Number("out_bytes"),
        ["pending"] = static connection => connection.Number("pending_bytes"),
        ["subs"] = static connection => connection.Number("subscriptions"),
        ["cid"] = static connection => -connection.Number("cid"),
    };

    internal static Command Create() => new("report", "Report on the servers.") { Connections(), JetStream(), Accounts() };

    /// <summary>The option for the order of connections.</summary>
    internal static Option<string> Sort()
    {
        var sort = new Option<string>("--sort") { Description = $"Order: {string.Join(", ", s_orders.Keys)}", DefaultValueFactory = static _ => "out-msgs" };
        sort.OneOf([.. s_orders.Keys]);
        return sort;
    }

    /// <summary>Connections in an order, the most first.</summary>
    internal static IEnumerable<JsonElement> InOrder(IEnumerable<JsonElement> connections, string sort)
        => connections.OrderByDescending(s_orders[sort]).ThenBy(static connection => connection.Number("cid"));

    private static Command Connections()
    {
        var (sort, top) = (Sort(), Top());
        var account = new Option<string?>("--account") { Description = "Only connections of this account" };
        return SystemVerb.Create("connections", """
            Show the connections of every server.
              postrider server report connections --sort in-msgs --top 10
            """, RunAsync, sort, top, account);

        async Task RunAsync(SystemVerb.Call call, CancellationToken ct)
        {
            var body = JsonText.Object([("auth", true), ("limit", 65_536), .. call.Get(account) is { } one ? [("acc", (object?)one)] : Array.Empty<(string, object?)>()]);
            var answers = await call.Requests.ServersAsync("CONNZ", body, ct);
            // A connection's own members do not say which server it belongs to.
            var connections = answers.SelectMany(static answer => answer.Items("data", "connections").Select(connection => Add(connection, "server", answer.At("server").Text("name"))));
            var table = new TextTable(" CID", "Name", "Server", "Account", "User", "Address", " In Msgs", " Out Msgs", " In Bytes", " Out Bytes", " Subs", " Pending", "Uptime");
            await call.WriteAllAsync(InOrder(connections, call.Get(sort)!).Take(call.Get(top)), table, (rows, connection) => rows.Add(
                connection.Number("cid").ToString(System.Globalization.CultureInfo.InvariantCulture),
                connection.Text("name") ?? "",
                connection.Text("server") ?? "",
                connection.Text("account") ?? "",
                connection.Text("authorized_user") ?? "",
                $"{connection.Text("ip")}:{connection.Number("port")}",
                Quantity.Text(connection.Number("in_msgs")),
                Quantity.Text(connection.Number("out_msgs")),
                ByteSize.Text(connection.Number("in_bytes")),
                ByteSize.Text(connection.Number("out_bytes")),
                Quantity.Text(connection.Number("subscriptions")),
                ByteSize.Text(connection.Number("pending_bytes")),
                connection.Text("uptime") ?? ""));
            if (table.IsEmpty && !call.Json && call.Get(account) is { } empty) await Console.Error.WriteLineAsync($"No connections of account '{empty}'.");
        }
    }

    private static Command JetStream()
    {
        var account = new Option<string?>("--account") { Description = "Only this account" };
        return SystemVerb.Create("jetstream", """
            Show JetStream's contents on every server; with --account, that account's streams and bytes.
              postrider server report jetstream
            """, RunAsync, account);

        async Task RunAsync(SystemVerb.Call call, CancellationToken ct)
        {
            var answers = await call.Requests.ServersAsync("JSZ", call.Get(account) is { } one ? JsonText.Object(("acc", one), ("streams", true)) : "", ct);
            var table = new TextTable("Server", "Cluster", " Streams", " Consumers", " Messages", " Bytes", " Memory", " File", " API Requests", " API Errors").MarkNumbers("API Errors", CellState.Warning);
            await call.WriteAllAsync(answers, table, static (rows, answer) =>
            {
                var data = answer.At("data");
                rows.Add(
                    answer.At("server").Text("name") ?? "",
                    answer.At("server").Text("cluster") ?? "",
                    Quantity.Text(data.Number("streams")),
                    Quantity.Text(data.Number("consumers")),
                    Quantity.Text(data.Number("messages")),
                    ByteSize.Text(data.Number("bytes")),
                    ByteSize.Text(data.Number("memory")),
                    ByteSize.Text(data.Number("storage")),
                    Quantity.Text(data.Number("api", "total")),
                    Quantity.Text(data.Number("api", "errors")));
            });
        }
    }

    private static Command Accounts()
    {
        var top = Top();
        return SystemVerb.Create("accounts", """
            Show the accounts that have connections, over all servers.
              postrider server report accounts
            """, RunAsync, top);

        async Task RunAsync(SystemVerb.Call call, CancellationToken ct)
        {
            var accounts = (await call.Requests.AccountsAsync("STATZ", "", ct)).SelectMany(static answer => answer.Items("data", "account_statz"))
                .GroupBy(static account => account.Text("acc") ?? "", StringComparer.Ordinal)
                .Select(static group => Parse(
                    ("account", group.Key),
                    ("connections", Sum(group, "conns")),
                    ("leafnodes", Sum(group, "leafnodes")),
                    ("subscriptions", Sum(group, "num_subscriptions")),
                    ("in_msgs", Sum(group, "received", "msgs")),
                    ("in_bytes", Sum(group, "received", "bytes")),
                    ("out_msgs", Sum(group, "sent", "msgs")),
                    ("out_bytes", Sum(group, "sent", "bytes")),
                    ("slow_consumers", Sum(group, "slow_consumers"))));
            var table = new TextTable("Account", " Connections", " Leafs", " Subs", " In Msgs", " Out Msgs", " In Bytes", " Out Bytes", " Slow").MarkNumbers("Slow", CellState.Warning);
            await call.WriteAllAsync(accounts.OrderByDescending(static account => account.Number("out_msgs")).Take(call.Get(top)), table, static (rows, account) => rows.Add(
                account.Text("account") ?? "",
                Quantity.Text(account.Number("connections")),
                Quantity.Text(account.Number("leafnodes")),
                Quantity.Text(account.Number("subscriptions")),
                Quantity.Text(account.Number("in_msgs")),
                Quantity.Text(account.Number("out_msgs")),
                ByteSize.Text(account.Number("in_bytes")),
                ByteSize.Text(account.Number("out_bytes")),
                Quantity.Text(account.Number("slow_consumers"))));
        }
    }

    private static JsonElement Add(JsonElement value, string name, string? text)
        => Parse([(name, text), .. value.EnumerateObject().Select(static member => (member.Name, (object?)member.Value))]);

    private static JsonElement Parse(params IEnumerable<(string, object?)> members) => JsonDocument.Parse(JsonText.Object(members)).RootElement;

    private static long Sum(IEnumerable<JsonElement> values, params string[] path) => values.Sum(value => value.Number(path));

    private static Option<int> Top() => new Option<int>("--top") { Description = "Number of rows", DefaultValueFactory = static _ => 1000 }.AtLeast(1);
}
