using System.Text;
using System.Text.Json.Serialization;
using System.Threading.Channels;
using MassTransit;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;
using Postrider.TransportTests.Harness;
using RabbitMQ.Client;

namespace Postrider.TransportTests.RabbitMq;

/// <summary>MassTransit's own endpoints on one side and ours on the other, over one RabbitMQ.</summary>
public sealed class MassTransitTests(RabbitMqHarness harness) : IClassFixture<RabbitMqHarness>
{
    private const string Conversation = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
    private const string Cause = "0f8fad5b-d9cb-469f-a165-70867728950e";

    private static readonly JsonSerializerProvider s_json = new(ParcelJson.Default);

    private readonly string _queue = TransportHarness.NewName();

    private CancellationToken Ct { get; } = new CancellationTokenSource(TimeSpan.FromSeconds(60)).Token;

    [Theory]
    [InlineData(MassTransitForm.Envelope)]
    [InlineData(MassTransitForm.RawJson)]
    public async Task Command_of_a_route_is_consumed_by_MassTransit(MassTransitForm form)
    {
        var consumed = Channel.CreateUnbounded<Consumed<PackParcel>>();
        await using var bus = await StartAsync(endpoint => Consume(endpoint, form, consumed));
        await using var sender = Sender(options => options.Route<PackParcel, Unit>(_ => harness.RabbitMq, s_json, new SendTarget(_queue) { MassTransit = new() { Form = form, SourceAddress = "queue:shop" } }));

        var sent = await SendAsync(sender, new PackParcel("tea für 2", 12.5m));
        var (message, ids, headers) = await consumed.Reader.ReadAsync(Ct);

        Assert.Equal(new PackParcel("tea für 2", 12.5m), message);
        Assert.Equal((Guid.Parse(sent.MessageId!), Guid.Parse(Conversation), Guid.Parse(Conversation), Guid.Parse(Cause)), (ids.MessageId, ids.ConversationId, ids.CorrelationId, ids.InitiatorId));
        Assert.Equal(("grün", new Uri("queue:shop")), (headers["Tenant"], ids.Source));
    }

    [Theory]
    [InlineData(MassTransitForm.Envelope)]
    [InlineData(MassTransitForm.RawJson)]
    public async Task Event_of_a_route_is_consumed_by_MassTransit(MassTransitForm form)
    {
        var consumed = Channel.CreateUnbounded<Consumed<ParcelPacked>>();
        await using var bus = await StartAsync(endpoint => Consume(endpoint, form, consumed));
        await using var sender = Sender(options => options.RouteNotification<ParcelPacked>(_ => harness.RabbitMq, s_json, new SendTarget(ExchangeOf<ParcelPacked>() + "/") { MassTransit = new() { Form = form } }));

        await SendAsync(sender, new ParcelPacked("tea"));
        var (message, ids, headers) = await consumed.Reader.ReadAsync(Ct);

        Assert.Equal((new ParcelPacked("tea"), Guid.Parse(Conversation), "grün"), (message, ids.ConversationId, headers["Tenant"]));
    }

    [Theory]
    [InlineData(MassTransitForm.Envelope)]
    [InlineData(MassTransitForm.RawJson)]
    public async Task Command_that_MassTransit_sends_is_handled(MassTransitForm form)
    {
        await using var services = Receiver();
        await using var pump = new MessagePump(harness.RabbitMq, s_json, services).Command<PackParcel>(new RabbitMqBinding(_queue) { FanoutExchanges = [_queue], MassTransit = new() });
        await pump.StartAsync(Ct);
        await using var bus = await StartAsync(form);

        var endpoint = await bus.Control.GetSendEndpoint(new Uri($"exchange:{_queue}"));
        await endpoint.Send(new PackParcel("tea für 2", 12.5m), static context => Mark(context), Ct);
        var (message, headers) = await services.GetRequiredService<ParcelLog>().Handled.Reader.ReadAsync(Ct);

        Assert.Equal(new PackParcel("tea für 2", 12.5m), message);
        AssertMarked(headers, form);
    }

    [Theory]
    [InlineData(MassTransitForm.Envelope)]
    [InlineData(MassTransitForm.RawJson)]
    public async Task Event_that_MassTransit_publishes_is_handled(MassTransitForm form)
    {
        await using var services = Receiver();
        await using var pump = new MessagePump(harness.RabbitMq, s_json, services).Notification<ParcelPacked>(new RabbitMqBinding(_queue) { FanoutExchanges = [ExchangeOf<ParcelPacked>()], MassTransit = new() });
        await pump.StartAsync(Ct);
        await using var bus = await StartAsync(form);

        await bus.Control.Publish(new ParcelPacked("tea"), static context => Mark(context), Ct);
        var (message, headers) = await services.GetRequiredService<ParcelLog>().Handled.Reader.ReadAsync(Ct);

        Assert.Equal(new ParcelPacked("tea"), message);
        AssertMarked(headers, form);
    }

