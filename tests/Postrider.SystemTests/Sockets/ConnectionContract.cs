using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>What every kind of connection promises.</summary>
public abstract class ConnectionContract : IAsyncLifetime
{
    private protected static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>The batches of the accepting side.</summary>
    private protected SendBatchSet Batches { get; } = new();

    public abstract ValueTask InitializeAsync();

    public abstract ValueTask DisposeAsync();

    [Fact]
    public async Task Messages_arrive_in_order_both_ways()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);

        var (fromA, fromB) = (new MessageWriter(1), new MessageWriter(2));
        SendOwn(a, fromA, 1000, static i => 12 + i);
        SendOwn(b, fromB, 1000, static i => 12 + (i * 7 % 5000));

        await atA.Reach(1000).WaitAsync(Patience);
        await atB.Reach(1000).WaitAsync(Patience);
        Assert.Empty(atA.Faults);
        Assert.Empty(atB.Faults);
        await CloseAsync(a, atA, atB);
        Assert.Equal(atB.Bytes, a.Outbox.SentBytes);
        Assert.Equal(0, a.Outbox.PendingBytes);
    }

    [Theory]
    [InlineData(64 * 1024)]
    [InlineData((64 * 1024) + 1)]
    [InlineData(130_000)]
    [InlineData(5_000_000)]
    public async Task Message_larger_than_a_buffer_arrives_whole(int bytes)
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);

        var writer = new MessageWriter(1);
        SendOwn(a, writer, 5, i => i % 2 == 0 ? bytes : 20);

        await atB.Reach(5).WaitAsync(Patience);
        Assert.Empty(atB.Faults);
        await CloseAsync(a, atA, atB);
    }

    [Fact]
    public async Task Writers_on_many_threads_do_not_mix_and_lose_nothing()
    {
        const int PerWriter = 2000;
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);

        await Task.WhenAll(Enumerable.Range(0, 6).Select(id => Task.Run(() =>
        {
            var random = new Random(id);
            var writer = new MessageWriter(id);
            if (id % 2 == 0) SendOwn(b, writer, PerWriter, _ => Size(random));
            else SendInBatches(b, writer, PerWriter, () => Size(random), random);
        }))).WaitAsync(Patience);

        await atA.Reach(6 * PerWriter).WaitAsync(Patience);
        Assert.Empty(atA.Faults);
        Assert.Equal(6 * PerWriter, atA.Messages);
        Assert.Equal(3 * PerWriter, b.Outbox.Messages);
        await CloseAsync(a, atA, atB);
        Assert.Equal(atA.Bytes, b.Outbox.SentBytes);

        static int Size(Random random) => random.Next(100) == 0 ? random.Next(12, 200_000) : random.Next(12, 600);
    }

    [Fact]
    public async Task Close_after_sending_sends_all_that_was_appended()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);
        a.PauseReading();

        SendOwn(b, new MessageWriter(1), 2000, static _ => 10_000);
        b.CloseAfterSending();
        b.Outbox.Send("dropped"u8);
        a.ResumeReading();

        Assert.Equal(CloseReason.ByPeer, await atA.Closed.WaitAsync(Patience));
        Assert.Equal(CloseReason.ByUs, await atB.Closed.WaitAsync(Patience));
        Assert.Equal(2000, atA.Messages);
        Assert.Empty(atA.Faults);
    }

    [Fact]
    public async Task Close_after_sending_nothing_closes()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);
        await AwaitReadyAsync(a, b);

        b.CloseAfterSending();

        Assert.Equal(CloseReason.ByUs, await atB.Closed.WaitAsync(Patience));
        Assert.Equal(CloseReason.ByPeer, await atA.Closed.WaitAsync(Patience));
        Assert.True(b.IsClosed);
    }

    [Fact]
    public async Task Close_at_any_moment_under_load_ends_both_sides_and_gives_all_memory_back()
    {
        var seed = Seed.Next();
        TestContext.Current.SendDiagnosticMessage($"seed {seed}");
        var random = new Random(seed);
        for (var round = 0; round < 150; round++)
        {
            var (a, b) = await ConnectAsync();
            var (atA, atB) = (new Recorder(), new Recorder());
            a.Start(atA);
            b.Start(atB);
            var spins = random.Next(60_000);
            var closers = random.Next(1, 4);
            var writers = Enumerable.Range(0, 3).Select(id => Task.Run(() =>
            {
                var writer = new MessageWriter(id);
                var sizes = new Random(id);
                while (!a.IsClosed) SendInBatches(a, writer, 20, () => sizes.Next(12, 3000), sizes);
            })).ToArray();
            var ends = Enumerable.Range(0, closers).Select(i => Task.Run(() =>
            {
                Thread.SpinWait(spins);
                if (i == 0) a.Close();
                else if (i == 1) b.Close();
                else a.CloseAfterSending();
            })).ToArray();

            await Task.WhenAll([.. writers, .. ends]).WaitAsync(Patience);
            await atA.Closed.WaitAsync(Patience);
            await atB.Closed.WaitAsync(Patience);

            Assert.Equal((seed, round, ""), (seed, round, string.Join(' ', atA.Faults.Concat(atB.Faults))));
        }
        await AssertNoChunkIsHeldAsync();
    }

    [Fact]
    public async Task End_is_told_after_the_read_that_runs_and_never_inside_close()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        using var entered = new ManualResetEventSlim();
        using var leave = new ManualResetEventSlim();
        atB.BeforeRead = () =>
        {
            entered.Set();
            leave.Wait(Patience);
        };
        a.Start(atA);
        b.Start(atB);
        SendOwn(a, new MessageWriter(1), 1, static _ => 100);
        Assert.True(entered.Wait(Patience));

        b.Close();
        var toldInside = atB.Closed.IsCompleted;
        leave.Set();

        Assert.False(toldInside);
        Assert.Equal(CloseReason.ByUs, await atB.Closed.WaitAsync(Patience));
        await atA.Closed.WaitAsync(Patience);
        Assert.Empty(atB.Faults);
    }

    [Fact]
    public async Task Start_of_a_closed_connection_tells_the_end_once()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());

        b.Close();
        b.Start(atB);
        a.Start(atA);

        Assert.Equal(CloseReason.ByUs, await atB.Closed.WaitAsync(Patience));
        await atA.Closed.WaitAsync(Patience);
        b.Close();
        Assert.Empty(atB.Faults);
    }

    [Fact]
    public async Task Start_and_close_at_the_same_time_tell_the_end_once()
    {
        for (var round = 0; round < 200; round++)
        {
            var (a, b) = await ConnectAsync();
            var (atA, atB) = (new Recorder(), new Recorder());
            a.Start(atA);

            await Task.WhenAll(Task.Run(() => b.Start(atB)), Task.Run(b.Close)).WaitAsync(Patience);

            Assert.Equal(CloseReason.ByUs, await atB.Closed.WaitAsync(Patience));
            await atA.Closed.WaitAsync(Patience);
            Assert.Empty(atB.Faults);
        }
    }

    [Fact]
    public async Task Bytes_sent_before_the_other_side_starts_wait_for_it()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        SendOwn(a, new MessageWriter(1), 3000, static _ => 5000);
        SendOwn(b, new MessageWriter(1), 3000, static _ => 5000);

        b.Start(atB);

        await atB.Reach(3000).WaitAsync(Patience);
        await atA.Reach(3000).WaitAsync(Patience);
        Assert.Empty(atB.Faults);
        await CloseAsync(a, atA, atB);
    }

    [Fact]
    public async Task Paused_connection_reads_nothing_until_as_many_resumes()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);
        SendOwn(a, new MessageWriter(1), 1, static _ => 100);
        await atB.Reach(1).WaitAsync(Patience);

        b.PauseReading();
        b.PauseReading();
        b.ResumeReading();
        SendOwn(a, new MessageWriter(2), 1000, static _ => 100);
        await Task.Delay(100);
        var whilePaused = atB.Messages;
        b.ResumeReading();

        Assert.Equal(1, whilePaused);
        await atB.Reach(1001).WaitAsync(Patience);
        Assert.Empty(atB.Faults);
        await CloseAsync(a, atA, atB);
    }

    [Fact]
    public async Task Pauses_and_resumes_from_many_threads_lose_no_byte()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);

        var pausing = Enumerable.Range(0, 3).Select(_ => Task.Run(() =>
        {
            for (var i = 0; i < 3000; i++)
            {
                b.PauseReading();
                b.ResumeReading();
            }
        })).ToArray();
        SendOwn(a, new MessageWriter(1), 20_000, static _ => 200);
        await Task.WhenAll(pausing).WaitAsync(Patience);

        await atB.Reach(20_000).WaitAsync(Patience);
        Assert.Empty(atB.Faults);
        await CloseAsync(a, atA, atB);
    }

    [Fact]
    public async Task Connection_whose_other_side_ended_while_it_was_paused_learns_it_when_resumed()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);
        await AwaitReadyAsync(a, b);
        b.PauseReading();

        a.Close();
        await atA.Closed.WaitAsync(Patience);
        b.ResumeReading();

        Assert.Equal(CloseReason.ByPeer, await atB.Closed.WaitAsync(Patience));
    }

    [Fact]
    public async Task Slow_reader_slows_its_source_and_nothing_is_lost()
    {
        const int Messages = 4000;
        var (source, atSource, target, atTarget, forwarding) = await ForwardAsync();
        forwarding.Targets[0].Outbox.MaxPendingBytes = 4 * 1024 * 1024;
        // On a busy machine half a second is no sign of a reader that has stopped.
        forwarding.Targets[0].Outbox.MaxStall = Patience;
        target.PauseReading();

        SendOwn(source, new MessageWriter(1), Messages, static _ => 10_000);
        await Eventually.HoldsAsync(() => forwarding.Targets[0].Outbox.Stalls > 0);
        target.ResumeReading();

        await atTarget.Reach(Messages).WaitAsync(Patience);
        Assert.Empty(atTarget.Faults);
        Assert.False(forwarding.Targets[0].IsClosed);
        await CloseAsync(source, atSource, forwarding.Recorder);
        target.Close();
        await atTarget.Closed.WaitAsync(Patience);
    }

    [Fact]
    public async Task Stopped_reader_is_cut_off_at_its_limit_while_the_other_flows()
    {
        const int Messages = 4000;
        var (source, atSource, target, atTarget, forwarding) = await ForwardAsync();
        var (stopped, stoppedTarget) = await ConnectAsync();
        var (atStopped, atStoppedTarget) = (new Recorder(), new Recorder());
        stopped.Start(atStopped);
        stoppedTarget.Start(atStoppedTarget);
        stopped.PauseReading();
        stoppedTarget.Outbox.MaxPendingBytes = 4 * 1024 * 1024;
        stoppedTarget.Outbox.MaxStall = TimeSpan.FromMilliseconds(50);
        forwarding.Targets = [.. forwarding.Targets, stoppedTarget];

        SendOwn(source, new MessageWriter(1), Messages, static _ => 10_000);

        await atTarget.Reach(Messages).WaitAsync(Patience);
        Assert.Equal(CloseReason.PendingBytesExceeded, await atStoppedTarget.Closed.WaitAsync(Patience));
        Assert.Empty(atTarget.Faults);
        await CloseAsync(source, atSource, forwarding.Recorder);
        target.Close();
        stopped.Close();
        await atTarget.Closed.WaitAsync(Patience);
        await atStopped.Closed.WaitAsync(Patience);
    }

    [Fact]
    public async Task Reader_that_takes_nothing_is_cut_off_at_the_write_deadline()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);
        a.PauseReading();
        b.Outbox.WriteDeadline = TimeSpan.FromMilliseconds(200);

        SendOwn(b, new MessageWriter(1), 3000, static _ => 10_000);

        Assert.Equal(CloseReason.WriteDeadlineExceeded, await atB.Closed.WaitAsync(Patience));
        a.ResumeReading();
        await atA.Closed.WaitAsync(Patience);
        Assert.Empty(atA.Faults);
    }

    /// <summary>Makes a connection that does not read yet: the dialling end and the accepted end.</summary>
    private protected abstract Task<(Connection Dialled, Connection Accepted)> ConnectAsync();

    /// <summary>Waits until both ends have agreed on whatever they begin with.</summary>
    private protected virtual Task AwaitReadyAsync(Connection a, Connection b) => Task.CompletedTask;

    private protected static void SendOwn(Connection connection, MessageWriter writer, int messages, Func<int, int> size)
    {
        var lane = connection.Outbox.CreateLane();
        for (var i = 0; i < messages; i++)
        {
            writer.Write(lane, size(i));
            if (i % 3 == 0) lane.SubmitAndSend();
            else if (i % 3 == 1) lane.Submit();
        }
        lane.Submit();
        connection.Outbox.Send();
    }

    private protected static void SendInBatches(Connection connection, MessageWriter writer, int messages, Func<int> size, Random random)
    {
        var batch = connection.Batches.Rent();
        try
        {
            for (var i = 0; i < messages; i++)
            {
                var lane = connection.Outbox.LaneOf(batch);
                writer.Write(lane, size());
                lane.Messages++;
                lane.CompleteMessage();
                if (random.Next(10) == 0) batch.Flush(null);
            }
            batch.Flush(null);
        }
        finally
        {
            connection.Batches.Return(batch);
        }
    }

    private protected static async Task CloseAsync(Connection a, Recorder atA, Recorder atB)
    {
        a.Close();
        Assert.Equal(CloseReason.ByUs, await atA.Closed.WaitAsync(Patience));
        await atB.Closed.WaitAsync(Patience);
        Assert.Empty(atA.Faults);
        Assert.Empty(atB.Faults);
    }

    // The pool is the process's: other tests' chunks come and go, so it is enough that all are back once.
    private protected static Task AssertNoChunkIsHeldAsync() => Eventually.HoldsAsync(static () => ChunkPool.CountOutstanding() == 0);

    private async Task<(Connection Source, Recorder AtSource, Connection Target, Recorder AtTarget, Forwarding Forwarding)> ForwardAsync()
    {
        var (source, accepted) = await ConnectAsync();
        var (target, acceptedTarget) = await ConnectAsync();
        var forwarding = new Forwarding { Targets = [acceptedTarget] };
        var (atSource, atTarget) = (new Recorder(), new Recorder());
        source.Start(atSource);
        target.Start(atTarget);
        acceptedTarget.Start(new Recorder());
        accepted.Start(forwarding.Recorder);
        return (source, atSource, target, atTarget, forwarding);
    }

    /// <summary>Sends as many messages to each target as a source's reads bring.</summary>
    private sealed class Forwarding
    {
        private readonly MessageWriter[] _writers = [new(100), new(101)];
        private long _forwarded;

        public Forwarding() => Recorder = new Recorder(Forward);

        public Recorder Recorder { get; }

        public Connection[] Targets { get; set; } = [];

        private void Forward(Recorder recorder, SendBatch batch)
        {
            for (; _forwarded < recorder.Messages; _forwarded++)
            {
                for (var i = 0; i < Targets.Length; i++)
                {
                    var lane = Targets[i].Outbox.LaneOf(batch);
                    _writers[i].Write(lane, 10_000);
                    lane.CompleteMessage();
                }
            }
        }
    }
}
