using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>Connections that always have more to do, and one beside them that seldom has anything.</summary>
public sealed class EpollTurnTests
{
    private const int Greedy = 20;
    private const int Rounds = 50;
    private const int BulkBytes = 64 * 1024;

    // Longer than a turn: with shorter ones, an owner's connections continue until its turn is over.
    private static readonly TimeSpan WorkTime = TimeSpan.FromMilliseconds(0.6);
    private static readonly TimeSpan CostlyTime = TimeSpan.FromMilliseconds(0.2);
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task What_arrives_is_read_after_one_turn_of_those_who_are_not_done()
    {
        using var engine = ConnectionEngine.Create(new SendBatchSet(), loops: 1, EngineKind.Epoll);
        using var listener = Listen();
        using var peer = Connect(listener);
        // The engine closes it: its descriptor must not be of another socket by then.
        var modest = listener.Accept();
        var turns = new Turns(peer, modest);
        var connection = engine.Attach(modest);
        connection.Start(turns.Modest);
        var greedy = new List<Socket>();
        for (var i = 0; i < Greedy; i++)
        {
            greedy.Add(Connect(listener));
            engine.Attach(listener.Accept()).Start(new GreedyReceiver(turns));
            greedy[^1].Send("x"u8);
        }

        await turns.Done.WaitAsync(Patience, TestContext.Current.CancellationToken);

        Assert.All(turns.Waits, static wait => Assert.InRange(wait, 0, 2));
        foreach (var socket in greedy) socket.Dispose();
    }

    [Fact]
    public async Task One_that_is_not_done_continues_after_one_turn_of_another_owners_connections()
    {
        using var engine = ConnectionEngine.Create(new SendBatchSet(), loops: 1, EngineKind.Epoll);
        using var listener = Listen();
        var shares = new Shares();
        var peers = new List<Socket>();
        for (var i = 0; i <= Greedy; i++)
        {
            peers.Add(Connect(listener));
            var connection = engine.Attach(listener.Accept());
            // The last one has an owner of its own.
            connection.ShareTurns(i == Greedy ? 2 : 1);
            connection.Start(new ShareReceiver(shares, isAlone: i == Greedy));
            peers[^1].Send("x"u8);
        }

        await shares.Done.WaitAsync(Patience, TestContext.Current.CancellationToken);

        Assert.All(shares.Waits, static wait => Assert.InRange(wait, 0, 2));
        foreach (var socket in peers) socket.Dispose();
    }

    [Fact]
    public Task One_that_sends_little_is_read_after_one_turn_of_another_owners_connections_that_send_much()
        => ModestIsReadAfterOneTurnAsync(new byte[BulkBytes], static (turns, peer, bulk) => new BulkReceiver(turns, peer, bulk), most: 2);

    // Each read is shorter than a turn, so that none of them is told to return early; a turn has room for three.
    [Fact]
    public Task One_that_costs_little_is_read_after_one_turn_of_another_owners_connections_that_cost_much()
        => ModestIsReadAfterOneTurnAsync([1], static (turns, peer, _) => new CostlyReceiver(turns, peer), most: 6);

    private static async Task ModestIsReadAfterOneTurnAsync(byte[] sent, Func<Turns, Socket, byte[], IReceiver> greedy, int most)
    {
        using var engine = ConnectionEngine.Create(new SendBatchSet(), loops: 1, EngineKind.Epoll);
        using var listener = Listen();
        using var peer = Connect(listener);
        // The engine closes it: its descriptor must not be of another socket by then.
        var modest = listener.Accept();
        var turns = new Turns(peer, modest);
        engine.Attach(modest).Start(turns.Modest);
        var peers = new List<Socket>();
        for (var i = 0; i < Greedy; i++)
        {
            peers.Add(Connect(listener));
            var connection = engine.Attach(listener.Accept());
            connection.ShareTurns(1);
            connection.Start(greedy(turns, peers[i], sent));
            peers[i].Send(sent);
        }

        await turns.Done.WaitAsync(Patience, TestContext.Current.CancellationToken);

        Assert.All(turns.Waits, wait => Assert.InRange(wait, 0, most));
        foreach (var socket in peers) socket.Dispose();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task One_that_sends_much_is_read_beside_those_that_are_never_done(int owners)
    {
        using var engine = ConnectionEngine.Create(new SendBatchSet(), loops: 1, EngineKind.Epoll);
        using var listener = Listen();
        using var peer = Connect(listener);
        var peers = new List<Socket>();
        var connection = engine.Attach(listener.Accept());
        connection.ShareTurns(1);
        var reader = new CountingReceiver(peer, Rounds);
        connection.Start(reader);
        for (var i = 0; i < Greedy; i++)
        {
            peers.Add(Connect(listener));
            var greedy = engine.Attach(listener.Accept());
            // Of the same owner, or of two others.
            greedy.ShareTurns(owners == 1 ? 1 : 2 + (i % 2));
            greedy.Start(new NeverDone(reader));
            peers[i].Send("x"u8);
        }
        peer.Send(new byte[BulkBytes]);

        await reader.Done.WaitAsync(Patience, TestContext.Current.CancellationToken);

        // Its first read is like that of one that sends little.
        var most = owners == 1 ? Greedy : 4;
        Assert.All(reader.Waits.Skip(1), wait => Assert.InRange(wait, 0, most));
        foreach (var socket in peers) socket.Dispose();
    }

    private static void Work() => Work(WorkTime);

    private static void Work(TimeSpan time)
    {
        var began = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(began) < time) Thread.SpinWait(20);
    }