    [Fact]
    public async Task Conversation_goes_from_MassTransit_through_a_handler_back_to_MassTransit()
    {
        var consumed = Channel.CreateUnbounded<Consumed<ParcelPacked>>();
        await using var bus = await StartAsync(endpoint => Consume(endpoint, MassTransitForm.Envelope, consumed));
        var work = $"{_queue}-work";
        await using var services = Receiver(options => options.RouteNotification<ParcelPacked>(_ => harness.RabbitMq, s_json, new SendTarget(ExchangeOf<ParcelPacked>() + "/") { MassTransit = new() }));
        await using var pump = new MessagePump(harness.RabbitMq, s_json, services).Command<PackAndTell>(new RabbitMqBinding(work) { FanoutExchanges = [work], MassTransit = new() });
        await pump.StartAsync(Ct);

        var endpoint = await bus.Control.GetSendEndpoint(new Uri($"exchange:{work}"));
        await endpoint.Send(new PackAndTell("tea"), static context => Mark(context), Ct);
        var (message, ids, _) = await consumed.Reader.ReadAsync(Ct);

        Assert.Equal((new ParcelPacked("tea"), Guid.Parse(Conversation)), (message, ids.ConversationId));
    }

    [Fact]
    public async Task Message_of_another_type_that_MassTransit_sends_is_a_dead_letter_that_can_be_redriven()
    {
        var dead = $"{_queue}-dead";
        await using var services = Receiver();
        await using var bus = await StartAsync(MassTransitForm.Envelope);
        var endpoint = await bus.Control.GetSendEndpoint(new Uri($"exchange:{_queue}"));
        var strict = new RabbitMqBinding(_queue) { FanoutExchanges = [_queue], MassTransit = new() { MessageTypes = ["urn:message:Shop:Other"] }, DeadLetter = dead };
        await using (var refusing = new MessagePump(harness.RabbitMq, s_json, services).Command<PackParcel>(strict))
        {
            await refusing.StartAsync(Ct);
            await endpoint.Send(new PackParcel("tea", 1), static context => Mark(context), Ct);
            var letter = await Eventually.GivesAsync(async () =>
            {
                await foreach (var one in harness.RabbitMq.OpenDeadLetters(dead).ListAsync(DeadLetterQuery.All, Ct))
                    return one;
                return null;
            });

            Assert.Equal((DeadLetterReason.Unreadable, 1L, "application/vnd.masstransit+json"), (letter.Reason, letter.Deliveries, letter.Headers[HeaderNames.ContentType]));
            Assert.Contains($"the message is a 'urn:message:{typeof(PackParcel).Namespace}:PackParcel", letter.Error, StringComparison.Ordinal);
            Assert.Contains("Expected: urn:message:Shop:Other", letter.Error, StringComparison.Ordinal);
        }

        await using var pump = new MessagePump(harness.RabbitMq, s_json, services).Command<PackParcel>(strict with { MassTransit = new() });
        await pump.StartAsync(Ct);
        await harness.RabbitMq.OpenDeadLetters(dead).RedriveAsync(DeadLetterQuery.All, Ct);
        var (message, headers) = await services.GetRequiredService<ParcelLog>().Handled.Reader.ReadAsync(Ct);

        Assert.Equal(new PackParcel("tea", 1), message);
        AssertMarked(headers, MassTransitForm.Envelope);
    }

    [Fact]
    public async Task Message_that_expired_in_MassTransits_own_words_says_so()
    {
        await using var services = Receiver();
        await using var pump = new MessagePump(harness.RabbitMq, s_json, services).Command<PackParcel>(new RabbitMqBinding(_queue) { FanoutExchanges = [_queue], MassTransit = new() });
        await pump.StartAsync(Ct);
        await using var bus = await StartAsync(MassTransitForm.Envelope);

        var endpoint = await bus.Control.GetSendEndpoint(new Uri($"exchange:{_queue}"));
        await endpoint.Send(new PackParcel("tea", 1), Pipe.Execute<SendContext<PackParcel>>(static context => context.TimeToLive = TimeSpan.FromMinutes(5)), Ct);
        var (_, headers) = await services.GetRequiredService<ParcelLog>().Handled.Reader.ReadAsync(Ct);

        Assert.InRange(DateTimeOffset.Parse(headers[HeaderNames.ExpiresAt]!, System.Globalization.CultureInfo.InvariantCulture), DateTimeOffset.UtcNow.AddMinutes(4), DateTimeOffset.UtcNow.AddMinutes(6));
    }

    private static string ExchangeOf<T>() => $"{typeof(T).Namespace}:{typeof(T).Name}";

    private static void Mark(SendContext context)
    {
        context.ConversationId = Guid.Parse(Conversation);
        context.CorrelationId = Guid.Parse(Cause);
        context.MessageId = Guid.Parse("11111111-2222-3333-4444-555555555555");
        context.Headers.Set("Tenant", "grün");
    }

