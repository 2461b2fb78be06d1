using Postrider.Sockets;
using Postrider.Sockets.WebSockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>Messages that both sides compress: sizes from nothing to several buffers, and bombs.</summary>
public sealed class CompressedWebSocketTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly SendBatchSet _batches = new();

    [Fact]
    public async Task Messages_arrive_whole_and_in_order_both_ways()
    {
        var (a, b) = await ConnectAsync(64 * 1024 * 1024);
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);

        Send(a, 300, static i => 12 + (i * i * 10));
        Send(b, 300, static i => 12 + (i * 311 % 70_000));

        await atA.Reach(300).WaitAsync(Patience);
        await atB.Reach(300).WaitAsync(Patience);
        Assert.True(a.IsCompressed);
        Assert.True(b.IsCompressed);
        Assert.Empty(atA.Faults);
        Assert.Empty(atB.Faults);
    }

    [Fact]
    public async Task Message_that_inflates_beyond_the_limit_ends_its_connection_with_the_right_status()
    {
        var (a, b) = await ConnectAsync(100_000);
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);

        Send(a, 1, static _ => 400_000);

        Assert.Equal(CloseReason.ReadError, await atB.Closed.WaitAsync(Patience));
        await atA.Closed.WaitAsync(Patience);
        var broken = Assert.IsType<WebSocketProtocolException>(atB.ClosedError);
        Assert.Equal(WebSocketCloseStatus.MessageTooBig, broken.Status);
        Assert.InRange(atB.Bytes, 0, 100_000);
    }

    private static void Send(WebSocketConnection connection, int count, Func<int, int> size)
    {
        var writer = new MessageWriter(1);
        var lane = connection.Outbox.CreateLane();
        for (var i = 0; i < count; i++)
        {
            writer.Write(lane, size(i));
            lane.Submit();
            connection.Outbox.Send();
        }
    }

    private async Task<(WebSocketConnection Client, WebSocketConnection Server)> ConnectAsync(long maxMessageBytes)
    {
        Connection accepted = null!;
        var dialled = await new MemoryConnector(_batches, connection => accepted = connection).ConnectAsync("", 1, CancellationToken.None);
        var client = WebSocketConnection.CreateClient(dialled, new WebSocketClientOptions { Host = "localhost", Compression = true, HandshakeTimeout = Patience });
        return (client, WebSocketConnection.CreateServer(accepted, new WebSocketAcceptor(compresses: true), Patience, maxMessageBytes));
    }
}
