using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Text;
using Postrider.Broker;
using Postrider.Broker.Monitoring;
using Postrider.Client;
using Postrider.Sockets;

namespace Postrider.SystemTests.Tls;

/// <summary>Traffic, hostile clients and slow ones, on the broker's side of TLS.</summary>
public sealed class TlsBrokerTests : TlsScenario
{
    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Messages_of_every_size_pass_both_ways(EngineKind engine)
    {
        await using var broker = await StartAsync(Files, options => options.Engine = engine);
        using var sockets = ConnectionEngine.Create(new SendBatchSet(), 1, engine);
        await using var client = await ConnectAsync(broker, Trusting, options => options.Connector = new TcpConnector(sockets));
        await using var subscription = client.Subscribe<byte[]>("sizes");
        await client.FlushAsync();
        int[] sizes = [0, 1, 100, 4096, 16_383, 16_384, 16_385, 65_536, 300_000, 1_048_576];

        foreach (var size in sizes) await client.PublishAsync("sizes", RandomNumberGenerator.GetBytes(size));

        var received = new List<int>();
        await foreach (var message in subscription.WithCancellation(new CancellationTokenSource(Patience).Token))
        {
            received.Add(message.Data?.Length ?? 0);
            if (received.Count == sizes.Length) break;
        }
        Assert.Equal(sizes, received);
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Very_many_small_messages_arrive_in_order(EngineKind engine)
    {
        const int Messages = 200_000;
        await using var broker = await StartAsync(Files, options => options.Engine = engine);
        using var sockets = ConnectionEngine.Create(new SendBatchSet(), 1, engine);
        await using var receiver = await ConnectAsync(broker, Trusting, options => options.Connector = new TcpConnector(sockets));
        await using var sender = await ConnectAsync(broker, Trusting, options => options.Connector = new TcpConnector(sockets));
        var next = 0;
        var faults = 0;
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var subscription = receiver.SubscribeRaw("many", message =>
        {
            if (BitConverter.ToInt32(message.Payload) != next++) faults++;
            if (next == Messages) done.TrySetResult();
        });
        await receiver.FlushAsync();

        for (var i = 0; i < Messages; i++) await sender.PublishAsync("many", BitConverter.GetBytes(i));

        await done.Task.WaitAsync(Patience);
        Assert.Equal(0, faults);
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Broker_that_requires_TLS_ends_a_client_that_goes_on_in_the_clear(EngineKind engine)
    {
        await using var broker = await StartAsync(Files, options => options.Engine = engine);
        using var socket = await DialAsync(broker);
        var info = await ReadLineAsync(socket);

        await socket.SendAsync("CONNECT {}\r\nPING\r\n"u8.ToArray());

        Assert.Contains("\"tls_required\":true", info, StringComparison.Ordinal);
        Assert.Equal("", await ReadToEndAsync(socket));
        await Eventually.HoldsAsync(() => Closed(broker).Any(static closed => closed.CloseReason == "TLS Handshake Failure"));
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Garbage_that_looks_like_a_handshake_ends_its_connection_alone(EngineKind engine)
    {
        await using var broker = await StartAsync(Files with { Timeout = TimeSpan.FromSeconds(5) }, options => options.Engine = engine);
        await using var client = await ConnectAsync(broker, Trusting);
        byte[][] garbage =
        [
            [0x16, .. Encoding.ASCII.GetBytes("garbage that is no record")],
            [0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5],
            [0x16, 3, 1, 0xFF, 0xFF, .. new byte[1000]],
            [0x16, 3, 1, 0, 4, 1, 0xFF, 0xFF, 0xFF, .. Enumerable.Repeat<byte[]>([0x16, 3, 1, 0x40, 0, .. new byte[0x4000]], 12).SelectMany(static bytes => bytes)],
        ];

        foreach (var bytes in garbage)
        {
            using var socket = await DialAsync(broker);
            await ReadLineAsync(socket);
            await SendAllAsync(socket, bytes);
            await ReadToEndAsync(socket);
        }

        await Eventually.HoldsAsync(() => Closed(broker).Count(static closed => closed.CloseReason == "TLS Handshake Failure") == garbage.Length);
        await client.PingAsync();
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Handshake_that_takes_too_long_is_ended(EngineKind engine)
    {
        await using var broker = await StartAsync(Files with { Timeout = TimeSpan.FromMilliseconds(300) }, options => options.Engine = engine);
        using var silent = await DialAsync(broker);
        using var slow = await DialAsync(broker);
        await ReadLineAsync(silent);
        await ReadLineAsync(slow);

        await slow.SendAsync(new byte[] { 0x16, 3, 1 });

        Assert.Equal("", await ReadToEndAsync(silent));
        Assert.Equal("", await ReadToEndAsync(slow));
        await Eventually.HoldsAsync(() => Closed(broker).Count(static closed => closed.CloseReason == "TLS Handshake Failure") == 2);
    }

    [Fact]
    public async Task Handshake_cut_at_every_byte_is_the_same()
    {
        await using var broker = await StartAsync(Files);
        using var socket = await DialAsync(broker);
        await ReadLineAsync(socket);
        await using var stream = new SslStream(new DribblingStream(new NetworkStream(socket)), false, static (_, certificate, _, _) => IsOfTheTest(certificate));

        await stream.AuthenticateAsClientAsync("localhost").WaitAsync(Patience);
        await stream.WriteAsync("CONNECT {\"verbose\":false}\r\nPING\r\n"u8.ToArray());

        Assert.Equal("PONG\r\n", await ReadTextAsync(stream, 6));
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Thousand_handshakes_at_once_succeed_and_leave_nothing_behind(EngineKind engine)
    {
        await using var broker = await StartAsync(Files with { Timeout = TimeSpan.FromSeconds(30) }, options => options.Engine = engine);

        await Parallel.ForEachAsync(Enumerable.Range(0, 500), new ParallelOptions { MaxDegreeOfParallelism = 16 }, async (_, ct) =>
        {
            await using var stream = await OpenStreamAsync(broker, SslProtocols.None);
            await stream.WriteAsync("CONNECT {\"verbose\":false}\r\nPING\r\n"u8.ToArray(), ct);
            Assert.Equal("PONG\r\n", await ReadTextAsync(stream, 6));
        });

        await Eventually.HoldsAsync(() => Open(broker).Count == 0);
        await Eventually.HoldsAsync(static () => ChunkPool.CountOutstanding() == 0);
    }
}