    private static void AssertMarked(Headers headers, MassTransitForm form)
    {
        Assert.Equal(("11111111-2222-3333-4444-555555555555", Conversation, Cause), (headers[HeaderNames.MessageId], headers[HeaderNames.CorrelationId], headers["CorrelationId"]));
        Assert.Equal("grün", headers["Tenant"]);
        Assert.StartsWith("rabbitmq://", headers["MT-Source-Address"], StringComparison.Ordinal);
        Assert.Contains("8.5.12", headers["MT-Host-Info"], StringComparison.Ordinal);
        Assert.Equal(form == MassTransitForm.Envelope, headers["MT-Sent-Time"] is not null);
    }

    private static void Consume<T>(IReceiveEndpointConfigurator endpoint, MassTransitForm form, Channel<Consumed<T>> consumed)
        where T : class
    {
        if (form == MassTransitForm.RawJson)
            endpoint.UseRawJsonDeserializer(isDefault: true);
        endpoint.Handler<T>(context =>
        {
            var headers = context.Headers.GetAll().ToDictionary(static header => header.Key, static header => header.Value?.ToString() ?? "", StringComparer.OrdinalIgnoreCase);
            consumed.Writer.TryWrite(new(context.Message, new(context.MessageId, context.CorrelationId, context.ConversationId, context.InitiatorId, context.SourceAddress), headers));
            return Task.CompletedTask;
        });
    }

    private Task<RunningBus> StartAsync(Action<IReceiveEndpointConfigurator> configure) => StartBusAsync(bus => bus.ReceiveEndpoint(_queue, configure));

    private Task<RunningBus> StartAsync(MassTransitForm form)
        => StartBusAsync(bus =>
        {
            if (form == MassTransitForm.RawJson)
                bus.UseRawJsonSerializer();
        });

    private async Task<RunningBus> StartBusAsync(Action<IRabbitMqBusFactoryConfigurator> configure)
    {
        var server = harness.Options.Server;
        var control = MassTransit.Bus.Factory.CreateUsingRabbitMq(bus =>
        {
            bus.Host(server.Host, (ushort)server.Port, "/", static host =>
            {
                host.Username("guest");
                host.Password("guest");
            });
            configure(bus);
        });
        await control.StartAsync(Ct);
        return new(control);
    }

    private async Task<MessageProperties> SendAsync(ServiceProvider services, object message)
        => await services.GetRequiredService<RoutedMessages>().SendAsync(
            message, new CallOrigin { CorrelationId = Conversation, CausationId = Cause }, static properties => properties with { Headers = new Headers { { "Tenant", "grün" } } }, Ct);

    private static ServiceProvider Sender(Action<Dispatch.DispatchOptions> configure) => new ServiceCollection().AddPostrider(configure).BuildServiceProvider();

    private static ServiceProvider Receiver(Action<Dispatch.DispatchOptions>? configure = null)
        => new ServiceCollection().AddSingleton<ParcelLog>().AddPostrider(configure ?? (static _ => { })).BuildServiceProvider();

    internal sealed record ConsumedIds(Guid? MessageId, Guid? CorrelationId, Guid? ConversationId, Guid? InitiatorId, Uri? Source);

    internal sealed record Consumed<T>(T Message, ConsumedIds Ids, Dictionary<string, string> Headers);

    private sealed class RunningBus(IBusControl control) : IAsyncDisposable
    {
        public IBusControl Control => control;

        public async ValueTask DisposeAsync() => await control.StopAsync(TimeSpan.FromSeconds(30));
    }
}

public sealed partial record PackParcel(string Item, decimal Weight) : ICommand;

public sealed partial record PackAndTell(string Item) : ICommand;

public sealed partial record ParcelPacked(string Item) : INotification;

internal sealed class ParcelLog
{
    public Channel<(object Message, Headers Headers)> Handled { get; } = Channel.CreateUnbounded<(object, Headers)>();
}

internal static class ParcelWorkers
{
    [Handler]
    public static void Pack(PackParcel command, MessageContext context, ParcelLog log) => Note(command, context, log);

    [Handler]
    public static void Told(ParcelPacked packed, MessageContext context, ParcelLog log) => Note(packed, context, log);

    [Handler]
    public static async Task PackAndTell(PackAndTell command, MessageContext context, CancellationToken ct)
        => await context.Follow().PublishAsync(new ParcelPacked(command.Item), ct);

    private static void Note(object message, MessageContext context, ParcelLog log)
    {
        // The context is valid until the handler returns.
        var headers = new Headers();
        foreach (var (name, value) in context.Headers)
            headers.Add(name, value);
        log.Handled.Writer.TryWrite((message, headers));
    }
}

[JsonSerializable(typeof(PackParcel))]
[JsonSerializable(typeof(PackAndTell))]
[JsonSerializable(typeof(ParcelPacked))]
internal sealed partial class ParcelJson : JsonSerializerContext;
