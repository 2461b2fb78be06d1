using System.Net;
using Postrider.Sockets;
using Postrider.Sockets.WebSockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>A WebSocket promises what every connection does, whatever is below it.</summary>
public abstract class WebSocketContract : ConnectionFaultContract
{
    private const long MaxMessageBytes = 64 * 1024 * 1024;

    [Fact]
    public async Task Last_words_are_sent_and_the_end_is_told_on_both_sides()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);

        SendOwn(b, new MessageWriter(1), 500, static _ => 5_000);
        b.CloseAfterSending();

        await atA.Reach(500).WaitAsync(Patience);
        Assert.Equal(CloseReason.ByPeer, await atA.Closed.WaitAsync(Patience));
        Assert.Equal(CloseReason.ByUs, await atB.Closed.WaitAsync(Patience));
        Assert.Empty(atA.Faults);
        await AssertNoChunkIsHeldAsync();
    }

    /// <summary>Makes the connection below: the dialling end and the accepted end.</summary>
    private protected abstract Task<(Connection Dialled, Connection Accepted)> ConnectBelowAsync();

    private protected override async Task<(Connection Dialled, Connection Accepted)> ConnectAsync()
    {
        var (dialled, accepted) = await ConnectBelowAsync();
        var client = WebSocketConnection.CreateClient(
            dialled, new WebSocketClientOptions { Host = "localhost", HandshakeTimeout = Patience });
        return (client, WebSocketConnection.CreateServer(accepted, new WebSocketAcceptor(compresses: false), Patience, MaxMessageBytes));
    }

    private protected override Task AwaitReadyAsync(Connection a, Connection b)
        => Eventually.HoldsAsync(() => ((WebSocketConnection)a).IsOpen && ((WebSocketConnection)b).IsOpen);
}

/// <summary>Over sockets of an engine.</summary>
public abstract class WebSocketEngineContract(EngineKind kind) : WebSocketContract
{
    private readonly System.Threading.Channels.Channel<Connection> _accepted = System.Threading.Channels.Channel.CreateUnbounded<Connection>();
    private ConnectionEngine _engine = null!;
    private Listener _listener = null!;

    public override ValueTask InitializeAsync()
    {
        _engine = ConnectionEngine.Create(Batches, loops: 2, kind);
        _listener = Listener.Start(new IPEndPoint(IPAddress.Loopback, 0), _engine, connection => _accepted.Writer.TryWrite(connection), static _ => { });
        return ValueTask.CompletedTask;
    }

    public override async ValueTask DisposeAsync()
    {
        await _listener.DisposeAsync();
        _engine.Dispose();
    }

    private protected override async Task<(Connection Dialled, Connection Accepted)> ConnectBelowAsync()
    {
        var dialled = await _engine.ConnectAsync(_listener.EndPoint, CancellationToken.None);
        return (dialled, await _accepted.Reader.ReadAsync().AsTask().WaitAsync(Patience));
    }
}
