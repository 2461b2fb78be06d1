using System.Text;
using System.Text.Json.Serialization;
using System.Threading.Channels;
using MassTransit;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orders.Contracts;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;
using Postrider.TransportTests.Harness;
using RabbitMQ.Client;

namespace Postrider.TransportTests.Guide;

/// <summary>The code of docs/guide/from-masstransit.md and from-nservicebus.md about both systems side by side, run.</summary>
public sealed class SideBySideGuideTests(RabbitMqHarness harness) : IClassFixture<RabbitMqHarness>
{
    private CancellationToken Ct { get; } = new CancellationTokenSource(TimeSpan.FromSeconds(60)).Token;

    [Fact]
    public async Task Order_goes_from_MassTransit_to_Postrider_and_back()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection([new("Postrider:RabbitMq:Server", harness.Options.Server.ToString())]);
        builder.Services.AddSingleton<PaymentLog>();
        var shipped = Channel.CreateUnbounded<string>();
        var bus = MassTransit.Bus.Factory.CreateUsingRabbitMq(bus =>
        {
            bus.Host(harness.Options.Server.Host, (ushort)harness.Options.Server.Port, "/", static host =>
            {
                host.Username("guest");
                host.Password("guest");
            });
            bus.ReceiveEndpoint("orders.shipping", endpoint =>
            {
                endpoint.Handler<ShipOrder>(context => shipped.Writer.WriteAsync($"ship {context.Message.Order}, {context.ConversationId}").AsTask());
                endpoint.Handler<OrderPaid>(context => shipped.Writer.WriteAsync($"paid {context.Message.Order}, {context.ConversationId}").AsTask());
            });
        });
        await bus.StartAsync(Ct);

        var json = new JsonSerializerProvider(OrdersJson.Default);
        builder.Services.AddPostrider(options => options
            .Route<ShipOrder, Unit>("orders", json, new SendTarget("orders.shipping") { MassTransit = new MassTransitOptions() })
            .RouteNotification<OrderPaid>("orders", json, new SendTarget("Orders.Contracts:OrderPaid/") { MassTransit = new MassTransitOptions() }));
        builder.Services.AddRabbitMqTransport("orders", json, builder.Configuration.GetSection("Postrider:RabbitMq"))
            .Command<PayOrder>(new RabbitMqBinding("orders.payments")
            {
                FanoutExchanges = ["orders.payments"],
                MassTransit = new MassTransitOptions(),
                DeadLetter = "orders.payments.dead",
            })
            .Notification<OrderPlaced>(new RabbitMqBinding("orders.mail")
            {
                FanoutExchanges = ["Orders.Contracts:OrderPlaced"],
                MassTransit = new MassTransitOptions(),
            });

        using var host = builder.Build();
        await host.StartAsync(Ct);
        var conversation = Guid.NewGuid();

        var endpoint = await bus.GetSendEndpoint(new Uri("exchange:orders.payments"));
        await endpoint.Send(new PayOrder("7", 12.50m), context => context.ConversationId = conversation, Ct);
        await bus.Publish(new OrderPlaced("8"), Ct);

        string[] arrived = [await shipped.Reader.ReadAsync(Ct), await shipped.Reader.ReadAsync(Ct)];
        Assert.Equal([$"paid 7, {conversation}", $"ship 7, {conversation}"], arrived.Order(StringComparer.Ordinal));
        Assert.Equal("mail about 8", await host.Services.GetRequiredService<PaymentLog>().Mailed.Reader.ReadAsync(Ct));
        await bus.StopAsync(Ct);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Order_goes_from_NServiceBus_to_Postrider_and_back()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection([new("Postrider:RabbitMq:Server", harness.Options.Server.ToString())]);
        builder.Services.AddSingleton<PaymentLog>();
        // What the endpoints of NServiceBus declare.
        await using var channel = await harness.OpenChannelAsync();
        foreach (var exchange in (string[])["Shipping", "Orders.Contracts:OrderPaid", "Payments", "Orders.Contracts:OrderPlaced"])
            await channel.ExchangeDeclareAsync(exchange, ExchangeType.Fanout, durable: true, cancellationToken: Ct);
        await channel.QueueDeclareAsync("Shipping", durable: true, exclusive: false, autoDelete: false, new Dictionary<string, object?> { ["x-queue-type"] = "quorum" }, cancellationToken: Ct);
        await channel.QueueBindAsync("Shipping", "Shipping", "", cancellationToken: Ct);
        await channel.ExchangeBindAsync("Shipping", "Orders.Contracts:OrderPaid", "", cancellationToken: Ct);

