using System.Diagnostics;
using Postrider.Benchmarks;
using Postrider.Benchmarks.Routing;
using Postrider.Benchmarks.Turns;
using Postrider.Transport.Aws;
using Postrider.Transport.Grpc;
using Postrider.Transport.Kafka;
using Postrider.Transport.Nats;
using Postrider.Transport.RabbitMq;
using Postrider.Transport.ServiceBus;

namespace Postrider.Routing;

/// <summary>Routes and transports: <c>routing [--quick] [--json FILE] [--part TEXT]</c>.</summary>
/// <remarks>The subjects of a row take turns in one process. Wolverine compiles at run time with a Roslyn of its own, so its rows run in its
/// program, with ours in turns there. The parts: local, remote, profiles, memory, post, nats, kafka, rabbitmq,
/// outbox.</remarks>
internal static class RoutingBench
{
    // A provider more is a line more.
    private static readonly NullWire[] s_wires =
    [
        new("memory", static (in properties, body) => null),
        new("nats", static (in properties, body) => NatsHeaderMapping.ToNats(in properties)),
        new("jetstream", static (in properties, body) => (properties.RepetitionId, NatsHeaderMapping.ToNats(in properties))),
        new("kafka", static (in properties, body) => (KafkaHeaderMapping.Key(in properties), KafkaHeaderMapping.ToKafka(in properties))),
        new("rabbitmq", static (in properties, body) => RabbitMqHeaderMapping.ToAmqp(in properties)),
        new("servicebus", static (in properties, body) => ServiceBusHeaderMapping.ToAmqp(in properties, body, TimeProvider.System)),
        new("sqs", static (in properties, body) => SqsMessageMapping.ToAws(in properties, body, AwsQueueType.Standard, isDeadLetter: false)),
        new("sns", static (in properties, body) => SqsMessageMapping.ToAws(in properties, body, AwsQueueType.Standard, isDeadLetter: false)),
        new("eventbridge", static (in properties, body) => EventBridgeMapping.ToDetail(in properties, body)),
        new("grpc", static (in properties, body) => GrpcMessageMapping.ToMessage("events", in properties, body)),
    ];

    private static readonly string s_wolverine = Path.GetFullPath(Path.Combine(
        AppContext.BaseDirectory, "..", "..", "..", "..", "Postrider.Peers.Wolverine", "bin", "Release", "net10.0", "Postrider.Peers.Wolverine"));

    public static async Task<int> RunAsync(string[] args)
    {
        var json = BenchArguments.Option(args, "--json");
        var turns = TurnTaking.Of(args.Contains("--quick"));
        var report = new TurnReport("routing", json);
        var parts = new (string Name, Func<Task> Run)[]
        {
            ("local", () => LocalRows.RunAsync(turns, report)),
            ("remote", () => RemoteRows.RunAsync(turns, report, s_wires)),
            ("profiles", () => RemoteRows.RunProfilesAsync(turns, report, s_wires.Where(static wire => wire.Provider is "kafka" or "rabbitmq"))),
            ("memory", () => MemoryRows.RunAsync(turns, report)),
            ("nats", () => NatsRows.RunAsync(turns, report)),
            ("kafka", () => KafkaRows.RunAsync(turns, report)),
            ("rabbitmq", () => RabbitRows.RunAsync(turns, report, args.Contains("--quick"))),
            ("outbox", () => OutboxRows.RunAsync(turns, report, args.Contains("--quick"))),
        };
        await LocalRows.SettleAsync(turns);
        foreach (var (name, run) in parts)
        {
            if (BenchArguments.Matches(args, "--part", name))
                await run();
        }

        Console.WriteLine(report.Judgement());
        if (BenchArguments.Matches(args, "--part", "post"))
            await PostAsync(args, json);
        return 0;
    }

    private static async Task PostAsync(string[] args, string? json)
    {
        var rows = Path.GetTempFileName();
        try
        {
            string[] arguments = ["routing", "--json", rows, .. args.Where(static word => word == "--quick")];
            using var process = Process.Start(new ProcessStartInfo(s_wolverine, arguments))!;
            await process.WaitForExitAsync();
            if (process.ExitCode != 0)
                throw new InvalidOperationException($"{s_wolverine} ended with {process.ExitCode}.");
            if (json is not null)
                await File.AppendAllLinesAsync(json, await File.ReadAllLinesAsync(rows));
        }
        finally
        {
            File.Delete(rows);
        }
    }
}
