using System.Text;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Envelopes;
using Postrider.Outbox;
using Postrider.OutboxTests.Harness;
using Postrider.Transports;

namespace Postrider.OutboxTests.Cases;

/// <summary>What is written in a transaction is sent after its commit, and in the order of its key.</summary>
public abstract class OutboxCases(OutboxDatabase kind, PostgresServer server) : DatabaseCases(kind, server)
{
    [Fact]
    public async Task Nothing_is_sent_before_the_commit()
    {
        await using var app = await TestApp.StartAsync(Database);
        var relay = app.Relay();

        await app.InTransactionAsync(async (services, dispatcher) =>
        {
            await dispatcher.PublishAsync(new OrderPlaced(1));
            if (Database.Kind == OutboxDatabase.PostgreSql)
                Assert.Null(await relay.DrainAsync(false, default));
            Assert.Empty(app.Placed);
        });
        Assert.Empty(app.Placed);
        await relay.DrainAsync(false, default);

        Assert.Equal([1], app.Placed.Select(p => p.Number));
        Assert.Equal(0, await Database.CountAsync("postrider_outbox"));
    }

    [Fact]
    public async Task What_is_rolled_back_is_not_sent()
    {
        await using var app = await TestApp.StartAsync(Database);

        await using (var scope = app.Services.CreateAsyncScope())
        {
            await scope.ServiceProvider.GetRequiredService<OutboxSession>().BeginAsync(Ct);
            await scope.ServiceProvider.GetRequiredService<IDispatcher>().PublishAsync(new OrderPlaced(1), Ct);
        }

        await app.DrainAsync();
        Assert.Empty(app.Placed);
        Assert.Equal(0, await Database.CountAsync("postrider_outbox"));
    }

    [Fact]
    public async Task Scope_may_be_disposed_synchronously()
    {
        await using var app = await TestApp.StartAsync(Database);

        foreach (var number in (int[])[1, 2])
        {
            using var scope = app.Services.CreateScope();
            var session = scope.ServiceProvider.GetRequiredService<OutboxSession>();
            await session.BeginAsync(Ct);
            await scope.ServiceProvider.GetRequiredService<IDispatcher>().PublishAsync(new OrderPlaced(number), Ct);
            if (number == 1)
                await session.CommitAsync(Ct);
        }

        await app.DrainAsync();
        Assert.Equal([1], app.Placed.Select(p => p.Number));
    }

    [Fact]
    public async Task Commit_in_this_process_wakes_the_relay()
    {
        await using var app = await TestApp.StartAsync(Database, relays: true, configure: static options => options.PollInterval = TimeSpan.FromHours(1));
        await app.PublishAsync(new OrderPlaced(1));
        await Eventually.HoldsAsync(() => app.Placed.Count == 1);

        await app.PublishAsync(new OrderPlaced(2));

        await Eventually.HoldsAsync(() => app.Placed.Count == 2);
    }

    [Fact]
    public async Task Relay_of_another_process_finds_what_is_committed()
    {
        await using var writer = await TestApp.StartAsync(Database);
        await using var relaying = await TestApp.StartAsync(Database, relays: true);

        await writer.PublishAsync(new OrderPlaced(1));

        await Eventually.HoldsAsync(() => relaying.Placed.Count == 1);
        Assert.Empty(writer.Placed);
    }

    [Fact]
    public async Task Transaction_of_the_application_is_enlisted()
    {
        await using var app = await TestApp.StartAsync(Database);
        await using var scope = app.Services.CreateAsyncScope();
        await using var connection = await Database.Source.OpenConnectionAsync(Ct);
        var session = scope.ServiceProvider.GetRequiredService<OutboxSession>();

        await using (var first = await connection.BeginTransactionAsync(Ct))
        {
            session.Enlist(first);
            await scope.ServiceProvider.GetRequiredService<IDispatcher>().PublishAsync(new OrderPlaced(1), Ct);
            await Assert.ThrowsAsync<PostriderException>(async () => await session.CommitAsync(Ct));
            await first.CommitAsync(Ct);
        }

        await using (var second = await connection.BeginTransactionAsync(Ct))
        {
            session.Enlist(second);
            await scope.ServiceProvider.GetRequiredService<IDispatcher>().PublishAsync(new OrderPlaced(2), Ct);
            await second.RollbackAsync(Ct);
        }

        await app.DrainAsync();
        Assert.Equal([1], app.Placed.Select(p => p.Number));
    }

    [Fact]
    public async Task Transactional_command_commits_its_rows_and_its_messages_or_neither()
    {
        await using var app = await TestApp.StartAsync(Database);
        var dispatcher = app.Services.GetRequiredService<IDispatcher>();

        await dispatcher.SendAsync(new PlaceOrder(1, Fails: false), Ct);
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await dispatcher.SendAsync(new PlaceOrder(2, Fails: true), Ct));
        await app.DrainAsync();

