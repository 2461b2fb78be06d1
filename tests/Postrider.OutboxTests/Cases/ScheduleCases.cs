using Microsoft.Extensions.DependencyInjection;
using Postrider.Outbox;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests.Cases;

/// <summary>Messages that are sent later, and handles that cancel them.</summary>
public abstract class ScheduleCases(OutboxDatabase kind, PostgresServer server) : DatabaseCases(kind, server)
{
    private readonly TestClock _clock = new();

    [Fact]
    public async Task Scheduled_message_is_sent_when_it_is_due_and_not_before()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        await ScheduleAsync(app, new OrderPlaced(1, "k"), TimeSpan.FromHours(1));
        await app.PublishAsync(new OrderPlaced(2, "k"));
        var relay = app.Relay();

        await relay.DrainAsync(false, default);
        Assert.Equal([2], app.Placed.Select(p => p.Number));
        _clock.Advance(TimeSpan.FromHours(1) - TimeSpan.FromMilliseconds(1));
        await relay.DrainAsync(false, default);
        Assert.Equal(1, app.Wire.Sends);
        _clock.Advance(TimeSpan.FromMilliseconds(2));
        await relay.DrainAsync(false, default);

        Assert.Equal([2, 1], app.Placed.Select(p => p.Number));
    }

    [Fact]
    public async Task Schedule_survives_its_process()
    {
        await using (var first = await TestApp.StartAsync(Database, _clock))
            await ScheduleAsync(first, new OrderPlaced(1), TimeSpan.FromDays(400));

        _clock.Advance(TimeSpan.FromDays(401));
        await using var second = await TestApp.StartAsync(Database, _clock);
        await second.DrainAsync();

        Assert.Equal([1], second.Placed.Select(p => p.Number));
    }

    [Fact]
    public async Task Schedule_is_cancelled_by_its_handle_after_a_restart()
    {
        ScheduledMessage before, after;
        await using (var first = await TestApp.StartAsync(Database, _clock))
        {
            before = await ScheduleAsync(first, new OrderPlaced(1), TimeSpan.FromDays(400));
            after = await ScheduleAsync(first, new OrderPlaced(2), TimeSpan.FromDays(400));
            await ScheduleAsync(first, new OrderPlaced(3), TimeSpan.FromDays(400));
            Assert.True(await CancelAsync(first, before));
        }

        await using var second = await TestApp.StartAsync(Database, _clock);
        Assert.Equal((false, true), (await CancelAsync(second, before), await CancelAsync(second, new ScheduledMessage(after.Id))));
        _clock.Advance(TimeSpan.FromDays(401));
        await second.DrainAsync();

        Assert.Equal([3], second.Placed.Select(p => p.Number));
    }

    [Fact]
    public async Task Host_wakes_up_when_a_message_is_due()
    {
        await using var app = await TestApp.StartAsync(Database, _clock, relays: true, configure: static options => (options.PollInterval, options.CleanupInterval) = (TimeSpan.FromHours(1), TimeSpan.FromHours(1)));
        await ScheduleAsync(app, new OrderPlaced(1), TimeSpan.FromMinutes(10));
        await Eventually.HoldsAsync(() => _clock.UntilNextTimer is { } next && next <= TimeSpan.FromMinutes(11));

        await Eventually.HoldsAsync(() =>
        {
            _clock.Advance(TimeSpan.FromMinutes(1));
            return app.Placed.Count == 1;
        });

        Assert.True(_clock.GetUtcNow() - new TestClock().GetUtcNow() >= TimeSpan.FromMinutes(10));
    }

    [Fact]
    public async Task Cancelled_message_is_not_sent()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        var cancelled = await ScheduleAsync(app, new OrderPlaced(1), TimeSpan.FromHours(1));
        await ScheduleAsync(app, new OrderPlaced(2), TimeSpan.FromHours(1));

        Assert.True(await CancelAsync(app, cancelled));
        Assert.False(await CancelAsync(app, cancelled));
        _clock.Advance(TimeSpan.FromHours(2));
        await app.DrainAsync();

        Assert.Equal([2], app.Placed.Select(p => p.Number));
    }

    [Fact]
    public async Task Cancelling_is_part_of_the_transaction()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        var handle = await ScheduleAsync(app, new OrderPlaced(1), TimeSpan.FromHours(1));

        await using (var scope = app.Services.CreateAsyncScope())
        {
            await scope.ServiceProvider.GetRequiredService<OutboxSession>().BeginAsync(Ct);
            Assert.True(await scope.ServiceProvider.GetRequiredService<MessageScheduler>().CancelAsync(handle, Ct));
        }

        _clock.Advance(TimeSpan.FromHours(2));
        await app.DrainAsync();
        Assert.Equal([1], app.Placed.Select(p => p.Number));
    }

    [Fact]
    public async Task Message_that_is_due_cannot_be_cancelled()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        var handle = await ScheduleAsync(app, new OrderPlaced(1), TimeSpan.FromHours(1));
        _clock.Advance(TimeSpan.FromHours(2));
        app.Wire.Fault = static (_, _) => new IOException("The connection is lost.");
        Assert.IsType<IOException>(await app.Relay().DrainAsync(false, default));

        Assert.False(await CancelAsync(app, handle));
    }

    [Fact]
    public async Task Time_that_has_passed_is_now()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        await using (var scope = app.Services.CreateAsyncScope())
        {
            var session = scope.ServiceProvider.GetRequiredService<OutboxSession>();
            await session.BeginAsync(Ct);
            await scope.ServiceProvider.GetRequiredService<MessageScheduler>().ScheduleAsync(new OrderPlaced(1), _clock.GetUtcNow().AddDays(-1), Ct);
            await session.CommitAsync(Ct);
        }

        await app.DrainAsync();

        Assert.Equal([1], app.Placed.Select(p => p.Number));
    }

    [Fact]
    public async Task Longest_time_is_not_too_long()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);

        await ScheduleAsync(app, new OrderPlaced(1), TimeSpan.MaxValue);
        await app.DrainAsync();

        Assert.Empty(app.Placed);
        Assert.Equal(1, await Database.CountAsync("postrider_outbox where state = 1"));
    }

    private static async Task<ScheduledMessage> ScheduleAsync(TestApp app, object message, TimeSpan delay)
    {
        ScheduledMessage handle = default;
        await app.InTransactionAsync(async (services, _) => handle = await services.GetRequiredService<MessageScheduler>().ScheduleAsync(message, delay));
        return handle;
    }

    private static async Task<bool> CancelAsync(TestApp app, ScheduledMessage handle)
    {
        await using var scope = app.Services.CreateAsyncScope();
        return await scope.ServiceProvider.GetRequiredService<MessageScheduler>().CancelAsync(handle, Ct);
    }
}
