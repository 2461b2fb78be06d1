using Postrider.Wire.Sockets;

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