        var json = new JsonSerializerProvider(OrdersJson.Default, OrdersJson.Default.Options);
        var endpoint = new NServiceBusOptions { Endpoint = "Payments", ReplyToAddress = "Payments" };
        builder.Services.AddPostrider(options => options
            .Route<ShipOrder, Unit>("orders", json, new SendTarget("Shipping") { NServiceBus = endpoint })
            .RouteNotification<OrderPaid>("orders", json, new SendTarget("Orders.Contracts:OrderPaid/") { NServiceBus = endpoint }));
        builder.Services.AddRabbitMqTransport("orders", json, builder.Configuration.GetSection("Postrider:RabbitMq"))
            .Command<PayOrder>(new RabbitMqBinding("Payments")
            {
                FanoutExchanges = ["Payments"],
                NServiceBus = new NServiceBusOptions(),
                DeadLetter = "Payments.dead",
            })
            .Notification<OrderPlaced>(new RabbitMqBinding("Payments.mail")
            {
                FanoutExchanges = ["Orders.Contracts:OrderPlaced"],
                NServiceBus = new NServiceBusOptions(),
            });

        using var host = builder.Build();
        await host.StartAsync(Ct);
        await channel.BasicPublishAsync("Payments", "", mandatory: true, Sent("Orders.Contracts.PayOrder", "Send"), """{"Order":"7","Amount":12.5}"""u8.ToArray(), Ct);
        await channel.BasicPublishAsync("Orders.Contracts:OrderPlaced", "", mandatory: true, Sent("Orders.Contracts.OrderPlaced", "Publish"), """{"Order":"8"}"""u8.ToArray(), Ct);

        var arrived = new[] { await TakeAsync(channel), await TakeAsync(channel) }.ToDictionary(static message => message["NServiceBus.EnclosedMessageTypes"], StringComparer.Ordinal);
        var (ship, paid) = (arrived["Orders.Contracts.ShipOrder"], arrived["Orders.Contracts.OrderPaid"]);
        Assert.Equal(("Send", "Publish"), (ship["NServiceBus.MessageIntent"], paid["NServiceBus.MessageIntent"]));
        Assert.All(arrived.Values, static message => Assert.Equal(
            ("c-1", "application/json", "Payments", "Payments", """{"Order":"7"}"""),
            (message["NServiceBus.ConversationId"], message["NServiceBus.ContentType"], message["NServiceBus.OriginatingEndpoint"], message["NServiceBus.ReplyToAddress"], message["body"])));
        Assert.All(arrived.Values, static message => Assert.Equal((message["NServiceBus.MessageId"], message["NServiceBus.CorrelationId"]), (message["message-id"], message["correlation-id"])));
        Assert.Equal("mail about 8", await host.Services.GetRequiredService<PaymentLog>().Mailed.Reader.ReadAsync(Ct));
        await host.StopAsync(Ct);
    }

    // Headers as an endpoint of NServiceBus 9 writes them.
    private static BasicProperties Sent(string type, string intent) => new()
    {
        MessageId = "m-1",
        CorrelationId = "m-1",
        Type = type,
        ContentType = "application/json",
        ReplyTo = "Sales",
        Persistent = true,
        Headers = new Dictionary<string, object?>
        {
            ["NServiceBus.MessageId"] = "m-1",
            ["NServiceBus.MessageIntent"] = intent,
            ["NServiceBus.ConversationId"] = "c-1",
            ["NServiceBus.CorrelationId"] = "m-1",
            ["NServiceBus.ReplyToAddress"] = "Sales",
            ["NServiceBus.OriginatingMachine"] = "m",
            ["NServiceBus.OriginatingEndpoint"] = "Sales",
            ["$.diagnostics.originating.hostid"] = "a",
            ["NServiceBus.ContentType"] = "application/json",
            ["NServiceBus.EnclosedMessageTypes"] = $"{type}, Orders.Contracts, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null",
            ["NServiceBus.Version"] = "9.2.0",
            ["NServiceBus.TimeSent"] = "2026-11-24 12:00:00:000000 Z",
        },
    };

    private async Task<Dictionary<string, string>> TakeAsync(IChannel channel)
    {
        var got = await Eventually.GivesAsync(async () => await channel.BasicGetAsync("Shipping", autoAck: true, Ct));
        var taken = got.BasicProperties.Headers!.ToDictionary(static header => header.Key, static header => header.Value is byte[] bytes ? Encoding.UTF8.GetString(bytes) : "", StringComparer.Ordinal);
        taken["message-id"] = got.BasicProperties.MessageId!;
        taken["correlation-id"] = got.BasicProperties.CorrelationId!;
        taken["body"] = Encoding.UTF8.GetString(got.Body.Span);
        return taken;
    }
}

internal static class PaymentHandlers
{
    [Handler]
    public static async Task Pay(PayOrder command, MessageContext context, CancellationToken ct)
    {
        var dispatcher = context.Follow();
        await dispatcher.PublishAsync(new OrderPaid(command.Order), ct);
        await dispatcher.SendAsync(new ShipOrder(command.Order), ct);
    }

    [Handler]
    public static void Mail(OrderPlaced placed, PaymentLog log) => log.Mailed.Writer.TryWrite($"mail about {placed.Order}");
}

internal sealed class PaymentLog
{
    public Channel<string> Mailed { get; } = Channel.CreateUnbounded<string>();
}

[JsonSerializable(typeof(PayOrder))]
[JsonSerializable(typeof(ShipOrder))]
[JsonSerializable(typeof(OrderPaid))]
[JsonSerializable(typeof(OrderPlaced))]
internal sealed partial class OrdersJson : JsonSerializerContext;
