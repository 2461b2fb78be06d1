using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

/// <summary>SQLite has one relay at a time.</summary>
public sealed class SqliteLeaseTests(PostgresServer server) : DatabaseCases(OutboxDatabase.Sqlite, server)
{
    private readonly TestClock _clock = new();

    [Fact]
    public async Task Other_relay_takes_over_when_the_lease_is_over_and_not_before()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        await app.PublishAsync(new OrderPlaced(1, "k"));
        // Ends without a word.
        await app.Relay().DrainAsync(false, default);
        await app.PublishAsync(new OrderPlaced(2, "k"));

        _clock.Advance(TimeSpan.FromSeconds(29));
        await app.Relay().DrainAsync(false, default);
        Assert.Equal([1], app.PlacedOf("k"));
        _clock.Advance(TimeSpan.FromSeconds(1));
        await app.Relay().DrainAsync(false, default);

        Assert.Equal([1, 2], app.PlacedOf("k"));
    }

    [Fact]
    public async Task Lease_that_was_taken_by_a_wrong_clock_does_not_stop_the_next_relay()
    {
        await using (var ahead = await TestApp.StartAsync(Database, new TestClock(_clock.GetUtcNow().AddDays(365))))
        {
            await ahead.PublishAsync(new OrderPlaced(1, "k"));
            // Ends without a word, and then the clock is corrected.
            await ahead.Relay().DrainAsync(false, default);
        }

        await using var app = await TestApp.StartAsync(Database, _clock);
        await app.PublishAsync(new OrderPlaced(2, "k"));
        await app.Relay().DrainAsync(false, default);

        Assert.Equal([2], app.PlacedOf("k"));
    }

    [Fact]
    public async Task Relay_that_is_stopped_leaves_its_lease()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        await app.PublishAsync(new OrderPlaced(1, "k"));
        await app.DrainAsync();
        await app.PublishAsync(new OrderPlaced(2, "k"));

        await app.DrainAsync();

        Assert.Equal([1, 2], app.PlacedOf("k"));
    }

    [Fact]
    public async Task Relay_begins_no_send_in_the_second_half_of_its_lease()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        await app.PublishAsync(new OrderPlaced(1, "k"), new OrderPlaced(2, "k"), new OrderPlaced(3, "k"));
        var rows = new List<long>();
        app.Wire.Before = async _ =>
        {
            _clock.Advance(TimeSpan.FromSeconds(8));
            rows.Add(await Database.CountAsync("postrider_outbox"));
        };

        await app.DrainAsync();

        // The first two began 0 s and 8 s after they were taken, and were removed before the third was taken again.
        Assert.Equal([1, 2, 3], app.PlacedOf("k"));
        Assert.Equal([3, 3, 1], rows);
        Assert.Equal(0, await Database.CountAsync("postrider_outbox"));
    }

    [Fact]
    public async Task Send_ends_before_another_relay_may_send_the_same_message()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        await app.PublishAsync(new OrderPlaced(1, "k"));
        var isStuck = true;
        app.Wire.Before = _ =>
        {
            if (!isStuck)
                return Task.CompletedTask;
            isStuck = false;
            _clock.Advance(TimeSpan.FromSeconds(15));
            return Task.Delay(Timeout.Infinite);
        };

        await app.Relay().DrainAsync(false, default).AsTask().WaitAsync(Eventually.Patience);
        _clock.Advance(TimeSpan.FromSeconds(14));
        await app.Relay().DrainAsync(false, default);

        Assert.Empty(app.PlacedOf("k"));
        Assert.Equal(1, await Database.CountAsync("postrider_outbox"));
    }
}
