using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Envelopes;
using Postrider.Outbox;
using Postrider.OutboxTests.Harness;
using Postrider.Resilience;
using Postrider.Sagas;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.OutboxTests.Guide.Migration;

/// <summary>The code of docs/guide/from-masstransit.md, from-wolverine.md and from-nservicebus.md, run.</summary>
public sealed class MigrationGuideTests(PostgresServer server)
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Order_of_the_guides_is_accepted()
    {
        await using var database = await TestDatabase.CreateAsync(OutboxDatabase.Sqlite, server);
        await using var transport = new InMemoryTransport();
        var source = database.Source;
        var json = new JsonSerializerProvider(SubmitJson.Default);
        var builder = Host.CreateEmptyApplicationBuilder(null);
        var log = new AcceptLog();
        builder.Services.AddSingleton(log);

        builder.Services.AddPostrider(options => options
            .RouteNotification<OrderSubmitted>("outbox", json, "orders.submitted")
            .RouteNotification<OrderAccepted>("outbox", json, "orders.accepted")
            .Route<AcceptanceOverdue, Unit>("outbox", json, "orders.overdue"));
        builder.Services.AddPostriderTransport("shop", _ => transport, json)
            .UseInbox("orders")
            .Command<SubmitOrder>(new AtLeastOnceBinding("orders.submit")
            {
                MaxConcurrency = 16,
                Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 5, Backoff = Backoff.Exponential, BaseDelay = TimeSpan.FromSeconds(1) },
                DeadLetter = "orders.dead",
            })
            .Notification<OrderSubmitted>(new AtLeastOnceBinding("orders.submitted"))
            .Command<AcceptanceOverdue>(new AtLeastOnceBinding("orders.overdue"));
        builder.Services.AddPostriderOutbox()
            .UseDataSource(_ => source, OutboxDatabase.Sqlite)
            .AddTransport("outbox", over: "shop");
        builder.Services.AddPostriderSagas(json).UseOutbox();

        using var host = builder.Build();
        await transport.ListenAsync(new TransportBinding("orders.accepted"), (envelope, _) =>
        {
            log.Accepted.TrySetResult(envelope.Headers);
            return default;
        }, Ct);
        await host.StartAsync(Ct);
        await transport.SendAsync(new Envelope { Destination = "orders.submit", Headers = new() { { HeaderNames.MessageId, "m-1" }, { HeaderNames.CorrelationId, "c-1" }, { "Tenant", "north" } }, Body = """{"Order":"7"}"""u8.ToArray() }, Ct);

        var headers = await log.Accepted.Task.WaitAsync(Eventually.Patience, Ct);
        Assert.Equal(("c-1", "north"), (headers[HeaderNames.CorrelationId], log.Tenant));
        await host.StopAsync(Ct);
    }
}

internal sealed class AcceptLog
{
    public TaskCompletionSource<Headers> Accepted { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public string? Tenant { get; set; }
}

public sealed partial record SubmitOrder(string Order) : ICommand;

public sealed partial record OrderSubmitted([property: SagaId] string Order) : INotification;

public sealed partial record OrderAccepted(string Order) : INotification;

public sealed partial record AcceptanceOverdue([property: SagaId] string Order) : ICommand;

internal static class OrderHandlers
{
    [Handler]
    public static async Task Submit(SubmitOrder command, MessageContext context, AcceptLog log, CancellationToken ct)
    {
        log.Tenant = context.Headers["Tenant"];
        await context.Follow().PublishAsync(new OrderSubmitted(command.Order), ct);
    }
}

[Saga]
public sealed class AcceptanceSaga
{
    public bool IsAccepted { get; set; }

    [StartsSaga]
    public void On(OrderSubmitted message, SagaContext saga)
    {
        IsAccepted = true;
        saga.Send(new OrderAccepted(message.Order));
        saga.SetTimeout(new AcceptanceOverdue(message.Order), TimeSpan.FromHours(1));
    }

    [SagaTimeout]
    public void On(AcceptanceOverdue message, SagaContext saga) => saga.Complete();
}

[JsonSerializable(typeof(SubmitOrder))]
[JsonSerializable(typeof(OrderSubmitted))]
[JsonSerializable(typeof(OrderAccepted))]
[JsonSerializable(typeof(AcceptanceOverdue))]
[JsonSerializable(typeof(AcceptanceSaga))]
internal sealed partial class SubmitJson : JsonSerializerContext;
