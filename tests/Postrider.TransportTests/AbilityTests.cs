using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Dispatch;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;

namespace Postrider.TransportTests;

/// <summary>What a transport cannot do ends the start of the host, with what to change; no message is needed to find out.</summary>
public sealed class AbilityTests : IAsyncLifetime
{
    private static readonly JsonSerializerProvider s_json = new(AbilityJson.Default);

    private NatsBroker _broker = null!;
    private NatsClient _client = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false }, Ct);
        _client = await NatsClient.ConnectAsync(new ClientOptions { Connector = _broker.Connector }, Ct);
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
    }

    [Fact]
    public Task Route_with_a_delay_over_a_transport_without_delays()
        => AssertRefusedAsync(
            Nats,
            options => options.RouteNotification<AbilityNews>("t", s_json, new SendTarget("news") { Delay = TimeSpan.FromMinutes(5) }),
            static _ => { },
            nameof(AbilityNews), "'news'", "transport 'nats'", "Delay 00:05:00", "remove Delay from the SendTarget");

    [Fact]
    public Task Route_with_a_time_to_live_over_a_transport_without_expiry()
        => AssertRefusedAsync(
            Nats,
            options => options.Route<AbilityWork, Unit>("t", s_json, new SendTarget("work") { TimeToLive = TimeSpan.FromMinutes(5) }),
            static _ => { },
            nameof(AbilityWork), "TimeToLive 00:05:00", "remove TimeToLive from the SendTarget");

    [Fact]
    public Task Route_with_a_response_over_a_transport_that_does_not_answer()
        => AssertRefusedAsync(
            RabbitMq,
            options => options.Route<AbilityQuestion, string>("t", s_json, "questions"),
            static _ => { },
            nameof(AbilityQuestion), "transport 'rabbitmq'", "does not support requests", "make it a command without a response");

    [Fact]
    public Task Binding_with_a_group_over_a_transport_without_groups()
        => AssertRefusedAsync(
            RabbitMq,
            static _ => { },
            transport => transport.Command<AbilityWork>(new RabbitMqBinding("work") { Group = "workers" }),
            nameof(AbilityWork), "Group 'workers'", "remove Group from the binding");

    [Fact]
    public Task Binding_in_the_order_of_keys_over_a_transport_that_starts_handlers_in_any_order()
        => AssertRefusedAsync(
            static _ => new AnyOrder(),
            static _ => { },
            transport => transport.Command<AbilityWork>(new TransportBinding("work") { OrderByKey = true, MaxConcurrency = 4 }),
            nameof(AbilityWork), "OrderByKey and MaxConcurrency 4", "set MaxConcurrency to 1");

    [Theory]
    [InlineData(0, "TimeToLive 00:00:00: it must be greater than zero")]
    [InlineData(-1, "TimeToLive -00:00:01: it must be greater than zero")]
    public Task Time_to_live_that_is_over(int seconds, string words)
        => AssertRefusedAsync(
            static _ => new InMemoryTransport(),
            options => options.RouteNotification<AbilityNews>("t", s_json, new SendTarget("news") { TimeToLive = TimeSpan.FromSeconds(seconds) }),
            static _ => { },
            words);

    [Fact]
    public Task Route_in_two_forms_at_once()
        => AssertRefusedAsync(
            RabbitMq,
            options => options.RouteNotification<AbilityNews>("t", s_json, new SendTarget("news") { MassTransit = new(), NServiceBus = new() }),
            static _ => { },
            nameof(AbilityNews), "in more than one form", "set one of CloudEvents, MassTransit and NServiceBus of the SendTarget");

    [Fact]
    public Task Binding_in_two_forms_at_once()
        => AssertRefusedAsync(
            RabbitMq,
            static _ => { },
            transport => transport.Command<AbilityWork>(new RabbitMqBinding("work") { CloudEvents = new("/work"), MassTransit = new() }),
            nameof(AbilityWork), "in more than one form", "set one of CloudEvents, MassTransit and NServiceBus of the binding");

    [Fact]
    public Task Route_with_a_response_in_the_form_of_MassTransit()
        => AssertRefusedAsync(
            Nats,
            options => options.Route<AbilityQuestion, string>("t", s_json, new SendTarget("questions") { MassTransit = new() }),
            static _ => { },
            nameof(AbilityQuestion), "in the form of MassTransit, which does not support replies", "remove MassTransit from the SendTarget");

    [Fact]
    public Task Binding_of_a_request_in_the_form_of_NServiceBus()
        => AssertRefusedAsync(
            Nats,
            static _ => { },
            transport => transport.Request<AbilityQuestion, string>(new TransportBinding("questions") { NServiceBus = new() }),
            nameof(AbilityQuestion), "in the form of NServiceBus, which does not support replies", "remove NServiceBus from the binding");

    [Fact]
    public Task Route_with_a_time_to_live_as_raw_JSON()
        => AssertRefusedAsync(
            RabbitMq,
            options => options.RouteNotification<AbilityNews>("t", s_json, new SendTarget("news") { TimeToLive = TimeSpan.FromMinutes(5), MassTransit = new() { Form = Envelopes.MassTransitForm.RawJson } }),
            static _ => { },
            nameof(AbilityNews), "as raw JSON for MassTransit with TimeToLive 00:05:00", "use MassTransitForm.Envelope");

    [Fact]
    public Task Binding_with_a_message_type_that_is_no_name_of_MassTransit()
        => AssertRefusedAsync(
            RabbitMq,
            static _ => { },
            transport => transport.Command<AbilityWork>(new RabbitMqBinding("work") { MassTransit = new() { MessageTypes = ["Shop.Work"] } }),
            nameof(AbilityWork), "the message type 'Shop.Work' of MassTransit");

    [Fact]
    public async Task Options_of_a_route_travel_with_its_messages()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddPostrider(options => options.RouteNotification<AbilityNews>("t", s_json, new SendTarget("news") { TimeToLive = TimeSpan.FromMinutes(5) }));
        builder.Services.AddPostriderTransport("t", static _ => new InMemoryTransport(), s_json);
        using var host = builder.Build();
        await host.StartAsync(Ct);
        var arrived = new TaskCompletionSource<Headers>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var listener = await host.Services.GetRequiredKeyedService<ITransport>("t").ListenAsync(
            new TransportBinding("news"),
            (envelope, _) =>
            {
                arrived.TrySetResult(envelope.Headers);
                return default;
            },
            Ct);

        await host.Services.GetRequiredService<IDispatcher>().PublishAsync(new AbilityNews("k-1"), Ct);

        var properties = Envelopes.MessageProperties.From(await arrived.Task.WaitAsync(Ct));
        Assert.Equal(("k-1", typeof(AbilityNews).FullName), (properties.Key, properties.Type));
        Assert.True(properties.ExpiresAt > DateTimeOffset.UtcNow);
        await host.StopAsync(Ct);
    }

    private static RabbitMqTransport RabbitMq(IServiceProvider services) => new(new RabbitMqOptions());

    private NatsTransport Nats(IServiceProvider services) => new(_client);

    private static async Task AssertRefusedAsync(Func<IServiceProvider, ITransport> transport, Action<DispatchOptions> route, Action<TransportBuilder> bind, params string[] words)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddPostrider(route);
        bind(builder.Services.AddPostriderTransport("t", transport, s_json));
        using var host = builder.Build();

        var refused = await Assert.ThrowsAsync<PostriderException>(() => host.StartAsync(Ct));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.All(words, word => Assert.Contains(word, refused.Message, StringComparison.Ordinal));
    }

    /// <summary>A transport of somebody else.</summary>
    private sealed class AnyOrder : ITransport
    {
        public string Name => "any";

        public TransportAbilities Abilities => TransportAbilities.None;

        public MessageSender OpenSender(SendTarget target) => throw new NotSupportedException();

        public ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct) => throw new NotSupportedException();

        public ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct) => new(HealthCheckResult.Healthy());

        public ValueTask DisposeAsync() => default;
    }
}

internal sealed partial record AbilityWork(string Text) : ICommand;

internal sealed partial record AbilityNews(string Key) : INotification, IKeyed;

internal sealed partial record AbilityQuestion(string Text) : IQuery<string>;

internal static class AbilityHandlers
{
    [Handler]
    public static void Handle(AbilityWork work) => Assert.NotNull(work.Text);

    [Handler]
    public static string Handle(AbilityQuestion question) => question.Text;
}

[JsonSerializable(typeof(AbilityWork))]
[JsonSerializable(typeof(AbilityNews))]
[JsonSerializable(typeof(AbilityQuestion))]
[JsonSerializable(typeof(string))]
internal sealed partial class AbilityJson : JsonSerializerContext;
