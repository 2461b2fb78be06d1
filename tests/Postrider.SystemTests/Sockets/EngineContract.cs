using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Threading.Channels;
using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>What engines with real sockets promise besides.</summary>
public abstract class EngineContract(EngineKind kind) : ConnectionFaultContract
{
    private readonly Channel<Connection> _accepted = Channel.CreateUnbounded<Connection>();
    private readonly ConcurrentQueue<Exception> _failures = [];
    private ConnectionEngine _engine = null!;
    private Listener _listener = null!;
    private Action<Connection>? _onAccepted;

    public override ValueTask InitializeAsync()
    {
        _engine = ConnectionEngine.Create(Batches, loops: 2, kind);
        _listener = Listener.Start(new IPEndPoint(IPAddress.Loopback, 0), _engine, Accept, _failures.Enqueue);
        return ValueTask.CompletedTask;
    }

    public override async ValueTask DisposeAsync()
    {
        await _listener.DisposeAsync();
        _engine.Dispose();
    }

    [Fact]
    public async Task End_points_are_known_on_both_sides_and_after_the_end()
    {
        var (a, b) = await ConnectAsync();

        a.Close();
        b.Close();

        Assert.Equal(_listener.EndPoint, a.RemoteEndPoint);
        Assert.Equal(_listener.EndPoint, b.LocalEndPoint);
        Assert.NotNull(a.LocalEndPoint);
        Assert.Equal(a.LocalEndPoint, b.RemoteEndPoint);
    }

    [Fact]
    public async Task Dialling_where_nobody_listens_is_refused()
    {
        var free = FreeEndPoint();

        var refused = await Assert.ThrowsAsync<SocketException>(async () => await _engine.ConnectAsync(free, CancellationToken.None).AsTask().WaitAsync(Patience));

        Assert.Equal(SocketError.ConnectionRefused, refused.SocketErrorCode);
    }

