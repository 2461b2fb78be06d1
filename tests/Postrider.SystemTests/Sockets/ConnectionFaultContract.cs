using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>What every kind of connection promises when a receiver throws.</summary>
public abstract class ConnectionFaultContract : ConnectionContract
{
    [Fact]
    public async Task Receiver_that_throws_ends_its_connection_alone()
    {
        var (a, b) = await ConnectAsync();
        var (c, d) = await ConnectAsync();
        var (atA, atB, atC, atD) = (new Recorder(), new Recorder(), new Recorder(), new Recorder());
        atB.BeforeRead = static () => throw new InvalidOperationException("planted");
        a.Start(atA);
        b.Start(atB);
        c.Start(atC);
        d.Start(atD);

        SendOwn(a, new MessageWriter(1), 1, static _ => 100);
        SendOwn(c, new MessageWriter(1), 1, static _ => 100);

        Assert.Equal(CloseReason.ReceiverFault, await atB.Closed.WaitAsync(Patience));
        await atA.Closed.WaitAsync(Patience);
        await atD.Reach(1).WaitAsync(Patience);
        Assert.False(c.IsClosed);
        await CloseAsync(c, atC, atD);
    }

    [Fact]
    public async Task Receiver_that_leaves_with_more_to_do_is_called_again_though_nothing_arrives()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new PostponingReceiver(1000));
        a.Start(atA);
        b.Start(atB);

        SendOwn(a, new MessageWriter(1), 100, static _ => 10_000);

        await Eventually.HoldsAsync(() => atB.Bytes == 1_000_000);
        // What one read takes, and not what would have come meanwhile.
        Assert.InRange(atB.Longest, 1000, 600_000);
        a.Close();
        await atA.Closed.WaitAsync(Patience);
        b.Close();
        await atB.Closed.WaitAsync(Patience);
        await AssertNoChunkIsHeldAsync();
    }

    [Fact]
    public async Task Receiver_that_leaves_with_more_to_do_waits_while_its_connection_is_paused()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new PostponingReceiver(1));
        a.Start(atA);
        b.Start(atB);
        SendOwn(a, new MessageWriter(1), 1, static _ => 50_000);
        await Eventually.HoldsAsync(() => atB.Bytes > 10);

        b.PauseReading();
        var before = -1L;
        await Eventually.HoldsAsync(() => before == (before = atB.Calls));
        var whilePaused = atB.Bytes;
        b.ResumeReading();

        await Eventually.HoldsAsync(() => atB.Bytes == 50_000);
        Assert.InRange(whilePaused, 10, 50_000);
        a.Close();
        b.Close();
        await atA.Closed.WaitAsync(Patience);
        await atB.Closed.WaitAsync(Patience);
    }

    [Fact]
    public async Task Receivers_that_never_end_leave_the_others_their_turns()
    {
        var busy = new List<(Connection Far, Connection Near, PostponingReceiver At)>();
        for (var i = 0; i < 4; i++)
        {
            var (far, near) = await ConnectAsync();
            var at = new PostponingReceiver(0);
            far.Start(new Recorder());
            near.Start(at);
            SendOwn(far, new MessageWriter(1), 1, static _ => 100);
            busy.Add((far, near, at));
        }
        await Eventually.HoldsAsync(() => busy.TrueForAll(static one => one.At.Calls > 1));
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);

        SendOwn(a, new MessageWriter(1), 200, static _ => 10_000);

        await atB.Reach(200).WaitAsync(Patience);
        await CloseAsync(a, atA, atB);
        foreach (var (far, near, at) in busy)
        {
            near.Close();
            Assert.Equal(CloseReason.ByUs, await at.Closed.WaitAsync(Patience));
            far.Close();
        }
        await AssertNoChunkIsHeldAsync();
    }

    [Theory]
    [InlineData(0, 30)]
    [InlineData(1, 30)]
    [InlineData(1, 3_000)]
    [InlineData(3, 200_000)]
    public async Task Message_half_written_by_a_receiver_that_throws_is_taken_back(int whole, int halfBytes)
    {
        var (a, b) = await ConnectAsync();
        var (c, d) = await ConnectAsync();
        var (atC, atD) = (new Recorder(), new Recorder());
        var writer = new MessageWriter(1);
        var atB = new Recorder((_, batch) =>
        {
            var lane = d.Outbox.LaneOf(batch);
            for (var i = 0; i < whole; i++)
            {
                writer.Write(lane, 100);
                lane.CompleteMessage();
            }
            lane.Write(new byte[halfBytes]);
            throw new InvalidOperationException("planted");
        });
        a.Start(new Recorder());
        b.Start(atB);
        c.Start(atC);
        d.Start(atD);

        SendOwn(a, new MessageWriter(1), 1, static _ => 100);
        Assert.Equal(CloseReason.ReceiverFault, await atB.Closed.WaitAsync(Patience));
        SendOwn(d, writer, 5, static _ => 100);
        SendInBatches(d, writer, 5, static () => 100, new Random(1));

        await atC.Reach(whole + 10).WaitAsync(Patience);
        Assert.Empty(atC.Faults);
        await CloseAsync(c, atC, atD);
        await AssertNoChunkIsHeldAsync();
    }
}
