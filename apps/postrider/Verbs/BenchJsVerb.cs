using System.CommandLine;
using Postrider.Client.JetStream.Models;
using Postrider.CommandLine.Bench;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider bench js</c>.</summary>
internal static class BenchJsVerb
{
    internal static Command Create() => new("js", "Benchmark streams and consumers.")
    {
        Create("pub", """
            Publish and wait for each acknowledgement, with the percentiles of the round trips.
              postrider bench js pub -n 20000 --size 16 --storage memory
            """, 20_000, static (bench, plan, ct) => bench.PublishAsync(plan, ct)),
        Create("pub-async", """
            Publish with many outstanding acknowledgements.
              postrider bench js pub-async -n 1000000 --size 128 --storage file --in-flight 4096
            """, 200_000, static (bench, plan, ct) => bench.PublishManyAsync(plan, ct)),
        Create("fetch", """
            Fetch batches from a durable consumer and acknowledge every message. The stream is filled first.
              postrider bench js fetch -n 200000 --batch 500 --clients 2
            """, 200_000, static (bench, plan, ct) => bench.FetchAsync(plan, ct)),
        Create("consume", """
            Consume continuously from a durable consumer and acknowledge every message. The stream is filled first.
              postrider bench js consume -n 200000 --batch 500
            """, 200_000, static (bench, plan, ct) => bench.ConsumeAsync(plan, ct)),
        Create("ordered", """
            Read the whole stream in order; every client reads all of it. The stream is filled first.
              postrider bench js ordered -n 500000 --push
            """, 500_000, static (bench, plan, ct) => bench.ReadInOrderAsync(plan, ct)),
    };

    private static Command Create(string name, string description, int messages, Func<JetStreamBenchmarks, JetStreamBenchPlan, CancellationToken, Task<BenchResult>> run)
    {
        var stream = new Option<string>("--stream") { Description = "A stream that does not exist: it is created, and deleted at the end", DefaultValueFactory = _ => "POSTRIDER_BENCH" };
        var count = BenchVerb.Number("--messages", "-n", "Messages over all clients", messages, 1);
        var size = BenchVerb.Size();
        var clients = BenchVerb.Number("--clients", "-p", "Connections", 1, 1, BenchVerb.MaxClients);
        var inFlight = BenchVerb.Number("--in-flight", "-f", "Outstanding acknowledgements per client", 4096, 1, BenchVerb.MaxInFlight);
        var batch = BenchVerb.Number("--batch", "-b", "Messages per batch, or outstanding messages", 500, 1);
        var storage = new Option<StreamStorage?>("--storage") { Description = "file or memory" }.OneOf();
        var replicas = BenchVerb.Number("--replicas", "-r", "Number of replicas of the stream in a cluster", 1, 1);
        var push = new Option<bool>("--push") { Description = "Use a push consumer for ordered reading" };
        return BenchVerb.Create(name, description, [stream, count, size, clients, inFlight, batch, storage, replicas, push], RunAsync);

        Task<BenchResult> RunAsync(ServerOptions server, ParseResult result, int? serverProcess, CancellationToken ct)
        {
            var plan = new JetStreamBenchPlan
            {
                Stream = result.GetValue(stream)!,
                Messages = result.GetValue(count),
                SizeBytes = BenchVerb.SizeBytes(result, size),
                Clients = result.GetValue(clients),
                InFlight = result.GetValue(inFlight),
                Batch = result.GetValue(batch),
                Storage = result.GetValue(storage) ?? StreamStorage.File,
                Replicas = result.GetValue(replicas),
                UsesPush = result.GetValue(push),
                ServerProcess = serverProcess,
            };
            return run(new JetStreamBenchmarks((client, token) => server.ConnectAsync(result, client, token)), plan, ct);
        }
    }
}
