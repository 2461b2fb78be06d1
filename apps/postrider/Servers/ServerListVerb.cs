using System.CommandLine;
using System.Diagnostics;
using Postrider.Client;

namespace Postrider.CommandLine.Servers;

/// <summary><c>postrider server ls</c>, <c>ping</c> and <c>watch</c>.</summary>
internal static class ServerListVerb
{
    internal static Command List() => SystemVerb.Create("ls", """
        List the servers of the cluster.
          postrider server ls --context system
        """, static async (call, ct) => await call.WriteAllAsync(await call.Requests.ServersAsync("STATSZ", "", ct), ServerTable.Create(), ServerTable.AddTo));

    internal static Command Watch()
    {
        var interval = JetStreamVerb.Wait("--interval", "Time between two updates (2s)");
        var count = new Option<int>("--count", "-c") { Description = "Stop after this many updates" }.AtLeast(1);
        return SystemVerb.CreateEndless("watch", """
            Show the servers and update the list until Ctrl+C.
              postrider server watch --interval 5s
            """, RunAsync, interval, count);

        async Task RunAsync(SystemVerb.Call call, CancellationToken ct)
        {
            await Repeat.UntilCancelledAsync(call.Get(interval) ?? TimeSpan.FromSeconds(2), call.Get(count), async ct =>
            {
                var servers = await call.Requests.ServersAsync("STATSZ", "", ct);
                if (!call.Json) Repeat.ClearScreen();
                await call.WriteAllAsync(servers, ServerTable.Create(), ServerTable.AddTo);
            }, ct);
        }
    }

    internal static Command Ping()
    {
        var server = new ServerOptions();
        var expect = SystemRequests.Expect();
        var verb = ClientVerb.Create("ping", """
            Measure how long each server takes to reply to a request of the system account.
              postrider server ping --context system
            """, server, RunAsync);
        verb.Options.Add(expect);
        return verb;

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            await using var client = await server.ConnectAsync(result, "server ping", ct);
            // Without this, the first request would include the opening of the inbox.
            await client.PingAsync(ct).WaitAsync(server.Timeout(result), ct);
            var began = Stopwatch.GetTimestamp();
            var times = new List<TimeSpan>();
            var many = new RequestManyOptions { MaxReplies = result.GetValue(expect), Timeout = server.Timeout(result), Idle = SystemRequests.IdleOf(result.GetValue(expect)) };
            try
            {
                await foreach (var answer in client.RequestManyAsync<string, byte[]>("$SYS.REQ.SERVER.PING.IDZ", "", many, ct: ct))
                {
                    times.Add(Stopwatch.GetElapsedTime(began));
                    var name = System.Text.Json.JsonDocument.Parse(answer.Data).RootElement.Text("name") ?? "";
                    await Console.Out.WriteLineAsync(server.Json(result) ? JsonText.Object(("name", name), ("rtt_ms", times[^1].TotalMilliseconds)) : $"{name}: {Duration.Show(times[^1])}");
                }
            }
            catch (NatsNoRespondersException error)
            {
                throw new NatsClientException(error.Code, "No server answers. The user must belong to the system account.", error);
            }
            if (times.Count == 0) throw new TimeoutException();
            if (!server.Json(result)) await Console.Out.WriteLineAsync($"{Quantity.Of(times.Count, "server")}, min {Duration.Show(times.Min())}, max {Duration.Show(times.Max())}");
            if (result.GetValue(expect) is var expected && times.Count < expected)
                throw new NatsClientException(NatsErrorCode.RequestTimeout, $"{times.Count} of {Quantity.Of(expected, "server")} answered within {Duration.Text(server.Timeout(result))}.");
            return ClientVerb.Success;
        }
    }
}
