using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Outbox;
using Postrider.Outbox.EntityFrameworkCore;
using Postrider.OutboxTests.EntityFramework;
using Postrider.OutboxTests.Harness;
using Postrider.Transports;

namespace Postrider.OutboxTests.Cases;

/// <summary>Sagas as rows: their state, their messages and the inbox are one transaction.</summary>
public abstract class SagaCases(OutboxDatabase kind, PostgresServer server) : DatabaseCases(kind, server)
{
    private readonly TestClock _clock = new();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task State_is_kept_and_messages_are_sent(bool withInbox)
    {
        await using var app = await ParcelApp.StartAsync(Database, withInbox: withInbox);

        await app.DeliverAsync("send", """{"Parcel":"p1"}""");
        await app.DeliverAsync("weighed", """{"Parcel":"p1","Grams":300}""", "w-1");
        await app.DeliverAsync("weighed", """{"Parcel":"p1","Grams":300}""", "w-1");
        await app.DeliverAsync("weighed", """{"Parcel":"p1","Grams":200}""");

        Assert.Equal((500, 2), await StateAsync(app, "p1"));
        await Eventually.HoldsAsync(() => app.Log.Lines.Contains("bill p1 500") && app.Log.Lines.Contains("bill p1 300"));
        Assert.Equal(1, await Database.CountAsync("postrider_saga where name = 'ParcelSaga' and id = 'p1' and version = 3 and expires_at = 0"));
    }

    [Fact]
    public async Task Failure_rolls_back_the_state_and_the_messages()
    {
        await using var app = await ParcelApp.StartAsync(Database, withInbox: true);
        await app.DeliverAsync("send", """{"Parcel":"p1"}""");
        app.Log.Failing = static fault => fault.Length > 0 ? new InvalidOperationException(fault) : null;

        await app.DeliverAsync("weighed", """{"Parcel":"p1","Grams":300,"Fault":"no scales"}""");
        await Eventually.HoldsAsync(() => app.Log.Lines.Count(static line => line == "weighed 300") == 2);
        await app.DeliverAsync("weighed", """{"Parcel":"p1","Grams":7}""");

        Assert.Equal((7, 1), await StateAsync(app, "p1"));
        await Eventually.HoldsAsync(() => app.Log.Lines.Contains("bill p1 7"));
        Assert.DoesNotContain("bill p1 300", app.Log.Lines);
        await foreach (var letter in app.Wire.OpenDeadLetters("dead").ListAsync(DeadLetterQuery.All, Ct))
            Assert.Equal("no scales", letter.Error);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Race_of_50_messages_on_one_id_in_two_processes_loses_none(bool withInbox)
    {
        await using var one = await ParcelApp.StartAsync(Database, withInbox: withInbox);
        await using var two = await ParcelApp.StartAsync(Database, withInbox: withInbox);
        await one.DeliverAsync("send", """{"Parcel":"p1"}""");

        await Task.WhenAll(Enumerable.Range(1, 50).Select(i => Task.Run(
            () => (i % 2 == 0 ? one : two).DeliverAsync("weighed", $$"""{"Parcel":"p1","Grams":{{i}}}""").AsTask(), Ct)));

        Assert.Equal((1275, 50), await StateAsync(one, "p1"));
        await Eventually.HoldsAsync(() => one.Log.Lines.Concat(two.Log.Lines).Count(static line => line.StartsWith("bill", StringComparison.Ordinal)) == 50);
        Assert.Single(one.Log.Lines.Concat(two.Log.Lines), "bill p1 1275");
        await foreach (var letter in one.Wire.OpenDeadLetters("dead").ListAsync(DeadLetterQuery.All, Ct))
            Assert.Fail(letter.Error);
        TestContext.Current.TestOutputHelper?.WriteLine($"{one.Log.Lines.Concat(two.Log.Lines).Count(static line => line.StartsWith("weighed", StringComparison.Ordinal)) - 50} repetitions");
    }

    [Fact]
    public async Task Race_to_start_one_saga_has_one_winner()
    {
        await using var app = await ParcelApp.StartAsync(Database);

        await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => Task.Run(() => app.DeliverAsync("send", """{"Parcel":"p1"}""").AsTask(), Ct)));

