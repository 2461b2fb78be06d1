using System.Buffers.Binary;
using System.CommandLine;
using System.Diagnostics;
using Postrider.Client;

namespace Postrider.CommandLine.Servers;

/// <summary><c>postrider latency</c>: measures how long messages take from one server to another.</summary>
internal static class LatencyVerb
{
    // All times are kept until the end: 80 MB.
    private const int MaxMessages = 10_000_000;

    internal static Command Create()
    {
        var server = new ServerOptions();
        var other = new Option<string?>("--server-b") { Description = "The server to receive on; the same when omitted" };
        var size = ByteSize.Create("--size", "Message size", min: 16, max: 1 << 20);
        var count = new Option<int>("--count", "-c") { Description = "Number of messages", DefaultValueFactory = static _ => 1000 }.Between(1, MaxMessages);
        other.Validators.Add(static result =>
        {
            foreach (var address in result.Tokens.SelectMany(static token => token.Value.Split(',', StringSplitOptions.TrimEntries)))
                if (!ClientOptions.IsServerAddress(address)) result.AddError($"'{address}' is not the address of a server for --server-b, such as nats://127.0.0.1:4222 or tls://nats.example.com.");
        });
        var verb = ClientVerb.Create("latency", """
            Measure how long a message takes from one server to a subscriber on another, one at a time.
              postrider latency --server-b nats://b.example.com --count 10000
            """, server, RunAsync);
        foreach (var option in (Option[])[other, size, count]) verb.Options.Add(option);
        return verb;

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            await using var sender = await server.ConnectAsync(result, "latency", ct);
            await using var receiver = await server.ConnectAsync(result, "latency", result.GetValue(other) ?? server.Address(result), ct);
            var subject = sender.NewInbox();
            await using var arrivals = receiver.Subscribe<byte[]>(subject);
            await receiver.PingAsync(ct).WaitAsync(server.Timeout(result), ct);
            var payload = new byte[result.GetValue(size) ?? 64];
            // The subscription reaches the other server a moment after its own server has it.
            await FirstAsync(ct).WaitAsync(server.Timeout(result), ct);
            var times = new TimeSpan[result.GetValue(count)];
            for (var i = 0; i < times.Length; i++)
            {
                BinaryPrimitives.WriteInt64LittleEndian(payload, i + 1);
                var began = Stopwatch.GetTimestamp();
                await sender.PublishAsync(subject, payload, ct: ct);
                while (BinaryPrimitives.ReadInt64LittleEndian((await arrivals.ReadAsync(ct).AsTask().WaitAsync(server.Timeout(result), ct)).Data) != i + 1)
                {
                }
                times[i] = Stopwatch.GetElapsedTime(began);
            }
            Array.Sort(times);
            (string Name, TimeSpan Time)[] points = [("min", times[0]), ("p50", At(times, 0.5)), ("p90", At(times, 0.9)), ("p99", At(times, 0.99)), ("max", times[^1])];
            await Console.Out.WriteLineAsync(server.Json(result)
                ? JsonText.Object([("from", sender.ConnectedServer), ("to", receiver.ConnectedServer), ("messages", times.Length), ("size", payload.Length), .. points.Select(static point => ($"{point.Name}_us", (object?)point.Time.TotalMicroseconds))])
                : $"{Quantity.Of(times.Length, "message")} of {ByteSize.Text(payload.Length)} from {sender.ConnectedServer} to {receiver.ConnectedServer}\n{string.Join(", ", points.Select(static point => $"{point.Name} {Duration.Show(point.Time)}"))}");
            return ClientVerb.Success;

            async Task FirstAsync(CancellationToken ct)
            {
                var first = arrivals.ReadAsync(ct).AsTask();
                while (!first.IsCompleted)
                {
                    await sender.PublishAsync(subject, payload, ct: ct);
                    await Task.WhenAny(first, Task.Delay(10, ct));
                    ct.ThrowIfCancellationRequested();
                }
                await first;
            }
        }
    }

    private static TimeSpan At(TimeSpan[] sorted, double share) => sorted[Math.Min(sorted.Length - 1, (int)(sorted.Length * share))];
}
