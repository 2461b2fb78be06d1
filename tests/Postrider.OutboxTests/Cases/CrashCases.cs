using Microsoft.Extensions.DependencyInjection;
using Postrider.Envelopes;
using Postrider.Outbox;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests.Cases;

/// <summary>A relay that ends anywhere loses nothing; what it doubles has the same id.</summary>
public abstract class CrashCases(OutboxDatabase kind, PostgresServer server) : DatabaseCases(kind, server)
{
    private readonly TestClock _clock = new();

    [Fact]
    public async Task Relay_that_dies_at_any_statement_loses_nothing()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        var point = 0;
        CrashPlan plan;
        do
        {
            plan = new CrashPlan(++point);
            app.Placed.Clear();
            await WriteAsync(app);
            await ThrowsOnlyCrashesAsync(app.Relay(new CrashingSource(Database.Source, plan)), plan);
            // Longer than the lease of the one that died, and than its retries.
            _clock.Advance(TimeSpan.FromMinutes(1));
            await app.DrainAsync();

            Assert.Equal(0, await Database.CountAsync("postrider_outbox"));
            var once = app.Placed.DistinctBy(p => p.Headers[HeaderNames.MessageId]).ToList();
            Assert.Equal([1, 2, 3, 4, 5, 6, 7], once.Select(p => p.Number).Order());
            Assert.Equal([1, 3, 5], once.Where(p => p.Key == "a").Select(p => p.Number));
            Assert.Equal([2, 4], once.Where(p => p.Key == "b").Select(p => p.Number));
            // Nothing was in front of a message that was sent behind it before.
            Assert.InRange(app.Placed.Count, 7, 14);
        }
        while (plan.IsDead);

        Assert.Equal(7, app.Placed.Count);
        Assert.True(point > 10, $"Only {point - 1} points were tried.");
    }

    [Fact]
    public async Task Writer_that_dies_at_any_statement_sends_with_its_rows_or_not_at_all()
    {
        var point = 0;
        CrashPlan plan;
        do
        {
            plan = new CrashPlan(++point);
            await using var app = await TestApp.StartAsync(Database, source: new CrashingSource(Database.Source, plan));
            try
            {
                await app.Services.GetRequiredService<IDispatcher>().SendAsync(new PlaceOrder(point, Fails: false), Ct);
                Assert.False(plan.IsDead);
            }
            catch (CrashException)
            {
                Assert.True(plan.IsDead);
            }

            await app.DrainAsync();
            Assert.Equal(await Database.CountAsync($"orders where number = {point}"), app.Placed.Count);
        }
        while (plan.IsDead);

        Assert.True(point > 5, $"Only {point - 1} points were tried.");
    }

    [Fact]
    public async Task Relay_that_stops_in_the_middle_of_a_batch_sends_no_more_and_records_what_it_sent()
    {
        await using var app = await TestApp.StartAsync(Database);
        await app.PublishAsync([.. Enumerable.Range(1, 10).Select(static i => new OrderPlaced(i, "k"))]);
        using var stop = new CancellationTokenSource();
        app.Wire.Before = async _ =>
        {
            if (app.Wire.Sends == 3)
                await stop.CancelAsync();
        };

        await app.Relay().DrainAsync(false, stop.Token);
        var left = await Database.CountAsync("postrider_outbox");
        await app.DrainAsync();
        _clock.Advance(TimeSpan.FromMinutes(1));

        Assert.Equal(6, left);
        if (Database.Kind == OutboxDatabase.PostgreSql)
            Assert.Equal(Enumerable.Range(1, 10).Select(i => (long)i), app.PlacedOf("k"));
    }

    // Two keys, two without, and one that was scheduled.
    private async Task WriteAsync(TestApp app)
    {
        await app.PublishAsync(new OrderPlaced(1, "a"), new OrderPlaced(2, "b"), new OrderPlaced(3, "a"), new OrderPlaced(4, "b"), new OrderPlaced(5, "a"), new OrderPlaced(6));
        await app.InTransactionAsync(async (services, _) => await services.GetRequiredService<MessageScheduler>().ScheduleAsync(new OrderPlaced(7), TimeSpan.FromSeconds(1)));
        _clock.Advance(TimeSpan.FromSeconds(2));
    }

    private static async Task ThrowsOnlyCrashesAsync(RelayLoop relay, CrashPlan plan)
    {
        try
        {
            await relay.DrainAsync(false, default);
            Assert.False(plan.IsDead);
        }
        catch (CrashException)
        {
            Assert.True(plan.IsDead);
        }
    }
}
