using System.Diagnostics;
using System.Globalization;
using System.Threading.Channels;
using NATS.Client.Core;
using Postrider.Load.Clients;
using Postrider.Load.Native;
using Postrider.Load.Runs;

namespace Postrider.Load.Peers.NatsNet;

/// <summary>NATS.Net's side of the client table; the contract is in <see cref="ClientDriver"/>.</summary>
internal static class NatsNetDriver
{
    public const string Verb = "drive-nats-net";

    public static async Task<int> RunAsync(string[] arguments)
    {
        var mode = arguments[0];
        var payload = new byte[int.Parse(arguments[2], CultureInfo.InvariantCulture)];
        payload.AsSpan().Fill((byte)'a');
        var seconds = double.Parse(arguments[3], CultureInfo.InvariantCulture);
        await using var client = new NatsConnection(new NatsOpts
        {
            Url = $"nats://127.0.0.1:{arguments[1]}",
            // Its default drops messages that the application does not take in time: here every message counts.
            SubPendingChannelFullMode = BoundedChannelFullMode.Wait,
            RequestTimeout = TimeSpan.FromSeconds(10),
        });
        await client.ConnectAsync();
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

    private static async Task<DriverResult> PublishAsync(NatsConnection client, byte[] payload, double seconds)
    {
        var deadline = Stopwatch.GetTimestamp() + (long)(seconds * Stopwatch.Frequency);
        var count = 0L;
        do
        {
            for (var i = 0; i < 1000; i++)
                await client.PublishAsync(ClientDriver.Subject, payload);
            count += 1000;
        }
        while (Stopwatch.GetTimestamp() < deadline);

        await client.PingAsync();
        return new DriverResult { Messages = count };
    }

    private static async Task<DriverResult> RequestAsync(NatsConnection client, byte[] payload, int inFlight, double seconds)
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

    private static async Task<List<long>> AskAsync(NatsConnection client, byte[] payload, long deadline)
    {
        var latencies = new List<long>(1 << 16);
        for (var now = Stopwatch.GetTimestamp(); now < deadline;)
        {
            var reply = await client.RequestAsync<byte[], byte[]>(Rows.RequestRow.Subject, payload);
            if (reply.Data?.Length != payload.Length)
                throw new LoadException($"A reply of {reply.Data?.Length} bytes.");

            var then = Stopwatch.GetTimestamp();
            latencies.Add(then - now);
            now = then;
        }

        return latencies;
    }

    private static async Task IterateAsync(NatsConnection client, int payloadBytes)
    {
        await using var subscription = await client.SubscribeCoreAsync<byte[]>(ClientDriver.Subject);
        await client.PingAsync();
        Console.WriteLine(DriverProcess.Ready);
        var counting = CountAsync(client, subscription.Msgs, payloadBytes);
        await Task.WhenAny(counting, Console.In.ReadLineAsync());
    }

    private static async Task CountAsync(NatsConnection client, ChannelReader<NatsMsg<byte[]>> messages, int payloadBytes)
    {
        var received = 0L;
        await foreach (var message in messages.ReadAllAsync())
        {
            if (message.Data?.Length != payloadBytes)
                throw new LoadException($"A message of {message.Data?.Length} bytes.");

            if (++received % ClientDriver.AcknowledgeEvery == 0)
                await client.PublishAsync(ClientDriver.CountSubject, received.ToString(CultureInfo.InvariantCulture));
        }
    }
}
