using System.Collections.Concurrent;
using System.Data.Common;
using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Dispatch;
using Postrider.Envelopes;
using Postrider.Outbox;
using Postrider.Resilience;
using Postrider.Transports;

namespace Postrider.OutboxTests.Harness;

/// <summary>An application with an outbox before a transport in memory, and what has arrived there.</summary>
internal sealed class TestApp : IAsyncDisposable
{
    private readonly IHost _host;
    private readonly OutboxOptions _options = new();

    private TestApp(TestDatabase database, TimeProvider time, bool relays, Action<OutboxOptions>? configure, Action<TransportBuilder>? bind, DbDataSource? source, Action<OutboxBuilder>? extend)
    {
        Wire = new BreakableTransport(time);
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton(time);
        builder.Services.AddSingleton(Log);
        builder.Services.AddPostrider(static options => options
            .RouteNotification<OrderPlaced>("outbox", OrdersJson.Provider, "placed")
            .Route<ShipOrder, Unit>("outbox", OrdersJson.Provider, "ship"));
        bind?.Invoke(builder.Services.AddPostriderTransport("wire", _ => Wire, OrdersJson.Provider));
        if (bind is null)
            builder.Services.AddPostriderTransport("wire", _ => Wire, OrdersJson.Provider);
        var outbox = builder.Services.AddPostriderOutbox(options =>
        {
            Configure(options);
            options.Relay = relays;
            configure?.Invoke(options);
        }).UseDataSource(_ => source ?? database.Source, database.Kind).AddTransport("outbox", over: "wire");
        extend?.Invoke(outbox);
        Configure(_options);
        configure?.Invoke(_options);
        _host = builder.Build();
        (Database, Time) = (database, time);

        void Configure(OutboxOptions options)
        {
            options.PollInterval = TimeSpan.FromMilliseconds(50);
            options.Retry = new RetryPolicy { MaxAttempts = 3, BaseDelay = TimeSpan.FromSeconds(1), MaxDelay = TimeSpan.FromSeconds(10), Backoff = Backoff.Exponential };
        }
    }

    public TestDatabase Database { get; }

    public TimeProvider Time { get; }

    public BreakableTransport Wire { get; }

    public ShipLog Log { get; } = new();

    /// <summary>The keys and numbers of the orders that arrived, in their order.</summary>
    public ConcurrentQueue<(string Key, long Number, Headers Headers)> Placed { get; } = new();

    public IServiceProvider Services => _host.Services;

    public static async Task<TestApp> StartAsync(
        TestDatabase database, TimeProvider? time = null, bool relays = false, Action<OutboxOptions>? configure = null, Action<TransportBuilder>? bind = null, DbDataSource? source = null,
        Action<OutboxBuilder>? extend = null)
    {
        var app = new TestApp(database, time ?? TimeProvider.System, relays, configure, bind, source, extend);
        await app.Wire.ListenAsync(new TransportBinding("placed") { MaxConcurrency = 100 }, app.Take, CancellationToken.None);
        await app._host.StartAsync();
        return app;
    }

    /// <summary>A relay of the test's own: it works when the test says so.</summary>
    public RelayLoop Relay(DbDataSource? source = null)
    {
        var store = new DataSourceStore(source ?? Database.Source, Database.Kind, _options);
        var sender = new BatchSender(Wire, "wire", _options, Time, NullLogger.Instance);
        return Database.Kind == OutboxDatabase.Sqlite ? new SqliteRelay(store, sender, _options, Time) : new PostgreSqlRelay(store, sender, _options, Time);
    }

    /// <summary>Relays what there is, and leaves the rest to the next one.</summary>
    public async Task DrainAsync()
    {
        var relay = Relay();
        Assert.Null(await relay.DrainAsync(false, default).AsTask().WaitAsync(Eventually.Patience));
        await relay.EndAsync();
    }

    /// <summary>Does something in a transaction of its own, and commits.</summary>
    public async Task InTransactionAsync(Func<IServiceProvider, IDispatcher, Task> act)
    {
        await using var scope = Services.CreateAsyncScope();
        var session = scope.ServiceProvider.GetRequiredService<OutboxSession>();
        await session.BeginAsync();
        await act(scope.ServiceProvider, scope.ServiceProvider.GetRequiredService<IDispatcher>());
        await session.CommitAsync();
    }

    public Task PublishAsync(params OrderPlaced[] orders)
        => InTransactionAsync(async (_, dispatcher) =>
        {
            foreach (var order in orders)
                await dispatcher.PublishAsync(order);
        });

    public IEnumerable<long> PlacedOf(string key) => Placed.Where(placed => placed.Key == key).Select(placed => placed.Number);

    public async ValueTask DisposeAsync()
    {
        await _host.StopAsync();
        await ((IAsyncDisposable)_host).DisposeAsync();
    }

    private ValueTask<Envelope?> Take(Envelope envelope, CancellationToken ct)
    {
        var text = System.Text.Encoding.UTF8.GetString(envelope.Body.Span);
        var number = long.Parse(new string([.. text.SkipWhile(c => !char.IsAsciiDigit(c)).TakeWhile(char.IsAsciiDigit)]), CultureInfo.InvariantCulture);
        Placed.Enqueue((envelope.Headers[HeaderNames.Key] ?? "", number, envelope.Headers));
        return default;
    }
}
