using System.Globalization;
using System.Threading.Channels;
using NATS.Client.Core;
using Postrider.Load.Clients;

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
                await DriverWork.MeasureAsync(duration => PublishAsync(client, payload, duration), seconds);
                break;
            case "request":
                await DriverWork.MeasureAsync(duration => RequestAsync(client, payload, 1, duration), seconds);
                break;
            case "request-64":
                await DriverWork.MeasureAsync(duration => RequestAsync(client, payload, 64, duration), seconds);
                break;
            case "iterate":
                await IterateAsync(client, payload.Length);
                break;
            default:
                throw new LoadException($"No mode {mode}.");
        }

        return 0;
    }

    private static Task<DriverResult> PublishAsync(NatsConnection client, byte[] payload, double seconds)
    {
        return DriverWork.PublishAsync(PublishManyAsync, async () => await client.PingAsync(), seconds);

        async Task PublishManyAsync(int count)
        {
            for (var i = 0; i < count; i++)
                await client.PublishAsync(ClientDriver.Subject, payload);
        }
    }

    private static Task<DriverResult> RequestAsync(NatsConnection client, byte[] payload, int inFlight, double seconds)
    {
        return DriverWork.RequestAsync(AskAsync, payload.Length, inFlight, seconds);

        async ValueTask<int> AskAsync() => (await client.RequestAsync<byte[], byte[]>(Rows.RequestRow.Subject, payload)).Data?.Length ?? 0;
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
