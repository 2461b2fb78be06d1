using System.Collections.Concurrent;
using System.Text;
using System.Text.Json.Serialization;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Envelopes;
using Postrider.Middleware;
using Postrider.Outbox;
using Postrider.Outbox.EntityFrameworkCore;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.OutboxTests.EntityFramework;

/// <summary>The outbox and the inbox in a DbContext.</summary>
public abstract class EntityFrameworkCases(OutboxDatabase kind, PostgresServer server) : DatabaseCases(kind, server)
{
    private readonly ConcurrentQueue<string> _arrived = new();
    private readonly InMemoryTransport _transport = new();
    private readonly Bank _bank = new();
    private IHost _host = null!;

    public override async ValueTask InitializeAsync()
    {
        await base.InitializeAsync();
        var builder = Host.CreateEmptyApplicationBuilder(null);
        var json = new JsonSerializerProvider(ShopJson.Default);
        builder.Services.AddDbContext<ShopContext>(options =>
        {
            if (Database.Kind == OutboxDatabase.PostgreSql)
                options.UseNpgsql(Database.ConnectionString, static npgsql => npgsql.ExecutionStrategy(static dependencies => new BusyStrategy(dependencies)));
            else
                options.UseSqlite(Database.ConnectionString, static sqlite => sqlite.ExecutionStrategy(static dependencies => new BusyStrategy(dependencies)));
        });
        builder.Services.AddSingleton(_bank);
        builder.Services.AddPostrider(options => options.RouteNotification<Sold>("outbox", json, "sold"));
        builder.Services.AddPostriderTransport("shop", _ => _transport, json).UseInbox("shop").Command<Sell>(new AtLeastOnceBinding("sell") { Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 1 } });
        builder.Services.AddPostriderOutbox(static options => options.PollInterval = TimeSpan.FromMilliseconds(200)).UseDbContext<ShopContext>().AddTransport("outbox", over: "shop");
        _host = builder.Build();
        await using (var scope = _host.Services.CreateAsyncScope())
        {
            // The database has the tables of the tests already, so that EnsureCreated would do nothing.
            var context = scope.ServiceProvider.GetRequiredService<ShopContext>();
            await context.Database.ExecuteSqlRawAsync(context.Database.GenerateCreateScript(), Ct);
        }

