using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream.Models;
using Postrider.Outbox;
using Postrider.OutboxTests.Harness;
using Postrider.Sagas;
using Postrider.Serialization;
using Postrider.Testing;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.OutboxTests.Guide.Sagas;

/// <summary>The code of docs/guide/sagas.md, run.</summary>
public sealed class SagaGuideTests(PostgresServer server)
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Order_of_the_guide_is_paid()
    {
        await using var database = await TestDatabase.CreateAsync(OutboxDatabase.Sqlite, server);
        var builder = Host.CreateEmptyApplicationBuilder(null);
        var json = new JsonSerializerProvider(OrderSagaJson.Default);
        var source = database.Source;
        await using var transport = new InMemoryTransport();

        builder.Services.AddPostrider(options => options
            .Route<RequestPayment, Unit>("outbox", json, "payments.request")
            .RouteNotification<OrderPaid>("outbox", json, "orders.paid")
            .RouteNotification<OrderCancelled>("outbox", json, "orders.cancelled")
            .Route<PaymentOverdue, Unit>("outbox", json, "orders.overdue"));
        builder.Services.AddPostriderTransport("orders", _ => transport, json)
            .Command<PlaceOrder>(new AtLeastOnceBinding("orders.place"))
            .Notification<PaymentArrived>(new AtLeastOnceBinding("payments.arrived"))
            .Command<PaymentOverdue>(new AtLeastOnceBinding("orders.overdue"));
        builder.Services.AddPostriderOutbox()
            .UseDataSource(_ => source, OutboxDatabase.Sqlite)
            .AddTransport("outbox", over: "orders");
        builder.Services.AddPostriderSagas(json).UseOutbox();

        using var host = builder.Build();
        await host.StartAsync(Ct);
        await PlayAsync(host.Services.GetRequiredService<IServiceScopeFactory>());
        var states = host.Services.GetRequiredService<SagaStates>();
        Assert.Equal(30, (await FindAsync(states, "4711", Ct))!.Open);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Order_of_the_guide_is_kept_in_JetStream()
    {
        var folder = Directory.CreateTempSubdirectory("postrider-saga-guide-");
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort, JetStream = new() { StoreDirectory = folder.FullName } }, Ct);
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector }, Ct);
        await client.CreateJetStreamContext().CreateStreamAsync(new StreamConfig { Name = "orders", Subjects = ["orders.>", "payments.>", "later.>"], AllowMessageSchedules = true }, ct: Ct);
        var builder = Host.CreateEmptyApplicationBuilder(null);
        var json = new JsonSerializerProvider(OrderSagaJson.Default);
        builder.Services.AddSingleton(client);
        Route(builder, json, "orders");

        builder.Services.AddNatsStreamTransport("orders", json, schedules: "later");
        builder.Services.AddPostriderSagas(json).UseNatsKeyValue("sagas");

        using var host = builder.Build();
        await host.StartAsync(Ct);
        await PlayAsync(host.Services.GetRequiredService<IServiceScopeFactory>());
        Assert.Equal(30, (await FindAsync(host.Services.GetRequiredService<SagaStates>(), "4711", Ct))!.Open);
        await host.StopAsync(Ct);
        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Order_of_the_guide_is_overdue_under_test()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        var json = new JsonSerializerProvider(OrderSagaJson.Default);
        Route(builder, json, "orders");
        builder.Services.AddPostriderTransport("orders", static _ => new InMemoryTransport(), json).Command<PaymentOverdue>(new AtLeastOnceBinding("orders.overdue"));
        builder.Services.AddPostriderSagas(json).UseInMemory();
        builder.Services.AddPostriderTestHarness();
        using var host = builder.Build();
        await host.StartAsync(Ct);
        var harness = host.Services.GetRequiredService<TestHarness>();
        await PlayAsync(host.Services.GetRequiredService<IServiceScopeFactory>());

        await harness.AdvanceAsync(TimeSpan.FromDays(4));
        var isCompleted = await harness.Sagas.IsCompletedAsync<OrderSaga>("4711");

        Assert.True(isCompleted);
        Assert.Contains("orders.cancelled", harness.Sent.Select(sent => sent.Destination));
        await host.StopAsync(Ct);
    }

    private static void Route(HostApplicationBuilder builder, ISerializerProvider json, string over)
        => builder.Services.AddPostrider(options => options
            .Route<RequestPayment, Unit>(over, json, "payments.request")
            .RouteNotification<OrderPaid>(over, json, "orders.paid")
            .RouteNotification<OrderCancelled>(over, json, "orders.cancelled")
            .Route<PaymentOverdue, Unit>(over, json, "orders.overdue"));

    private static async Task PlayAsync(IServiceScopeFactory scopes)
    {
        await using (var scope = scopes.CreateAsyncScope())
            await scope.ServiceProvider.GetRequiredService<IDispatcher>().SendAsync(new PlaceOrder("4711", 50), Ct);
        await using (var scope = scopes.CreateAsyncScope())
            await scope.ServiceProvider.GetRequiredService<IDispatcher>().PublishAsync(new PaymentArrived("4711", 20), Ct);
    }

    private static Task<OrderSaga?> FindAsync(SagaStates states, string order, CancellationToken ct) => states.FindAsync<OrderSaga>(order, ct).AsTask();
}

public sealed partial record RequestPayment(string Order, decimal Total) : ICommand;

public sealed partial record OrderPaid(string Order) : INotification;

public sealed partial record OrderCancelled(string Order) : INotification;

internal static class PaymentHandlers
{
    [Handler]
    public static void On(RequestPayment message) => Console.WriteLine($"{message.Order}: {message.Total}");
}

public sealed partial record PlaceOrder([property: SagaId] string Order, decimal Total) : ICommand;
public sealed partial record PaymentArrived([property: SagaId] string Order, decimal Amount) : INotification;
public sealed partial record PaymentOverdue([property: SagaId] string Order) : ICommand;

[Saga]
public sealed class OrderSaga
{
    public decimal Open { get; set; }

    [StartsSaga]
    public void On(PlaceOrder message, SagaContext saga)
    {
        Open = message.Total;
        saga.Send(new RequestPayment(message.Order, message.Total));
        saga.SetTimeout(new PaymentOverdue(message.Order), TimeSpan.FromDays(3));
    }

    [Handler]
    public void On(PaymentArrived message, SagaContext saga)
    {
        Open -= message.Amount;
        if (Open > 0)
            return;
        saga.Send(new OrderPaid(message.Order));
        saga.Complete();
    }

    [SagaTimeout]
    public void On(PaymentOverdue message, SagaContext saga)
    {
        saga.Send(new OrderCancelled(message.Order));
        saga.Complete();
    }
}

[JsonSerializable(typeof(OrderSaga))]
[JsonSerializable(typeof(PlaceOrder))]
[JsonSerializable(typeof(PaymentArrived))]
[JsonSerializable(typeof(PaymentOverdue))]
[JsonSerializable(typeof(RequestPayment))]
[JsonSerializable(typeof(OrderPaid))]
[JsonSerializable(typeof(OrderCancelled))]
internal sealed partial class OrderSagaJson : JsonSerializerContext;
