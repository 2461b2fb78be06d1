using System.Net;
using System.Runtime.CompilerServices;
using System.Text;
using Postrider.Sockets;

namespace Postrider.UnitTests.Sockets;

public sealed class SendBatchTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task Fence_waits_for_the_reads_that_run_and_for_no_later_ones()
    {
        var set = new SendBatchSet();
        var (own, other) = (set.Rent(), set.Rent());
        own.Begin();
        other.Begin();

        var fence = Task.Run(own.Fence);
        var before = await Task.WhenAny(fence, Task.Delay(50)) == fence;
        other.End(null);
        other.Begin();
        await fence.WaitAsync(Patience);

        Assert.False(before);
        other.End(null);
        own.End(null);
    }

    // An embedded broker or a client that has ended must not stay in memory for its batches.
    [Fact]
    public void Set_that_nobody_holds_is_collected()
    {
        var set = Used();

        for (var i = 0; i < 10 && set.IsAlive; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.False(set.IsAlive);
    }

    [Fact]
    public void Batch_that_was_given_back_comes_again_and_never_to_two()
    {
        var set = new SendBatchSet();
        SendBatch[] rented = [set.Rent(), set.Rent(), set.Rent()];
        foreach (var batch in rented) set.Return(batch);

        SendBatch[] again = [set.Rent(), set.Rent(), set.Rent()];

        Assert.Equal(3, again.Distinct().Count());
        Assert.InRange(set.Count, 3, 2 + Environment.ProcessorCount);
    }

    // A client that has its PONG may have another client act: what it published before must not be overtaken.
    [Fact]
    public void Connection_that_was_read_is_answered_after_all_others()
    {
        var set = new SendBatchSet();
        var sent = new List<string>();
        RecordingConnection[] connections = [new("read", set, sent), new("first", set, sent), new("second", set, sent)];
        var batch = set.Rent();

        batch.Begin();
        foreach (var connection in connections)
        {
            var lane = connection.Outbox.LaneOf(batch);
            lane.Write("PONG"u8);
            lane.CompleteMessage();
        }
        batch.End(connections[0]);

        Assert.Equal(3, sent.Count);
        Assert.Equal("read", sent[^1]);
    }

    // Interest of other servers' clients: each piece has its place in the outbox at once, and all of them are sent together.
    [Fact]
    public void Small_pieces_of_one_read_are_one_write_in_their_order()
    {
        var set = new SendBatchSet();
        var sent = new List<string>();
        var connection = new RecordingConnection("other", set, sent);
        var batch = set.Rent();

        batch.Begin();
        for (var i = 0; i < 1000; i++)
        {
            var lane = connection.Outbox.LaneOf(batch);
            lane.Write(Encoding.ASCII.GetBytes($"LS+ {i:D4}\r\n"));
            lane.Submit();
        }
        var before = sent.Count;
        batch.End(null);

        Assert.Equal(0, before);
        Assert.Single(sent);
        Assert.Equal(string.Concat(Enumerable.Range(0, 1000).Select(static i => $"LS+ {i:D4}\r\n")), connection.Text);
    }

    // What a send that is under way holds is not moved, and what is appended to it meanwhile is sent after it.
    [Fact]
    public void Piece_that_is_appended_during_a_send_is_sent_after_it()
    {
        var set = new SendBatchSet();
        var connection = new RecordingConnection("other", set, []);
        connection.Sending = () =>
        {
            connection.Sending = null;
            connection.Outbox.Send("second"u8);
        };

        connection.Outbox.Send("first "u8);

        Assert.Equal("first second", connection.Text);
        Assert.Equal(0, connection.Outbox.PendingBytes);
    }

    [Fact]
    public void Fence_does_not_wait_for_idle_batches()
    {
        var set = new SendBatchSet();
        var (own, _) = (set.Rent(), set.Rent());

        own.Begin();
        own.Fence();
        own.End(null);

        Assert.Equal(2, set.Count);
    }

    [Fact]
    public async Task Fences_at_the_same_time_do_not_wait_for_each_other()
    {
        var set = new SendBatchSet();

        await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => Task.Run(() =>
        {
            var batch = set.Rent();
            for (var i = 0; i < 500; i++)
            {
                batch.Begin();
                batch.Fence();
                batch.End(null);
            }
        }))).WaitAsync(Patience);

        Assert.Equal(3, set.Count);
    }

    [Fact]
    public async Task Returned_batch_is_rented_again()
    {
        var set = new SendBatchSet();
        var batch = set.Rent();
        set.Return(batch);

        Assert.Same(batch, set.Rent());
        Assert.NotSame(batch, await Task.Run(set.Rent));
        Assert.Equal(2, set.Count);
    }

    [Fact]
    public void Steps_that_go_round_are_left_for_later()
    {
        var set = new SendBatchSet();
        var batch = set.Rent();
        var rounds = 0;
        var circle = new Step((step, it) =>
        {
            rounds++;
            it.BeforeFlush(step);
        });

        batch.Begin();
        batch.BeforeFlush(circle);
        batch.End(null);
        var first = rounds;
        batch.Begin();
        batch.RunDeferredCallbacks();
        batch.End(null);

        Assert.True(batch.IsUnfinished);
        Assert.True(batch.ShouldYield || rounds > first);
        Assert.Equal(first + 1, rounds);
    }

    [Fact]
    public void Every_step_of_the_read_itself_is_taken_at_its_end()
    {
        var batch = new SendBatchSet().Rent();
        var taken = new List<int>();

        batch.Begin();
        for (var i = 0; i < 100; i++)
        {
            var number = i;
            batch.BeforeFlush(new Step((_, it) =>
            {
                taken.Add(number);
                it.BeforeFlush(new Step((_, _) => taken.Add(100 + number)));
            }));
        }
        batch.End(null);
        while (batch.IsUnfinished)
        {
            batch.Begin();
            batch.RunDeferredCallbacks();
            batch.End(null);
        }

        Assert.Equal(Enumerable.Range(0, 200), taken);
    }

    [Fact]
    public void A_read_that_left_steps_comes_again_after_the_others()
    {
        var batch = new SendBatchSet().Rent();

        batch.Begin();
        batch.BeforeFlush(new Step(static (step, it) => it.BeforeFlush(step)));
        batch.End(null);

        Assert.True(batch.ShouldYield);
    }

    [Fact]
    public void Steps_that_a_returned_batch_left_are_taken_before_it_is_rented_again()
    {
        var set = new SendBatchSet();
        var rounds = 0;

        set.Run(0, (_, batch) => batch.BeforeFlush(new Step((step, it) =>
        {
            if (Interlocked.Increment(ref rounds) < 10_000) it.BeforeFlush(step);
        })));

        Assert.True(SpinWait.SpinUntil(() => set.Unfinished == 0, Patience));
        Assert.Equal(10_000, rounds);
        Assert.Equal(1, set.Count);
        Assert.Equal(0, set.Rent().Index);
    }

    [Fact]
    public void A_step_that_throws_does_not_take_the_next_ones_with_it()
    {
        var batch = new SendBatchSet().Rent();
        var taken = 0;

        batch.Begin();
        batch.BeforeFlush(new Step(static (_, _) => throw new InvalidOperationException("planted")));
        batch.BeforeFlush(new Step((_, _) => taken++));
        Assert.Throws<InvalidOperationException>(() => batch.End(null));
        batch.Begin();
        batch.End(null);

        Assert.Equal(1, taken);
    }

    private sealed class Step(Action<Step, SendBatch> action) : IFlushCallback
    {
        public void BeforeFlush(SendBatch batch) => action(this, batch);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Used()
    {
        var set = new SendBatchSet();
        set.Run(0, static (_, _) => { });
        return new WeakReference(set);
    }

    private sealed class RecordingConnection(string name, SendBatchSet set, List<string> sent) : Connection(set, TimeProvider.System)
    {
        private readonly StringBuilder _text = new();

        public override EndPoint? RemoteEndPoint => null;

        public override EndPoint? LocalEndPoint => null;

        public string Text => _text.ToString();

        public Action? Sending { get; set; }

        internal override unsafe TransmitResult Transmit(ReadOnlySpan<Segment> segments, out int sentBytes)
        {
            sent.Add(name);
            Sending?.Invoke();
            sentBytes = 0;
            foreach (var segment in segments)
            {
                _text.Append(Encoding.ASCII.GetString((byte*)segment.Address, (int)segment.Length));
                sentBytes += (int)segment.Length;
            }
            return TransmitResult.Done;
        }

        internal override void AwaitWritable() => throw new InvalidOperationException("Everything is taken at once.");

        private protected override void BeginReading()
        {
            // It never reads.
        }

        private protected override void ReadingChanged()
        {
            // It never reads.
        }

        private protected override void Shutdown() => EndReading();
    }
}
