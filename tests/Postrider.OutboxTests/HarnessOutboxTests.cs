using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Outbox;
using Postrider.Outbox.EntityFrameworkCore;
using Postrider.OutboxTests.EntityFramework;
using Postrider.OutboxTests.Harness;
using Postrider.Testing;
using Postrider.Transports;

namespace Postrider.OutboxTests;

/// <summary>An application with an outbox under the test harness: handler, outbox and consumer.</summary>
public sealed class HarnessOutboxTests(PostgresServer server) : IAsyncLifetime
{
    private readonly ShipLog _log = new();
    private TestDatabase _database = null!;
    private IHost _host = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    private TestHarness Harness => _host.Services.GetRequiredService<TestHarness>();

    public async ValueTask InitializeAsync()
    {
        _database = await TestDatabase.CreateAsync(OutboxDatabase.Sqlite, server);
        _host = await StartAsync(outbox => outbox.UseDataSource(_ => _database.Source, OutboxDatabase.Sqlite));
    }

    public async ValueTask DisposeAsync()
    {
        await _host.StopAsync(CancellationToken.None);
        _host.Dispose();
        await _database.DisposeAsync();
    }

    [Fact]
    public async Task Message_of_a_handler_is_consumed_once_when_its_transaction_is_committed()
    {
        var failures = 1;
        _log.Failing = _ => failures-- > 0;

        await Harness.DeliverAsync("wire", "ship", new ShipOrder(7), OrdersJson.Provider, new() { MessageId = "m7" });
        await Harness.IdleAsync(Ct);
        Assert.Empty(Harness.Consumed<OrderPlaced>());
        await Harness.AdvanceAsync(TimeSpan.FromMinutes(1), Ct);

        Assert.Equal([7L, 7L], _log.Calls);
        Assert.Equal(7, Assert.Single(Harness.Consumed<OrderPlaced>()).Message.Number);
        Assert.Equal([("wire", "ship"), ("wire", "placed")], Harness.Sent.Select(static sent => (sent.Transport, sent.Destination)));
        Assert.Equal(0, await _database.CountAsync("postrider_outbox"));
    }

    [Fact]
    public async Task Message_of_a_transaction_that_is_rolled_back_is_not_sent()
    {
        await using (var scope = _host.Services.CreateAsyncScope())
        {
            await scope.ServiceProvider.GetRequiredService<OutboxSession>().BeginAsync(Ct);
            await scope.ServiceProvider.GetRequiredService<IDispatcher>().PublishAsync(new OrderPlaced(1), Ct);
            await Harness.IdleAsync(Ct);
        }

        await Harness.AdvanceAsync(TimeSpan.FromDays(1), Ct);

        Assert.Empty(Harness.Sent);
    }

    [Fact]
    public async Task Message_of_a_transaction_that_the_application_commits_itself_is_sent()
    {
        await using var connection = await _database.Source.OpenConnectionAsync(Ct);
        await using var transaction = await connection.BeginTransactionAsync(Ct);
        await using var scope = _host.Services.CreateAsyncScope();
        scope.ServiceProvider.GetRequiredService<OutboxSession>().Enlist(transaction);
        await scope.ServiceProvider.GetRequiredService<IDispatcher>().PublishAsync(new OrderPlaced(2), Ct);
        await transaction.CommitAsync(Ct);

        await Harness.IdleAsync(Ct);

        Assert.Equal(2, Assert.Single(Harness.Consumed<OrderPlaced>()).Message.Number);
    }

    [Fact]
    public async Task Scheduled_message_is_consumed_when_the_clock_says_so_and_a_cancelled_one_never()
    {
        await using var scope = _host.Services.CreateAsyncScope();
        var (session, scheduler) = (scope.ServiceProvider.GetRequiredService<OutboxSession>(), scope.ServiceProvider.GetRequiredService<MessageScheduler>());
        await session.BeginAsync(Ct);
        await scheduler.ScheduleAsync(new OrderPlaced(3), TimeSpan.FromDays(14), Ct);
        var cancelled = await scheduler.ScheduleAsync(new OrderPlaced(4), TimeSpan.FromDays(15), Ct);
        await session.CommitAsync(Ct);

        await Harness.AdvanceAsync(TimeSpan.FromDays(14) - TimeSpan.FromSeconds(1), Ct);
        Assert.Empty(Harness.Consumed<OrderPlaced>());
        await Harness.AdvanceAsync(TimeSpan.FromSeconds(2), Ct);
        Assert.Equal(3, Assert.Single(Harness.Consumed<OrderPlaced>()).Message.Number);
        Assert.True(await scheduler.CancelAsync(cancelled, Ct));
        await Harness.AdvanceAsync(TimeSpan.FromDays(400), Ct);

        Assert.Single(Harness.Consumed<OrderPlaced>());
    }

    [Fact]
    public async Task Message_that_a_context_saves_is_consumed()
    {
        using var host = await StartAsync(
            outbox => outbox.UseDbContext<ShopContext>(),
            services => services.AddDbContext<ShopContext>(options => options.UseSqlite(_database.ConnectionString)),
            binds: false);
        await using var scope = host.Services.CreateAsyncScope();
        var context = scope.ServiceProvider.GetRequiredService<ShopContext>();
        await using var transaction = await context.Database.BeginTransactionAsync(Ct);
        await scope.ServiceProvider.GetRequiredService<IDispatcher>().PublishAsync(new OrderPlaced(5), Ct);
        await context.SaveChangesAsync(Ct);
        var harness = host.Services.GetRequiredService<TestHarness>();
        await harness.IdleAsync(Ct);
        Assert.Empty(harness.Sent);

        await transaction.CommitAsync(Ct);
        await harness.IdleAsync(Ct);

        Assert.Equal(5, Assert.Single(harness.Consumed<OrderPlaced>()).Message.Number);
        await host.StopAsync(Ct);
    }

    private async Task<IHost> StartAsync(Action<OutboxBuilder> use, Action<IServiceCollection>? add = null, bool binds = true)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton(_log);
        builder.Services.AddPostrider(static options => options
            .ReplaceNotification<OrderPlaced>(static (_, _) => default)
            .RouteNotification<OrderPlaced>("outbox", OrdersJson.Provider, "placed"));
        var transport = builder.Services.AddPostriderTransport("wire", static _ => throw new InvalidOperationException("The harness replaces this transport."), OrdersJson.Provider)
            .Notification<OrderPlaced>(new AtLeastOnceBinding("placed"));
        if (binds)
            transport.UseInbox("shop").Command<ShipOrder>(new AtLeastOnceBinding("ship"));
        var outbox = builder.Services.AddPostriderOutbox().AddTransport("outbox", over: "wire");
        use(outbox);
        add?.Invoke(builder.Services);
        builder.Services.AddPostriderTestHarness();
        var host = builder.Build();
        await using (var scope = host.Services.CreateAsyncScope())
        {
            if (scope.ServiceProvider.GetService<ShopContext>() is { } context)
                await context.Database.ExecuteSqlRawAsync(context.Database.GenerateCreateScript(), Ct);
        }

        await host.StartAsync(Ct);
        return host;
    }
}
