using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using Postrider.Client;

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
                await DriverWork.MeasureAsync(duration => PublishAsync(client, payload, duration), seconds);
                break;
            case "request":
                await DriverWork.MeasureAsync(duration => RequestAsync(client, payload, 1, duration), seconds);
                break;
            case "request-64":
                await DriverWork.MeasureAsync(duration => RequestAsync(client, payload, 64, duration), seconds);
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

    private static Task<DriverResult> PublishAsync(NatsClient client, byte[] payload, double seconds)
    {
        return DriverWork.PublishAsync(PublishManyAsync, () => client.FlushAsync(), seconds);

        async Task PublishManyAsync(int count)
        {
            for (var i = 0; i < count; i++)
                await client.PublishAsync(Subject, payload.AsSpan());
        }
    }

    private static Task<DriverResult> RequestAsync(NatsClient client, ReadOnlyMemory<byte> payload, int inFlight, double seconds)
    {
        return DriverWork.RequestAsync(AskAsync, payload.Length, inFlight, seconds);

        async ValueTask<int> AskAsync()
            => (await client.RequestAsync<ReadOnlyMemory<byte>, byte[]>(Rows.RequestRow.Subject, payload, TimeSpan.FromSeconds(10))).Data.Length;
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

    private static async Task CountAsync(NatsClient client, IAsyncEnumerable<Postrider.Client.NatsMessage<byte[]>> messages, int payloadBytes)
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
