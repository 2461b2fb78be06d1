using Postrider.AspNetCore;
using Postrider.Outbox;
using Postrider.Sagas;
using Postrider.Transports;

namespace Postrider.Samples.Shop;

/// <summary>The three processes of the shop.</summary>
public static class ShopApp
{
    /// <summary>The web application: accepts orders over HTTP, and runs the sagas with their database.</summary>
    /// <param name="args">Configuration, for example <c>--Shop:Transport rabbitmq</c>.</param>
    public static WebApplication BuildWeb(string[] args)
    {
        var builder = WebApplication.CreateSlimBuilder(args);
        var settings = Configure(builder);
        settings.AddTransport(builder)
            .Notification<StockReserved>(settings.Bind("shop.reserved"))
            .Notification<PaymentArrived>(settings.Bind("shop.paid"))
            .Command<PaymentOverdue>(settings.Bind("shop.overdue"))
            .Notification<OrderClosed>(settings.Bind("shop.closed"));
        builder.Services.AddPostriderOutbox(static options => options.PollInterval = TimeSpan.FromMilliseconds(200))
            .UseDataSource(_ => settings.OpenDatabase(), settings.DatabaseKind)
            .AddTransport("outbox", over: "shop");
        builder.Services.AddPostriderSagas(ShopJson.Provider).UseOutbox();
        builder.Services.AddPostrider(static options => options
            .Route<ReserveStock, Unit>("outbox", ShopJson.Provider, "shop.reserve")
            .Route<CollectPayment, Unit>("outbox", ShopJson.Provider, "shop.collect")
            .Route<PaymentOverdue, Unit>("outbox", ShopJson.Provider, "shop.overdue")
            .RouteNotification<OrderClosed>("outbox", ShopJson.Provider, "shop.closed"));
        builder.Services.ConfigureHttpJsonOptions(static options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, ShopJson.Default));
        builder.Services.AddPostriderExceptionHandler();

        var app = builder.Build();
        app.UseExceptionHandler();
        app.MapPost("/orders", static async (PlaceOrder order, IDispatcher dispatcher, CancellationToken ct) =>
        {
            await dispatcher.SendAsync(order, ct);
            return TypedResults.Accepted($"/orders/{order.Order}");
        });
        app.MapGet("/orders/{order}", FindAsync);
        app.MapGet("/dead-letters", ListAsync);
        app.MapPost("/dead-letters/redrive", static async (IServiceProvider services, CancellationToken ct) => new Redriven(await DeadLetters(services).RedriveAsync(DeadLetterQuery.All, ct)));
        return app;
    }

    /// <summary>The worker of the stock.</summary>
    /// <param name="args">Configuration.</param>
    public static IHost BuildStock(string[] args) => BuildWorker(args, static (transport, settings) => transport.Command<ReserveStock>(settings.Bind("shop.reserve")));

    /// <summary>The worker of the payments.</summary>
    /// <param name="args">Configuration.</param>
    public static IHost BuildPayments(string[] args) => BuildWorker(args, static (transport, settings) => transport.Command<CollectPayment>(settings.Bind("shop.collect")));

    /// <summary>Creates the missing tables.</summary>
    /// <param name="services">The web application's services.</param>
    /// <param name="ct">Cancels the wait.</param>
    public static async Task CreateTablesAsync(IServiceProvider services, CancellationToken ct)
    {
        var settings = services.GetRequiredService<ShopSettings>();
        await using var database = settings.OpenDatabase();
        await OutboxSchema.CreateAsync(database, settings.DatabaseKind, ct: ct);
    }

    private static IHost BuildWorker(string[] args, Action<TransportBuilder, ShopSettings> bind)
    {
        var builder = Host.CreateApplicationBuilder(args);
        var settings = Configure(builder);
        bind(settings.AddTransport(builder), settings);
        builder.Services.AddPostrider(static options => options
            .RouteNotification<StockReserved>("shop", ShopJson.Provider, "shop.reserved")
            .RouteNotification<PaymentArrived>("shop", ShopJson.Provider, "shop.paid"));
        return builder.Build();
    }

    private static ShopSettings Configure(IHostApplicationBuilder builder)
    {
        var settings = new ShopSettings(builder.Configuration.GetSection("Shop"));
        builder.Services.AddSingleton(settings).AddSingleton<Shelf>().AddSingleton<OrderBook>();
        return settings;
    }

    private static async Task<OrderStatus> FindAsync(string order, SagaStates states, OrderBook book, CancellationToken ct)
        => new(order, book.Find(order) ?? (await states.FindAsync<OrderSaga>(order, ct))?.Step ?? "unknown");

    private static async Task<List<DeadLetterView>> ListAsync(IServiceProvider services, CancellationToken ct)
    {
        var letters = new List<DeadLetterView>();
        await foreach (var letter in DeadLetters(services).ListAsync(new DeadLetterQuery { Max = 100 }, ct))
            letters.Add(new(letter.Id, letter.Origin, letter.Reason?.ToString(), letter.Error, System.Text.Encoding.UTF8.GetString(letter.Body.Span)));
        return letters;
    }

    private static IDeadLetters DeadLetters(IServiceProvider services) => services.GetRequiredKeyedService<ITransport>("shop").OpenDeadLetters(ShopSettings.DeadLetters);
}
