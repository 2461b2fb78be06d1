using Postrider.Broker;
using Postrider.Sockets;

namespace Postrider.UnitTests.Broker.Hosting;

/// <summary>The gradual shutdown on a clock of the test.</summary>
public sealed class LameDuckTests
{
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(6);

    // At most a second passes between two clients, as in nats-server.
    [Theory]
    [InlineData(10, 1.0)]
    [InlineData(40, 0.6)]
    public async Task Clients_are_closed_one_after_another_and_none_before_the_grace_period(int count, double secondsBetween)
    {
        var clock = new TestClock();
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Listen = false,
            NoSystemAccount = true,
            TimeProvider = clock,
            LameDuckDuration = TimeSpan.FromSeconds(30),
            LameDuckGracePeriod = Grace,
            // Nothing else happens while the clock moves.
            AuthTimeout = TimeSpan.FromHours(10),
            PingInterval = TimeSpan.FromHours(10),
        });
        for (var i = 0; i < count; i++) await ConnectAsync(broker);
        var between = TimeSpan.FromSeconds(secondsBetween);
        // After the first PINGs, which are sent early.
        clock.Advance(TimeSpan.FromSeconds(3));

        var ending = broker.EnterLameDuckModeAsync();

        await Eventually.HoldsAsync(() => clock.UntilNextTimer == Grace);
        clock.Advance(Grace - TimeSpan.FromTicks(1));
        Assert.Equal(count, Open());
        clock.Advance(TimeSpan.FromTicks(1));
        for (var left = count - 1; left > 0; left--)
        {
            await Eventually.HoldsAsync(() => Open() == left && clock.UntilNextTimer == between, what: $"{left} clients are left");
            clock.Advance(between - TimeSpan.FromTicks(1));
            Assert.Equal(left, Open());
            clock.Advance(TimeSpan.FromTicks(1));
        }
        await Eventually.HoldsAsync(() => Open() == 0 && clock.UntilNextTimer == between);
        Assert.False(ending.IsCompleted);
        clock.Advance(between);
        await ending;

        Assert.Equal(Enumerable.Repeat("Server Shutdown", count), broker.State.ClosedConnections(withSubscriptions: false).Select(static closed => closed.CloseReason));

        int Open() => broker.State.OpenConnections(withSubscriptions: false).Count;
    }

    [Fact]
    public async Task Without_clients_it_ends_at_once()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false, TimeProvider = new TestClock() });

        await broker.EnterLameDuckModeAsync();

        Assert.True(broker.Completion.IsCompleted);
    }

    private static async Task ConnectAsync(NatsBroker broker)
    {
        var connection = await broker.Connector.ConnectAsync("", 0, CancellationToken.None);
        connection.Start(new Reader());
    }

    private sealed class Reader : IReceiver
    {
        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            neededBytes = 0;
            return input.Length;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
        }
    }
}
