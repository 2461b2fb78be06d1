using System.Buffers;
using System.Buffers.Text;
using System.Diagnostics;
using System.Globalization;
using Postrider.Client;
using Postrider.Load.Native;
using Postrider.Load.Runs;

namespace Postrider.Load.Clients;

/// <summary>Our side of the client table: a process of its own that uses Postrider.Client as an application does.</summary>
/// <remarks>
/// The contract with <see cref="DriverProcess"/>, which nats.mjs keeps too. Arguments: mode, port, payload bytes, seconds.
/// <c>publish</c>, <c>request</c> and <c>request-64</c> (so many under way) warm up for a second, measure and print one line
/// of JSON: messages, seconds, cpu_ns, and p50_us and p99_us for requests. <c>subscribe</c> (callback) and <c>iterate</c> print
/// <c>ready</c>, then publish how many messages of load.p0 they have received to load.count, every 1024 messages, until
/// a line arrives on their input.
/// </remarks>
internal static class ClientDriver
{
    public const string Verb = "drive";
    public const string Subject = "load.p0";
    public const string CountSubject = "load.count";
    public const int AcknowledgeEvery = 1024;

    public static async Task<int> RunAsync(string[] arguments)
    {
        var mode = arguments[0];
        var payload = new byte[int.Parse(arguments[2])];
        payload.AsSpan().Fill((byte)'a');
        var seconds = double.Parse(arguments[3], CultureInfo.InvariantCulture);
        await using var client = await NatsClient.ConnectAsync($"nats://127.0.0.1:{arguments[1]}");
        switch (mode)
        {
            case "publish":
                await MeasureAsync(duration => PublishAsync(client, payload, duration), seconds);
                break;
            case "request":
                await MeasureAsync(duration => RequestAsync(client, payload, 1, duration), seconds);
                break;
            case "request-64":
                await MeasureAsync(duration => RequestAsync(client, payload, 64, duration), seconds);
                break;
            case "subscribe":
                await SubscribeAsync(client, payload.Length);
                break;
            case "iterate":
                await IterateAsync(client, payload.Length);
                break;
            default:
                throw new LoadException($"No mode {mode}.");
        }

        return 0;
    }

    private static async Task MeasureAsync(Func<double, Task<DriverResult>> work, double seconds)
    {
        await work(1);
        var cpu = ProcessClock.OwnCpuNanoseconds();
        var started = Stopwatch.GetTimestamp();
        var result = await work(seconds);
        Console.WriteLine((result with
        {
            Seconds = Stopwatch.GetElapsedTime(started).TotalSeconds,
            CpuNs = ProcessClock.OwnCpuNanoseconds() - cpu,
        }).ToJson());
    }

    private static async Task<DriverResult> PublishAsync(NatsClient client, byte[] payload, double seconds)
    {
        var deadline = Stopwatch.GetTimestamp() + (long)(seconds * Stopwatch.Frequency);
        var count = 0L;
        do
        {
            for (var i = 0; i < 1000; i++)
                await client.PublishAsync(Subject, payload.AsSpan());
            count += 1000;
        }
        while (Stopwatch.GetTimestamp() < deadline);

        await client.FlushAsync();
        return new DriverResult { Messages = count };
    }

    private static async Task<DriverResult> RequestAsync(NatsClient client, byte[] payload, int inFlight, double seconds)
    {
        var deadline = Stopwatch.GetTimestamp() + (long)(seconds * Stopwatch.Frequency);
        var latencies = await Task.WhenAll(Enumerable.Range(0, inFlight).Select(_ => AskAsync(client, payload, deadline)));
        long[] all = [.. latencies.SelectMany(own => own)];
        return new DriverResult
        {
            Messages = all.Length,
            P50Us = Percentiles.Microseconds(all, 0.50),
            P99Us = Percentiles.Microseconds(all, 0.99),
        };
    }

    private static async Task<List<long>> AskAsync(NatsClient client, ReadOnlyMemory<byte> payload, long deadline)
    {
        var latencies = new List<long>(1 << 16);
        for (var now = Stopwatch.GetTimestamp(); now < deadline;)
        {
            var reply = await client.RequestAsync<ReadOnlyMemory<byte>, byte[]>(Rows.RequestRow.Subject, payload, TimeSpan.FromSeconds(10));
            if (reply.Data.Length != payload.Length)
                throw new LoadException($"A reply of {reply.Data.Length} bytes.");

            var then = Stopwatch.GetTimestamp();
            latencies.Add(then - now);
            now = then;
        }

        return latencies;
    }

    private static async Task SubscribeAsync(NatsClient client, int payloadBytes)
    {
        var received = 0L;
        await using var subscription = client.SubscribeRaw(Subject, message =>
        {
            Expect(payloadBytes, message.Payload.Length);
            if (++received % AcknowledgeEvery == 0)
                Acknowledge(client, received);
        });
        await client.FlushAsync();
        Console.WriteLine(DriverProcess.Ready);
        await Console.In.ReadLineAsync();
    }

    private static async Task IterateAsync(NatsClient client, int payloadBytes)
    {
        await using var subscription = client.Subscribe<byte[]>(Subject);
        await client.FlushAsync();
        Console.WriteLine(DriverProcess.Ready);
        var counting = CountAsync(client, subscription, payloadBytes);
        await Task.WhenAny(counting, Console.In.ReadLineAsync());
    }

    private static async Task CountAsync(NatsClient client, IAsyncEnumerable<Postrider.Client.Sessions.NatsMessage<byte[]>> messages, int payloadBytes)
    {
        var received = 0L;
        await foreach (var message in messages)
        {
            Expect(payloadBytes, message.SizeBytes);
            if (++received % AcknowledgeEvery == 0)
                Acknowledge(client, received);
        }
    }

    private static void Acknowledge(NatsClient client, long received)
    {
        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(received, digits, out var length);
        // Not awaited: the raw handler must not wait, and a count that did not leave fails the run anyway.
        _ = client.PublishAsync(CountSubject, digits[..length]).AsTask();
    }

    private static void Expect(int payloadBytes, int received)
    {
        if (received != payloadBytes)
            throw new LoadException($"A message of {received} bytes.");
    }
}
