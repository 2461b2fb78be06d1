using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using Postrider.Client;

namespace Postrider.CommandLine.Servers;

/// <summary><c>postrider top</c>: a server and its busiest connections, with rates.</summary>
internal static class TopVerb
{
    internal static Command Create()
    {
        var sort = ServerReportVerb.Sort();
        var name = new Option<string?>("--name") { Description = "The server; without it, the first by name" };
        var rows = new Option<int>("--top") { Description = "Number of connections", DefaultValueFactory = static _ => 20 }.AtLeast(1);
        var interval = JetStreamVerb.Wait("--interval", "Time between two updates (1s)");
        var count = new Option<int>("--count", "-c") { Description = "Stop after this many updates" }.AtLeast(1);
        return SystemVerb.CreateEndless("top", """
            Show a server's load and its busiest connections until Ctrl+C; the user must belong to the system account.
              postrider top --sort in-msgs --context system
            """, RunAsync, sort, name, rows, interval, count);

        async Task RunAsync(SystemVerb.Call call, CancellationToken ct)
        {
            JsonElement before = default;
            var seen = new Dictionary<long, JsonElement>();
            await Repeat.UntilCancelledAsync(call.Get(interval) ?? TimeSpan.FromSeconds(1), call.Get(count), LookAsync, ct);

            async Task LookAsync(CancellationToken ct)
            {
                var server = SystemVerb.Choose(await call.Requests.ServersAsync("VARZ", "", ct), call.Get(name));
                var chosen = server.At("server").Text("name");
                var connections = SystemVerb.Choose(await call.Requests.ServersAsync("CONNZ", """{"auth":true,"limit":65536}""", ct), chosen).Items("data", "connections").ToList();
                var seconds = before.ValueKind == JsonValueKind.Object && server.Time("data", "now") - before.Time("data", "now") is { } passed ? passed.TotalSeconds : 0;
                if (!call.Json)
                {
                    Repeat.ClearScreen();
                    await Console.Out.WriteLineAsync(Header(server, before, seconds));
                }
                var table = new TextTable(" CID", "Name", "User", "Address", " Subs", " Pending", " In Msgs/s", " Out Msgs/s", " In Bytes/s", " Out Bytes/s", " In Msgs", " Out Msgs");
                await call.WriteAllAsync(ServerReportVerb.InOrder(connections, call.Get(sort)!).Take(call.Get(rows)), table, (lines, connection) =>
                {
                    var last = seen.GetValueOrDefault(connection.Number("cid"));
                    lines.Add(
                        connection.Number("cid").ToString(CultureInfo.InvariantCulture),
                        connection.Text("name") ?? "",
                        connection.Text("authorized_user") ?? "",
                        $"{connection.Text("ip")}:{connection.Number("port")}",
                        Quantity.Text(connection.Number("subscriptions")),
                        ByteSize.Text(connection.Number("pending_bytes")),
                        Quantity.Text(Rate(connection, last, seconds, "in_msgs")),
                        Quantity.Text(Rate(connection, last, seconds, "out_msgs")),
                        ByteSize.Text(Rate(connection, last, seconds, "in_bytes")),
                        ByteSize.Text(Rate(connection, last, seconds, "out_bytes")),
                        Quantity.Text(connection.Number("in_msgs")),
                        Quantity.Text(connection.Number("out_msgs")));
                });
                before = server;
                seen = connections.ToDictionary(static connection => connection.Number("cid"));
            }
        }
    }

    private static string Header(JsonElement server, JsonElement before, double seconds)
    {
        var (now, last) = (server.At("data"), before.At("data"));
        return $"""
            {now.Text("server_name")} {now.Text("version")}, up {now.Text("uptime")}
            CPU {now.Fraction("cpu").ToString("0.#", CultureInfo.InvariantCulture)} %, memory {ByteSize.Text(now.Number("mem"))}, slow consumers {Quantity.Text(now.Number("slow_consumers"))}
            Connections {Quantity.Text(now.Number("connections"))}, subscriptions {Quantity.Text(now.Number("subscriptions"))}
            In  {Quantity.Text(Rate(now, last, seconds, "in_msgs"))} messages/s, {ByteSize.Text(Rate(now, last, seconds, "in_bytes"))}/s; {Quantity.Text(now.Number("in_msgs"))} in all
            Out {Quantity.Text(Rate(now, last, seconds, "out_msgs"))} messages/s, {ByteSize.Text(Rate(now, last, seconds, "out_bytes"))}/s; {Quantity.Text(now.Number("out_msgs"))} in all

            """;
    }

    private static long Rate(JsonElement now, JsonElement before, double seconds, string member)
        => seconds > 0 && before.ValueKind == JsonValueKind.Object ? (long)Math.Max(0, (now.Number(member) - before.Number(member)) / seconds) : 0;
}