        Assert.Equal([1], app.Placed.Select(p => p.Number));
        Assert.Equal(1, await Database.CountAsync("orders"));
    }

    [Fact]
    public async Task Part_that_failed_keeps_the_whole_from_being_committed()
    {
        await using var app = await TestApp.StartAsync(Database);

        var refused = await Assert.ThrowsAsync<PostriderException>(() => app.InTransactionAsync(async (_, dispatcher) =>
        {
            await dispatcher.SendAsync(new PlaceOrder(1, Fails: false));
            await Assert.ThrowsAsync<InvalidOperationException>(async () => await dispatcher.SendAsync(new PlaceOrder(2, Fails: true)));
        }));

        Assert.Contains("failed and rolled back", refused.Message, StringComparison.Ordinal);
        Assert.Equal(0, await Database.CountAsync("orders"));
        Assert.Equal(0, await Database.CountAsync("postrider_outbox"));
    }

    [Fact]
    public async Task Properties_survive_the_table()
    {
        await using var app = await TestApp.StartAsync(Database);
        var odd = new Headers { { "Odd ☃", "välue" }, { "Empty", "" }, { "Twice", "1" }, { "Twice", "2" }, { "Nul", "a\0b" } };
        var expires = DateTimeOffset.UtcNow.AddHours(1);

        await app.InTransactionAsync(async (services, _) => await services.GetRequiredService<RoutedMessages>().SendAsync(
            new OrderPlaced(7, "k"), new CallOrigin { Services = services },
            properties => properties with { MessageId = "id-7", CorrelationId = "c", CausationId = "b", ExpiresAt = expires, IdempotencyKey = "i", TraceParent = "00-t", TraceState = "s", Headers = odd }));
        MessageProperties sent = default;
        app.Wire.Fault = (properties, _) =>
        {
            sent = properties;
            return null;
        };
        await app.DrainAsync();

        Assert.Equal(("id-7", "c", "b", "k", "i"), (sent.MessageId, sent.CorrelationId, sent.CausationId, sent.Key, sent.IdempotencyKey));
        Assert.Equal((typeof(OrderPlaced).FullName, "application/json", "00-t", "s", expires), (sent.Type, sent.ContentType, sent.TraceParent, sent.TraceState, sent.ExpiresAt));
        Assert.Equal(odd.ToArray(), sent.Headers!.ToArray());
    }

    [Theory]
    [InlineData("empty", 0)]
    [InlineData("one byte", 1)]
    [InlineData("limit", 5000)]
    public async Task Bodies_survive_the_table(string what, int bytes)
    {
        await using var app = await TestApp.StartAsync(Database, configure: static options => options.MaxBodyBytes = 5000);
        var body = Encoding.UTF8.GetBytes(new string('x', bytes));

        await app.InTransactionAsync(async (services, _) => await OpenSender(app).SendAsync(new MessageProperties { MessageId = what }, body, services, Ct));
        byte[]? sent = null;
        app.Wire.Fault = (_, arrived) =>
        {
            sent = arrived.ToArray();
            return new ArgumentException("Not for the listener.");
        };
        await app.DrainAsync();

        Assert.Equal(body, sent);
    }

    [Fact]
    public async Task Order_is_kept_for_each_key_by_several_relays()
    {
        await using var app = await TestApp.StartAsync(Database, configure: static options => options.BatchSize = 20);
        const int keys = 20;
        for (var round = 0; round < 6; round++)
            await app.PublishAsync([.. Enumerable.Range(0, 50).Select(i => new OrderPlaced((round * 50) + i, $"key-{i % keys}"))]);
        var random = new Random(Seed.Next());
        app.Wire.Before = async _ =>
        {
            int yields;
            lock (random)
                yields = random.Next(5);
            for (; yields > 0; yields--)
                await Task.Yield();
        };

        var relays = Enumerable.Range(0, 4).Select(_ => app.Relay()).ToList();
        await Task.WhenAll(relays.Select(relay => Task.Run(async () => await relay.DrainAsync(false, default))));
        foreach (var relay in relays)
            await relay.EndAsync();
        // A relay leaves a key that another one has; that one may just have ended.
        await app.DrainAsync();

        Assert.Equal(300, app.Placed.Count);
        for (var key = 0; key < keys; key++)
            Assert.Equal(app.PlacedOf($"key-{key}").Order(), app.PlacedOf($"key-{key}"));
    }

    [Fact]
    public async Task Slow_key_does_not_hold_the_others()
    {
        await using var app = await TestApp.StartAsync(Database);
        await app.PublishAsync(new OrderPlaced(1, "slow"), new OrderPlaced(2, "slow"), new OrderPlaced(3, "a"), new OrderPlaced(4, "b"), new OrderPlaced(5, "c"), new OrderPlaced(6));
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        app.Wire.Before = properties => properties.Key == "slow" ? release.Task : Task.CompletedTask;

        var draining = Task.Run(async () => await app.DrainAsync(), Ct);
        await Eventually.HoldsAsync(() => app.Placed.Count == 4);
        if (Database.Kind == OutboxDatabase.PostgreSql)
        {
            // Another relay passes what comes behind.
            await app.PublishAsync(new OrderPlaced(7, "slow"), new OrderPlaced(8, "d"));
            await app.DrainAsync();
            Assert.Equal([8], app.PlacedOf("d"));
        }

        release.SetResult();
        await draining;
        await app.DrainAsync();
        Assert.Equal(Database.Kind == OutboxDatabase.PostgreSql ? [1, 2, 7] : [1, 2], app.PlacedOf("slow"));
    }

    private static ScopedMessageSender OpenSender(TestApp app)
        => (ScopedMessageSender)app.Services.GetRequiredKeyedService<ITransport>("outbox").OpenSender("placed");
}
