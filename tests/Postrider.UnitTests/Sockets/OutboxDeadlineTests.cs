using System.Net;
using Postrider.Sockets;

namespace Postrider.UnitTests.Sockets;

public sealed class OutboxDeadlineTests
{
    private readonly TestClock _clock = new();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Reader_that_takes_nothing_until_the_deadline_is_cut_off(bool closesPartialWrites)
    {
        var connection = Create(closesPartialWrites);
        connection.Outbox.Send(new byte[100]);

        _clock.Advance(TimeSpan.FromSeconds(11));
        connection.Outbox.Check();

        Assert.Equal(CloseReason.WriteDeadlineExceeded, connection.EndReason);
    }

    [Theory]
    [InlineData(false, null)]
    [InlineData(true, CloseReason.WriteDeadlineExceeded)]
    public void Reader_that_takes_some_bytes_stays_unless_all_that_waits_is_to_be_taken(bool closesPartialWrites, CloseReason? expected)
    {
        var connection = Create(closesPartialWrites);
        connection.Outbox.Send(new byte[100]);

        for (var i = 0; i < 3; i++)
        {
            _clock.Advance(TimeSpan.FromSeconds(4));
            connection.Take(10);
        }
        connection.Outbox.Check();

        Assert.Equal(expected, connection.EndReason);
    }

    [Fact]
    public void Reader_that_takes_in_time_what_waited_when_the_write_began_stays()
    {
        var connection = Create(closesPartialWrites: true);
        connection.Outbox.Send(new byte[100]);

        for (var i = 0; i < 10; i++)
        {
            _clock.Advance(TimeSpan.FromSeconds(9));
            // More comes meanwhile: it is for the next write.
            connection.Outbox.Send(new byte[100]);
            connection.Take(100);
            connection.Outbox.Check();
        }

        Assert.False(connection.IsClosed);
        Assert.Equal(100, connection.Outbox.PendingBytes);
    }

    private SlowConnection Create(bool closesPartialWrites)
    {
        var connection = new SlowConnection(_clock);
        (connection.Outbox.WriteDeadline, connection.Outbox.ClosesPartialWrites) = (TimeSpan.FromSeconds(10), closesPartialWrites);
        return connection;
    }

    private sealed class SlowConnection(TimeProvider time) : Connection(new SendBatchSet(), time)
    {
        private int _room;

        public override EndPoint? RemoteEndPoint => null;

        public override EndPoint? LocalEndPoint => null;

        /// <summary>Takes so many of the waiting bytes.</summary>
        public void Take(int bytes)
        {
            _room = bytes;
            Outbox.Continue(0);
        }

        internal override TransmitResult Transmit(ReadOnlySpan<Segment> segments, out int sentBytes)
        {
            var offered = 0;
            foreach (var segment in segments) offered += (int)segment.Length;
            sentBytes = Math.Min(offered, _room);
            _room -= sentBytes;
            return sentBytes < offered ? TransmitResult.Blocked : TransmitResult.Done;
        }

        internal override void AwaitWritable()
        {
            // A test says when.
        }

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