    [Fact]
    public async Task Dialling_is_given_up_when_cancelled()
    {
        // A listener that accepts nothing, its queue filled: the next dial waits for an answer.
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(0);
        var endPoint = (IPEndPoint)listener.LocalEndPoint!;
        using var fillers = new Fillers(endPoint);
        using var cancelling = new CancellationTokenSource();

        var dialling = Enumerable.Range(0, 4).Select(_ => _engine.ConnectAsync(endPoint, cancelling.Token).AsTask()).ToArray();
        await cancelling.CancelAsync();

        var cancelled = 0;
        foreach (var dial in dialling)
        {
            try
            {
                (await dial.WaitAsync(Patience)).Close();
            }
            catch (OperationCanceledException)
            {
                cancelled++;
            }
        }
        Assert.InRange(cancelled, 1, 4);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await _engine.ConnectAsync(endPoint, cancelling.Token));
    }

    [Fact]
    public async Task Reset_by_the_other_side_is_told()
    {
        using var peer = await RawPeerAsync();
        var connection = await _accepted.Reader.ReadAsync().AsTask().WaitAsync(Patience);
        var recorder = new Recorder();
        connection.Start(recorder);

        peer.LingerState = new LingerOption(true, 0);
        peer.Close();

        Assert.Contains(await recorder.Closed.WaitAsync(Patience), new[] { CloseReason.ReadError, CloseReason.ByPeer });
    }

    [Fact]
    public async Task Sending_to_a_side_that_is_gone_ends_the_connection_and_keeps_no_memory()
    {
        using var peer = await RawPeerAsync();
        var connection = await _accepted.Reader.ReadAsync().AsTask().WaitAsync(Patience);
        var recorder = new Recorder();
        peer.LingerState = new LingerOption(true, 0);
        peer.Close();

        var writer = new MessageWriter(1);
        await Eventually.HoldsAsync(() =>
        {
            SendOwn(connection, writer, 10, static _ => 100_000);
            return connection.IsClosed;
        });
        connection.Start(recorder);

        Assert.Equal(CloseReason.WriteError, await recorder.Closed.WaitAsync(Patience));
        Assert.Equal(0, connection.Outbox.PendingBytes);
        await AssertNoChunkIsHeldAsync();
    }

    [Fact]
    public async Task Side_that_only_stopped_sending_gets_the_answers_to_what_it_sent()
    {
        _onAccepted = connection => connection.Start(new Echo(connection));
        using var peer = await RawPeerAsync();

        await peer.SendAsync("hello"u8.ToArray());
        peer.Shutdown(SocketShutdown.Send);

        Assert.Equal("hello", await ReadAllAsync(peer));
    }

    [Fact]
    public async Task Side_that_has_ended_its_direction_gets_the_rest_where_that_is_asked_for()
    {
        const int Messages = 3000;
        using var peer = await RawPeerAsync();
        var connection = await _accepted.Reader.ReadAsync().AsTask().WaitAsync(Patience);
        connection.DrainOnHalfClose = true;
        var recorder = new Recorder();
        SendOwn(connection, new MessageWriter(1), Messages, static _ => 10_000);
        connection.Start(recorder);

        peer.Shutdown(SocketShutdown.Send);
        var reason = await recorder.Closed.WaitAsync(Patience);
        connection.Outbox.Send("dropped"u8);
        var whenTold = connection.IsClosed;
        var received = await CountToEndAsync(peer);

        Assert.Equal(CloseReason.ByPeer, reason);
        Assert.False(whenTold);
        Assert.Equal(Messages * 10_000, received);
        await Eventually.HoldsAsync(() => connection.IsClosed);
        Assert.Empty(recorder.Faults);
        await AssertNoChunkIsHeldAsync();
    }

    [Fact]
    public async Task Rest_of_a_side_that_is_gone_whole_is_given_up()
    {
        using var peer = await RawPeerAsync();
        var connection = await _accepted.Reader.ReadAsync().AsTask().WaitAsync(Patience);
        connection.DrainOnHalfClose = true;
        var recorder = new Recorder();
        SendOwn(connection, new MessageWriter(1), 3000, static _ => 10_000);
        connection.Start(recorder);

        peer.Shutdown(SocketShutdown.Send);
        await recorder.Closed.WaitAsync(Patience);
        peer.LingerState = new LingerOption(true, 0);
        peer.Close();

        await Eventually.HoldsAsync(() => connection.IsClosed);
        await AssertNoChunkIsHeldAsync();
    }

    [Fact]
    public async Task Rest_of_a_side_that_takes_nothing_is_given_up_at_the_write_deadline()
    {
        using var peer = await RawPeerAsync();
        var connection = await _accepted.Reader.ReadAsync().AsTask().WaitAsync(Patience);
        connection.DrainOnHalfClose = true;
        connection.Outbox.WriteDeadline = TimeSpan.FromMilliseconds(200);
        var recorder = new Recorder();
        SendOwn(connection, new MessageWriter(1), 3000, static _ => 10_000);
        connection.Start(recorder);

        peer.Shutdown(SocketShutdown.Send);

        await Eventually.HoldsAsync(() => connection.IsClosed);
        await recorder.Closed.WaitAsync(Patience);
        Assert.InRange(connection.Outbox.UnsentBytes, 1, 3000 * 10_000);
        await AssertNoChunkIsHeldAsync();
    }

    [Fact]
    public async Task Last_words_reach_a_side_that_goes_on_sending_before_it_reads()
    {
        _onAccepted = static connection => connection.Start(new Refusal(connection));
        for (var round = 0; round < 30; round++)
        {
            using var peer = await RawPeerAsync();
            await peer.SendAsync("x"u8.ToArray());
            var more = new byte[100_000];

            for (var i = 0; i < 10; i++) await peer.SendAsync(more).WaitAsync(Patience);

            Assert.Equal("refused", await ReadAllAsync(peer));
        }
    }

    [Fact]
    public async Task Side_that_never_closes_is_not_waited_for_without_end()
    {
        _onAccepted = static connection => connection.Start(new Refusal(connection));
        using var peer = await RawPeerAsync();
        await peer.SendAsync("x"u8.ToArray());
        Assert.Equal("refused", await ReadAllAsync(peer));
        var began = Environment.TickCount64;

        var cut = await Assert.ThrowsAsync<SocketException>(async () =>
        {
            while (Environment.TickCount64 - began < Patience.TotalMilliseconds)
            {
                await peer.SendAsync("y"u8.ToArray());
                await Task.Delay(20);
            }
        });

        Assert.Contains(cut.SocketErrorCode, new[] { SocketError.ConnectionReset, SocketError.Shutdown, SocketError.ConnectionAborted });
        // The clocks of the two are read at different moments.
        Assert.InRange(Environment.TickCount64 - began, Connection.LongestLinger.TotalMilliseconds - 200, Patience.TotalMilliseconds);
    }

    [Fact]
    public async Task Two_thousand_short_connections_leave_nothing_behind()
    {
        _onAccepted = connection => connection.Start(new Echo(connection));
        await EchoOnceAsync();
        var descriptors = CountDescriptors();

        await Parallel.ForEachAsync(Enumerable.Range(0, 2000), new ParallelOptions { MaxDegreeOfParallelism = 20 }, async (_, _) => await EchoOnceAsync());

        await Eventually.HoldsAsync(() => CountDescriptors() <= descriptors + 20);
        await AssertNoChunkIsHeldAsync();
        Assert.Empty(_failures);
    }

    [Fact]
    public async Task Disposed_engine_ends_its_connections_and_takes_no_more()
    {
        using var engine = ConnectionEngine.Create(new SendBatchSet(), loops: 2, kind);
        var recorders = new List<Recorder>();
        var unstarted = new List<Connection>();
        for (var i = 0; i < 20; i++)
        {
            var connection = await engine.ConnectAsync(_listener.EndPoint, CancellationToken.None);
            if (i % 4 == 0)
            {
                unstarted.Add(connection);
                continue;
            }
            var recorder = new Recorder();
            recorders.Add(recorder);
            connection.Start(recorder);
            if (i % 4 == 1) connection.PauseReading();
        }

        engine.Dispose();

        foreach (var recorder in recorders) Assert.Equal(CloseReason.ByUs, await recorder.Closed.WaitAsync(Patience));
        await Eventually.HoldsAsync(() => unstarted.TrueForAll(static connection => connection.IsClosed));
        foreach (var connection in unstarted)
        {
            var recorder = new Recorder();
            connection.Start(recorder);
            Assert.Equal(CloseReason.ByUs, await recorder.Closed.WaitAsync(Patience));
            connection.PauseReading();
            connection.ResumeReading();
            connection.Outbox.Send("dropped"u8);
            connection.Close();
        }
        await Eventually.HoldsAsync(() => RefusesAsync(engine, _listener.EndPoint));
        engine.Dispose();
    }

    [Fact]
    public async Task Accepting_goes_on_when_one_connection_fails()
    {
        var calls = 0;
        _onAccepted = connection =>
        {
            if (Interlocked.Increment(ref calls) == 1) throw new InvalidOperationException("planted");
            connection.Start(new Echo(connection));
        };
        using var first = await RawPeerAsync();

        await EchoOnceAsync();

        Assert.Equal("planted", Assert.Single(_failures).Message);
    }

    private protected override async Task<(Connection Dialled, Connection Accepted)> ConnectAsync()
    {
        var dialled = await _engine.ConnectAsync(_listener.EndPoint, CancellationToken.None);
        return (dialled, await _accepted.Reader.ReadAsync().AsTask().WaitAsync(Patience));
    }

    private static async Task<bool> RefusesAsync(ConnectionEngine engine, IPEndPoint endPoint)
    {
        try
        {
            (await engine.ConnectAsync(endPoint, CancellationToken.None).AsTask().WaitAsync(Patience)).Close();
            return false;
        }
        catch (ObjectDisposedException)
        {
            return true;
        }
        catch (SocketException)
        {
            // The engine ended while the dial was under way.
            return false;
        }
    }

    private static IPEndPoint FreeEndPoint()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return (IPEndPoint)socket.LocalEndPoint!;
    }

    private static int CountDescriptors() => Directory.Exists("/proc/self/fd") ? Directory.GetFileSystemEntries("/proc/self/fd").Length : 0;

    private static async Task<long> CountToEndAsync(Socket peer)
    {
        var buffer = new byte[64 * 1024];
        long count = 0;
        for (int received; (received = await peer.ReceiveAsync(buffer).WaitAsync(Patience)) > 0;) count += received;
        return count;
    }

    private static async Task<string> ReadAllAsync(Socket peer)
    {
        var text = "";
        var buffer = new byte[4096];
        while (true)
        {
            var received = await peer.ReceiveAsync(buffer).WaitAsync(Patience);
            if (received == 0) return text;
            text += System.Text.Encoding.ASCII.GetString(buffer, 0, received);
        }
    }

    private void Accept(Connection connection)
    {
        if (_onAccepted is { } onAccepted) onAccepted(connection);
        else _accepted.Writer.TryWrite(connection);
    }

    private async Task<Socket> RawPeerAsync()
    {
        var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await peer.ConnectAsync(_listener.EndPoint);
        return peer;
    }

    private async Task EchoOnceAsync()
    {
        var connection = await _engine.ConnectAsync(_listener.EndPoint, CancellationToken.None);
        var recorder = new Recorder();
        connection.Start(recorder);
        SendOwn(connection, new MessageWriter(1), 1, static _ => 100);
        await recorder.Reach(1).WaitAsync(Patience);
        connection.Close();
        await recorder.Closed.WaitAsync(Patience);
        Assert.Empty(recorder.Faults);
    }

    private sealed class Echo(Connection connection) : IReceiver
    {
        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            connection.Outbox.LaneOf(batch).Write(input);
            neededBytes = 0;
            return input.Length;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
            // The connection is over; nothing hangs on it.
        }
    }

    /// <summary>Says a last word at the first byte.</summary>
    private sealed class Refusal(Connection connection) : IReceiver
    {
        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            connection.Outbox.Send("refused"u8);
            connection.CloseAfterSending();
            neededBytes = 0;
            return input.Length;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
            // The connection is over; nothing hangs on it.
        }
    }

    /// <summary>Dials until a listener's queue is full.</summary>
    private sealed class Fillers : IDisposable
    {
        private readonly List<Socket> _sockets = [];

        public Fillers(IPEndPoint endPoint)
        {
            for (var i = 0; i < 4; i++)
            {
                var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
                _sockets.Add(socket);
                try
                {
                    socket.Connect(endPoint);
                }
                catch (SocketException)
                {
                    // In progress.
                }
            }
        }

        public void Dispose() => _sockets.ForEach(static socket => socket.Dispose());
    }
}