        Assert.Equal(1, await Database.CountAsync("postrider_saga where version = 20"));
        Assert.Equal(20, await Database.CountAsync("postrider_outbox where state = 1"));
    }

    [Fact]
    public async Task Timeout_survives_its_process_and_a_late_one_is_ignored()
    {
        await using (var first = await ParcelApp.StartAsync(Database, _clock))
        {
            await first.DeliverAsync("send", """{"Parcel":"p1"}""");
            await first.DeliverAsync("send", """{"Parcel":"p2"}""");
            _clock.Advance(TimeSpan.FromDays(1));
            await first.DeliverAsync("send", """{"Parcel":"p2"}""");
        }

        _clock.Advance(ParcelSaga.Patience - TimeSpan.FromDays(1) + TimeSpan.FromSeconds(1));
        await using var second = await ParcelApp.StartAsync(Database, _clock);
        await Eventually.HoldsAsync(() => second.Log.Lines.Contains("bill p1 0"));
        await Eventually.HoldsAsync(async () => await Database.CountAsync("postrider_outbox where state = 0") == 0);

        Assert.Equal((true, false), (await second.IsCompletedAsync("p1"), await second.IsCompletedAsync("p2")));
        Assert.Single(second.Log.Lines, "lost");
    }

    [Fact]
    public async Task Saga_that_has_ended_is_removed_after_its_time()
    {
        await using var app = await ParcelApp.StartAsync(Database, _clock);
        await app.DeliverAsync("send", """{"Parcel":"p1"}""");
        await Eventually.HoldsAsync(() =>
        {
            _clock.Advance(TimeSpan.FromHours(12));
            return app.Log.Lines.Contains("lost");
        });
        await Eventually.HoldsAsync(() => app.IsCompletedAsync("p1"));
        await app.DeliverAsync("weighed", """{"Parcel":"p1","Grams":7}""");
        Assert.DoesNotContain("weighed 7", app.Log.Lines);

        await Eventually.HoldsAsync(async () =>
        {
            _clock.Advance(TimeSpan.FromHours(12));
            return await Database.CountAsync("postrider_saga") == 0;
        });
        await app.DeliverAsync("send", """{"Parcel":"p1"}""");

        Assert.Equal((0, 0), await StateAsync(app, "p1"));
    }

    [Fact]
    public async Task Saga_that_is_started_again_is_not_reached_by_the_timeout_of_the_earlier_one()
    {
        await using var app = await ParcelApp.StartAsync(Database, _clock);
        await app.DeliverAsync("send", """{"Parcel":"p1"}""");
        // It has ended, its time is over, and its timeout is still waiting.
        await Database.ExecuteAsync("delete from postrider_saga");
        _clock.Advance(ParcelSaga.Patience - TimeSpan.FromDays(5));

        await app.DeliverAsync("send", """{"Parcel":"p1"}""");
        Assert.Equal(2, await Database.CountAsync("postrider_outbox where state = 1"));
        _clock.Advance(TimeSpan.FromDays(6));
        // The relay may begin to wait only after that.
        await Eventually.HoldsAsync(async () =>
        {
            _clock.Advance(TimeSpan.FromSeconds(1));
            return await Database.CountAsync("postrider_outbox") == 1;
        });
        Assert.Equal((0, 0), await StateAsync(app, "p1"));
        Assert.Empty(app.Log.Lines);

        _clock.Advance(ParcelSaga.Patience);
        await Eventually.HoldsAsync(() =>
        {
            _clock.Advance(TimeSpan.FromSeconds(1));
            return app.Log.Lines.Contains("bill p1 0");
        });
        Assert.True(await app.IsCompletedAsync("p1"));
    }

    [Fact]
    public async Task Message_that_would_not_be_part_of_the_transaction_is_refused()
    {
        await using var app = await ParcelApp.StartAsync(Database, throughOutbox: false);

        await app.DeliverAsync("send", """{"Parcel":"p1"}""");

        await Eventually.HoldsAsync(async () => await CountDeadAsync(app) == 1);
        await foreach (var letter in app.Wire.OpenDeadLetters("dead").ListAsync(DeadLetterQuery.All, Ct))
            Assert.Contains("is not routed through an outbox", letter.Error, StringComparison.Ordinal);
        Assert.Equal(0, await Database.CountAsync("postrider_saga"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Sagas_are_kept_in_a_DbContext(bool withInbox)
    {
        var configured = new DbContextOptionsBuilder<ShopContext>();
        Configure(configured);
        await using (var context = new ShopContext(configured.Options))
            await context.Database.ExecuteSqlRawAsync(context.Database.GenerateCreateScript(), Ct);
        await using var app = await ParcelApp.StartAsync(Database, withInbox: withInbox, use: (outbox, services) =>
        {
            services.AddDbContext<ShopContext>(Configure);
            outbox.UseDbContext<ShopContext>();
        });

        await app.DeliverAsync("send", """{"Parcel":"p1"}""");
        await Task.WhenAll(Enumerable.Range(1, 10).Select(i => Task.Run(() => app.DeliverAsync("weighed", $$"""{"Parcel":"p1","Grams":{{i}}}""").AsTask(), Ct)));

        Assert.Equal((55, 10), await StateAsync(app, "p1"));
        Assert.Equal(1, await Database.CountAsync("shop_saga where version = 11"));
        await Eventually.HoldsAsync(() => app.Log.Lines.Count(static line => line.StartsWith("bill", StringComparison.Ordinal)) == 10);
    }

    private void Configure(DbContextOptionsBuilder options)
    {
        if (Database.Kind == OutboxDatabase.PostgreSql)
            options.UseNpgsql(Database.ConnectionString);
        else
            options.UseSqlite(Database.ConnectionString);
    }

    private static async Task<(int Grams, int Weighed)> StateAsync(ParcelApp app, string id)
        => await app.FindAsync(id) is { } saga ? (saga.Grams, saga.Weighed) : default;

    private static async Task<int> CountDeadAsync(ParcelApp app)
    {
        var count = 0;
        await foreach (var _ in app.Wire.OpenDeadLetters("dead").ListAsync(DeadLetterQuery.All, Ct))
            count++;
        return count;
    }
}
