using System.CommandLine;
using Postrider.CommandLine.Bench;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider bench</c>.</summary>
internal static class BenchVerb
{
    /// <summary>The most connections of one run: each takes a file descriptor and buffers.</summary>
    internal const int MaxClients = 10_000;

    /// <summary>The most requests or acknowledgements that one client awaits.</summary>
    internal const int MaxInFlight = 1_000_000;

    internal static Command Create() => new("bench", "Measure a NATS server.")
    {
        Create("pub", """
            Publish as fast as the server accepts it.
              postrider bench pub -n 5000000 --size 128 --server-pid $(pidof nats-server)
            """, 1_000_000, static (bench, plan, ct) => bench.PublishAsync(plan, ct)),
        Create("sub", """
            Count messages that others publish.
              postrider bench sub --subject orders.new -n 1000000
            """, 1_000_000, static (bench, plan, ct) => bench.SubscribeAsync(plan, ct)),
        Create("fan-out", """
            Publish to several subscribers, each of which gets every message.
              postrider bench fan-out --publishers 1 --subscribers 4 -n 1000000
            """, 1_000_000, static (bench, plan, ct) => bench.FanOutAsync(plan, ct)),
        Create("request", """
            Send requests to services, with the percentiles of the round trips. The subscribers are the services.
              postrider bench request --publishers 10 --subscribers 2 -n 200000 --size 16
              postrider bench request --subject orders.place --subscribers 0
            """, 100_000, static (bench, plan, ct) => bench.RequestAsync(plan, ct)),
        BenchJsVerb.Create(),
    };

    private static Command Create(string name, string description, int messages, Func<Benchmarks, BenchPlan, CancellationToken, Task<BenchResult>> run)
    {
        var subject = new Option<string>("--subject") { Description = "Subject of the messages", DefaultValueFactory = _ => "postrider.bench" }.Subjects(isLiteral: name != "sub");
        var count = Number("--messages", "-n", "Messages to publish, or requests to send, over all clients", messages, 1);
        var size = Size();
        var publishers = Number("--publishers", "-p", "Clients that publish or send requests", 1, 1, MaxClients);
        var subscribers = Number("--subscribers", "-r", "Clients that subscribe or reply", 1, name == "request" ? 0 : 1, MaxClients);
        var inFlight = Number("--in-flight", "-f", "Concurrent requests per client", 1, 1, MaxInFlight);
        return Create(name, description, [subject, count, size, publishers, subscribers, inFlight], RunAsync);

        Task<BenchResult> RunAsync(ServerOptions server, ParseResult result, int? serverProcess, CancellationToken ct)
        {
            var plan = new BenchPlan
            {
                Subject = result.GetValue(subject)!,
                Messages = result.GetValue(count),
                SizeBytes = SizeBytes(result, size),
                Publishers = result.GetValue(publishers),
                Subscribers = result.GetValue(subscribers),
                InFlight = result.GetValue(inFlight),
                ServerProcess = serverProcess,
            };
            return run(new Benchmarks((client, token) => server.ConnectAsync(result, client, token)), plan, ct);
        }
    }

    /// <summary>A verb that measures and shows the result; it fails if messages are missing.</summary>
    internal static Command Create(
        string name, string description, IEnumerable<Option> options, Func<ServerOptions, ParseResult, int?, CancellationToken, Task<BenchResult>> run)
    {
        var server = new ServerOptions();
        var process = new Option<int?>("--server-pid") { Description = "Process id of a local server whose processor time is shown" }.AtLeast(1);
        process.Validators.Add(static result =>
        {
            if (result.Tokens.Count > 0 && int.TryParse(result.Tokens[0].Value, out var id) && id > 0 && !ServerClock.IsRunning(id))
                result.AddError($"No process with the id {id} of --server-pid is running.");
        });
        var verb = ClientVerb.Create(name, description, server, RunAsync);
        foreach (var option in options.Append(process))
            verb.Options.Add(option);
        return verb;

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            var measured = await run(server, result, result.GetValue(process), ct);
            await Console.Out.WriteLineAsync(server.Json(result) ? measured.Json() : measured.Readable());
            return measured.IsComplete ? ClientVerb.Success : ClientVerb.Failure;
        }
    }

    /// <summary>The option for the size of a payload.</summary>
    internal static Option<long?> Size() => ByteSize.Create("--size", "Bytes of each payload (128)", 0, int.MaxValue, "-z");

    internal static int SizeBytes(ParseResult result, Option<long?> size) => (int)(result.GetValue(size) ?? 128);

    internal static Option<int> Number(string name, string letter, string description, int value, int min, int max = int.MaxValue)
        => new Option<int>(name, letter) { Description = description, DefaultValueFactory = _ => value }.Between(min, max);
}
