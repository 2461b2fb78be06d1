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
    public void Reader_for_which_there_is_room_that_was_not_reported_stays()
    {
        var connection = Create(closesPartialWrites: false);
        connection.Outbox.Send(new byte[100]);

        for (var i = 0; i < 3; i++)
        {
            connection.Room = 10;
            _clock.Advance(TimeSpan.FromSeconds(11));
            Assert.True(connection.Outbox.Check());
        }

        Assert.Equal(70, connection.Outbox.PendingBytes);
        connection.Take(20);
        Assert.Equal(50, connection.Outbox.PendingBytes);
        _clock.Advance(TimeSpan.FromSeconds(11));
        Assert.False(connection.Outbox.Check());
        Assert.Equal(CloseReason.WriteDeadlineExceeded, connection.EndReason);
    }

    [Fact]
    public void Reader_for_which_there_is_room_for_everything_at_the_deadline_stays()
    {
        var connection = Create(closesPartialWrites: false);
        connection.Outbox.Send(new byte[100]);

        connection.Room = 1000;
        _clock.Advance(TimeSpan.FromSeconds(11));

        Assert.True(connection.Outbox.Check());
        Assert.False(connection.Outbox.Check());
        // The engine reports the room afterwards.
        connection.Take(1000);
        connection.Outbox.Send(new byte[10]);
        Assert.Equal((0, false), (connection.Outbox.PendingBytes, connection.IsClosed));
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
}
