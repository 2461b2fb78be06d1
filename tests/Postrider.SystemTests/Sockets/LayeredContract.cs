using System.Net;
using System.Threading.Channels;
using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>What a connection promises that is layered over another one.</summary>
/// <param name="kind">The engine of the connections below; null for a pair in memory.</param>
public abstract class LayeredContract(EngineKind? kind) : ConnectionFaultContract
{
    private readonly Channel<Connection> _accepted = Channel.CreateUnbounded<Connection>();
    private ConnectionEngine? _engine;
    private Listener? _listener;
    private MemoryConnector? _connector;

    public override ValueTask InitializeAsync()
    {
        if (kind is not { } engine)
        {
            _connector = new MemoryConnector(Batches, Accept);
            return ValueTask.CompletedTask;
        }

        _engine = ConnectionEngine.Create(Batches, loops: 2, engine);
        _listener = Listener.Start(new IPEndPoint(IPAddress.Loopback, 0), _engine, Accept, static _ => { });
        return ValueTask.CompletedTask;
    }

    public override async ValueTask DisposeAsync()
    {
        if (_listener is not null)
            await _listener.DisposeAsync();
        _engine?.Dispose();
    }

    [Fact]
    public async Task Last_words_are_sent_and_the_end_is_told_on_both_sides()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);

        SendOwn(b, new MessageWriter(1), 500, static _ => 5000);
        b.CloseAfterSending();

        await atA.Reach(500).WaitAsync(Patience);
        Assert.Equal(CloseReason.ByPeer, await atA.Closed.WaitAsync(Patience));
        Assert.Equal(CloseReason.ByUs, await atB.Closed.WaitAsync(Patience));
        Assert.Empty(atA.Faults);
        await AssertNoChunkIsHeldAsync();
    }

    /// <summary>Makes the connection below: the dialling end and the accepted end.</summary>
    private protected async Task<(Connection Dialled, Connection Accepted)> ConnectBelowAsync()
    {
        var dialled = _connector is not null
            ? await _connector.ConnectAsync("", 1, CancellationToken.None)
            : await _engine!.ConnectAsync(_listener!.EndPoint, CancellationToken.None);
        return (dialled, await _accepted.Reader.ReadAsync().AsTask().WaitAsync(Patience));
    }

    private void Accept(Connection connection) => _accepted.Writer.TryWrite(connection);
}