    private static Socket Listen()
    {
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        return listener;
    }

    private static Socket Connect(Socket listener)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Connect(listener.LocalEndPoint!);
        return socket;
    }

    // Everything here runs on the loop's thread, but the test's own waiting.
    private sealed class Turns(Socket peer, Socket modest)
    {
        private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly HashSet<IReceiver> _known = [];
        private long _count;
        private long _sentAt = -1;

        public Task Done => _done.Task;

        public List<long> Waits { get; } = [];

        public IReceiver Modest => new ModestReceiver(this);

        public bool IsOver => _done.Task.IsCompleted;

        // Once all of them are at it, one of them sends to the modest one, another one each time.
        public void Took(IReceiver receiver)
        {
            _count++;
            _known.Add(receiver);
            if (_known.Count < Greedy || _sentAt >= 0 || _count % (Greedy + 1) != 0) return;
            peer.Send("y"u8);
            Assert.True(SpinWait.SpinUntil(() => modest.Available > 0, Patience));
            _sentAt = _count;
        }

        public void Arrived()
        {
            Waits.Add(_count - _sentAt);
            _sentAt = -1;
            if (Waits.Count == Rounds) _done.TrySetResult();
        }
    }

    private sealed class ModestReceiver(Turns turns) : IReceiver
    {
        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            neededBytes = 0;
            turns.Arrived();
            return input.Length;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
            // The test ends it.
        }
    }

    private sealed class GreedyReceiver(Turns turns) : IReceiver
    {
        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            neededBytes = 0;
            if (turns.IsOver) return input.Length;
            Work();
            turns.Took(this);
            batch.RequestYield();
            return 0;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
            // The test ends it.
        }
    }

    // Always has more to come, and knows how many turns others had between two reads. Runs on the loop's thread.
    private sealed class CountingReceiver(Socket peer, int rounds) : IReceiver
    {
        private static readonly byte[] Bulk = new byte[BulkBytes];

        private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Done => _done.Task;

        public bool IsOver => _done.Task.IsCompleted;

        public List<int> Waits { get; } = [];

        public int Others { get; set; }

        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            neededBytes = 0;
            if (IsOver) return input.Length;
            Waits.Add(Others);
            Others = 0;
            if (Waits.Count == rounds) _done.TrySetResult();
            else peer.Send(Bulk);
            return input.Length;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
            // The test ends it.
        }
    }

    private sealed class NeverDone(CountingReceiver beside) : IReceiver
    {
        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            neededBytes = 0;
            if (beside.IsOver) return input.Length;
            Work();
            beside.Others++;
            batch.RequestYield();
            return 0;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
            // The test ends it.
        }
    }

    private sealed class BulkReceiver(Turns turns, Socket peer, byte[] bulk) : IReceiver
    {
        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            neededBytes = 0;
            if (turns.IsOver) return input.Length;
            Work();
            turns.Took(this);
            peer.Send(bulk);
            return input.Length;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
            // The test ends it.
        }
    }

    private sealed class CostlyReceiver(Turns turns, Socket peer) : IReceiver
    {
        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            neededBytes = 0;
            if (turns.IsOver) return input.Length;
            batch.LookAtClock();
            Work(CostlyTime);
            batch.LookAtClock();
            turns.Took(this);
            peer.Send("x"u8);
            return input.Length;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
            // The test ends it.
        }
    }

    // The turns of the many between two turns of the one, once all of them are at it. Runs on the loop's thread.
    private sealed class Shares
    {
        private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly HashSet<ShareReceiver> _known = [];
        private int _between = -1;

        public Task Done => _done.Task;

        public List<int> Waits { get; } = [];

        public bool IsOver => _done.Task.IsCompleted;

        public void Took(ShareReceiver receiver, bool isAlone)
        {
            _known.Add(receiver);
            if (_known.Count <= Greedy) return;
            if (!isAlone)
            {
                if (_between >= 0) _between++;
                return;
            }
            if (_between >= 0) Waits.Add(_between);
            _between = 0;
            if (Waits.Count == Rounds) _done.TrySetResult();
        }
    }

    private sealed class ShareReceiver(Shares shares, bool isAlone) : IReceiver
    {
        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            neededBytes = 0;
            if (shares.IsOver) return input.Length;
            Work();
            shares.Took(this, isAlone);
            batch.RequestYield();
            return 0;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
            // The test ends it.
        }
    }
}
