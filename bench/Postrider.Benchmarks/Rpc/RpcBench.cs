using System.Text.Json;
using Postrider.Benchmarks.MessagePack;
using Postrider.Benchmarks.Turns;
using Postrider.Rpc.Sockets;

namespace Postrider.Benchmarks.Rpc;

/// <summary>Calls: <c>rpc [--quick] [--json FILE] [--row TEXT] [--subject TEXT]</c>.</summary>
/// <remarks>Client and server are in one process on 127.0.0.1, one call at a time; the subjects of a row take turns, and each is
/// proved to echo before it is measured. Then the dispatch patterns of the socket: many calls at once.</remarks>
public static class RpcBench
{
    private const string MinimalApi = "minimal API";

    // Of the JSON rows, against the minimal API in the same run.
    private static readonly Dictionary<string, double> s_json = new()
    {
        ["Small 0"] = 0.8,
        ["Small 10"] = 0.9,
        ["Small 100"] = 1.0,
        ["Small 1000"] = 0.92,
        ["Large 0"] = 0.8,
        ["Large 10"] = 0.95,
        ["Large 100"] = 0.92,
        ["Large 1000"] = 1.05,
    };

    /// <summary>Runs the tables.</summary>
    /// <param name="args">As in the summary.</param>
    /// <returns>0; whether the targets held is in the rows.</returns>
    public static int Run(string[] args)
    {
        ArgumentNullException.ThrowIfNull(args);
        RunAsync(args).GetAwaiter().GetResult();
        return 0;
    }

    private static async Task RunAsync(string[] args)
    {
        var report = new TurnReport("rpc", BenchArguments.Option(args, "--json"));
        await using var subjects = await RpcSubjects.StartAsync();
        var quick = args.Contains("--quick");
        foreach (var count in (int[])[0, 10, 100, 1000])
        {
            var items = CodecItems.Small(count);
            await RowAsync($"Small {count}", echo => echo.SmallAsync(items), items);
        }

        foreach (var count in (int[])[0, 10, 100, 1000])
        {
            var items = CodecItems.Large(count);
            await RowAsync($"Large {count}", echo => echo.LargeAsync(items), items);
        }

        var small = CodecItems.Small(1);
        var large = CodecItems.Large(10);
        foreach (var calls in (int[])[1, 16, 256])
        {
            await PatternAsync($"Small 1, {calls} at once", calls, echo => echo.SmallAsync(small));
            await PatternAsync($"Large 10, {calls} at once", calls, echo => echo.LargeAsync(large));
        }

        async Task RowAsync<T>(string row, Func<IEcho, ValueTask<List<T>>> call, List<T> items)
        {
            if (!BenchArguments.Matches(args, "--row", row))
                return;
            var wanted = subjects.All.Where(s => BenchArguments.Matches(args, "--subject", s.Key)).ToList();
            foreach (var (name, echo) in wanted)
            {
                if (JsonSerializer.Serialize(await call(echo)) != JsonSerializer.Serialize(items))
                    throw new InvalidOperationException($"{name} did not give back what it was given.");
            }

            var turns = wanted.ConvertAll(s => new Turn(s.Key, async () => await call(s.Value)));
            report.Add(row, await TurnTaking.TakeAsync(turns, quick), (ours, peer) => ours.EndsWith("JSON", StringComparison.Ordinal) && peer == MinimalApi ? s_json[row] : null);
        }

        // One operation of these rows is so many calls, all begun before the first is awaited.
        async Task PatternAsync<T>(string row, int calls, Func<IEcho, ValueTask<List<T>>> call)
        {
            if (!BenchArguments.Matches(args, "--row", row))
                return;
            var clients = new[]
            {
                (Turn.Ours + " correlated", subjects.Connect(DispatchPattern.Correlated, 1)),
                ("blocking, 1 connection", subjects.Connect(DispatchPattern.Blocking, 1)),
                ("blocking, 16 connections", subjects.Connect(DispatchPattern.Blocking, 16)),
            };
            var turns = clients.Select(client => new Turn(client.Item1, () => BurstAsync(client.Item2, calls, call))).Where(t => BenchArguments.Matches(args, "--subject", t.Subject)).ToList();
            report.Add(row, await TurnTaking.TakeAsync(turns, quick), (_, peer) => peer != "blocking, 1 connection" ? null
                : (row[0], calls) switch { ('S', 1) => 1.05, ('S', 256) => 0.5, ('L', 1) => 1.18, ('L', 256) => 0.91, _ => null });
        }
    }

    private static async ValueTask BurstAsync<T>(EchoClient client, int calls, Func<IEcho, ValueTask<List<T>>> call)
    {
        var pending = new ValueTask<List<T>>[calls];
        for (var i = 0; i < calls; i++)
            pending[i] = call(client);
        foreach (var one in pending)
            await one;
    }
}