        await _transport.ListenAsync(new TransportBinding("sold"), (envelope, _) =>
        {
            _arrived.Enqueue(Encoding.UTF8.GetString(envelope.Body.Span));
            return default;
        }, Ct);
        await _host.StartAsync(Ct);
    }

    [Fact]
    public async Task SaveChanges_carries_rows_and_messages()
    {
        await InScopeAsync(async (services, context) =>
        {
            context.Sales.Add(new Sale { Number = 1 });
            await services.GetRequiredService<IDispatcher>().PublishAsync(new Sold(1, "k"), Ct);
            Assert.Equal(0, await Database.CountAsync("shop_outbox"));
            await context.SaveChangesAsync(Ct);
            Assert.Empty(context.ChangeTracker.Entries<OutboxMessage>());
        });

        await Eventually.HoldsAsync(() => _arrived.Count == 1);
        await StopAsync();
    }

    [Fact]
    public async Task Without_SaveChanges_and_after_a_rollback_nothing_is_sent()
    {
        await InScopeAsync(async (services, _) => await services.GetRequiredService<IDispatcher>().PublishAsync(new Sold(1, "k"), Ct));
        await InScopeAsync(async (services, context) => await context.Database.CreateExecutionStrategy().ExecuteAsync(async () =>
        {
            await using var transaction = await context.Database.BeginTransactionAsync(Ct);
            await services.GetRequiredService<IDispatcher>().PublishAsync(new Sold(2, "k"), Ct);
            await context.SaveChangesAsync(Ct);
            await transaction.RollbackAsync(Ct);
        }));
        await InScopeAsync(async (services, context) =>
        {
            await services.GetRequiredService<IDispatcher>().PublishAsync(new Sold(3, "k"), Ct);
            await context.SaveChangesAsync(Ct);
        });

        await Eventually.HoldsAsync(() => !_arrived.IsEmpty);
        Assert.Equal("""{"number":3,"key":"k"}""", Assert.Single(_arrived));
        await StopAsync();
    }

    [Fact]
    public async Task Handler_behind_the_inbox_is_saved_and_committed_once()
    {
        await DeliverAsync(1, "id-1");
        await DeliverAsync(1, "id-1");

        await Eventually.HoldsAsync(() => _arrived.Count == 1);
        await InScopeAsync(async (_, context) => Assert.Equal(1, await context.Sales.CountAsync(Ct)));
        Assert.Equal(1, await Database.CountAsync("shop_inbox"));
        await StopAsync();
    }

    [Fact]
    public async Task Handler_that_fails_leaves_nothing()
    {
        await DeliverAsync(-1, "id-1");

        await InScopeAsync(async (_, context) => Assert.Equal(0, await context.Sales.CountAsync(Ct)));
        Assert.Equal((0, 0), (await Database.CountAsync("shop_inbox"), await Database.CountAsync("shop_outbox")));
        await StopAsync();
    }

    [Fact]
    public async Task Strategy_that_retries_calls_the_handler_again_after_a_part_of_its_transaction_failed()
    {
        _bank.Failures = 1;
        await DeliverAsync(1, "id-1");

        await Eventually.HoldsAsync(() => _arrived.Count == 1);
        await InScopeAsync(async (_, context) => Assert.Equal(1, await context.Sales.CountAsync(Ct)));
        Assert.Equal(2, _bank.Calls);
        await StopAsync();
    }

    [Fact]
    public async Task Save_that_failed_is_repeated_with_its_message()
    {
        await InScopeAsync(async (services, context) =>
        {
            var missing = context.Attach(new Sale { Id = 999 });
            missing.Entity.Number = 7;
            await services.GetRequiredService<IDispatcher>().PublishAsync(new Sold(1, "k"), Ct);
            await Assert.ThrowsAsync<DbUpdateConcurrencyException>(() => context.SaveChangesAsync(Ct));
            missing.State = EntityState.Detached;
            await context.SaveChangesAsync(Ct);
            await context.SaveChangesAsync(Ct);
        });
        await InScopeAsync(async (services, context) =>
        {
            await services.GetRequiredService<IDispatcher>().PublishAsync(new Sold(2, "k"), Ct);
            await context.SaveChangesAsync(Ct);
        });

        await Eventually.HoldsAsync(() => _arrived.Count >= 2);
        Assert.Equal(["""{"number":1,"key":"k"}""", """{"number":2,"key":"k"}"""], _arrived);
        await StopAsync();
    }

    [Fact]
    public async Task Schedule_is_cancelled_before_and_after_it_is_saved()
    {
        await InScopeAsync(async (services, context) =>
        {
            var scheduler = services.GetRequiredService<MessageScheduler>();
            var unsaved = await scheduler.ScheduleAsync(new Sold(1, "k"), TimeSpan.FromDays(1), Ct);
            Assert.True(await scheduler.CancelAsync(unsaved, Ct));
            var saved = await scheduler.ScheduleAsync(new Sold(2, "k"), TimeSpan.FromDays(1), Ct);
            await context.SaveChangesAsync(Ct);
            Assert.Equal(1, await Database.CountAsync("shop_outbox"));
            Assert.True(await scheduler.CancelAsync(saved, Ct));
            Assert.False(await scheduler.CancelAsync(saved, Ct));
        });

        Assert.Equal(0, await Database.CountAsync("shop_outbox"));
        await StopAsync();
    }

    private async Task InScopeAsync(Func<IServiceProvider, ShopContext, Task> act)
    {
        await using var scope = _host.Services.CreateAsyncScope();
        await act(scope.ServiceProvider, scope.ServiceProvider.GetRequiredService<ShopContext>());
    }

    private async Task DeliverAsync(int number, string id)
        => await _transport.SendAsync(new Envelope { Destination = "sell", Headers = new() { { HeaderNames.MessageId, id } }, Body = Encoding.UTF8.GetBytes($$"""{"number":{{number}}}""") }, Ct);

    private async Task StopAsync()
    {
        await _host.StopAsync(Ct);
        _host.Dispose();
    }
}

internal sealed partial record Sell(int Number) : ICommand;

internal sealed partial record Charge(int Number) : ICommand, ITransactional;

internal sealed class Bank
{
    public int Failures { get; set; }

    public int Calls { get; set; }
}

internal sealed class BusyException : Exception;

internal sealed class BusyStrategy(ExecutionStrategyDependencies dependencies) : ExecutionStrategy(dependencies, maxRetryCount: 3, maxRetryDelay: TimeSpan.FromMilliseconds(10))
{
    protected override bool ShouldRetryOn(Exception exception) => exception is BusyException;
}

internal sealed partial record Sold(int Number, string Key) : INotification, IKeyed;

internal static class ShopHandlers
{
    // A part of the transaction of the message that it follows.
    [Handler]
    public static void Charge(Charge command, Bank bank)
    {
        if (bank.Calls++ < bank.Failures)
            throw new BusyException();
    }

    // The inbox saves the changes.
    [Handler]
    public static async Task Sell(Sell command, ShopContext context, IDispatcher dispatcher, CancellationToken ct)
    {
        context.Sales.Add(new Sale { Number = command.Number });
        await dispatcher.PublishAsync(new Sold(command.Number, "k"), ct);
        await dispatcher.SendAsync(new Charge(command.Number), ct);
        if (command.Number < 0)
            throw new InvalidOperationException("It cannot be sold.");
    }
}

[JsonSerializable(typeof(Sell))]
[JsonSerializable(typeof(Sold))]
internal sealed partial class ShopJson : JsonSerializerContext;
