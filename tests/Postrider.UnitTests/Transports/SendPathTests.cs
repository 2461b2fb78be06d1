using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.UnitTests.Transports;

/// <summary>What a message costs between the dispatcher and the provider's client.</summary>
public sealed class SendPathTests
{
    private static readonly JsonSerializerProvider s_json = new(SendPathJson.Default);

    [Fact]
    public void Routed_notification_allocates_nothing()
    {
        using var services = Services(new NullTransport(), "events");
        var (dispatcher, message) = (services.GetRequiredService<IDispatcher>(), new PathNews(7, "tea"));

        Assert.Equal(0, Allocations.PerCall(() => dispatcher.PublishAsync(message), warmUp: 1_000));
    }

    [Fact]
    public void Routed_notification_with_a_time_to_live_allocates_nothing()
    {
        using var services = Services(new NullTransport(), new SendTarget("events") { TimeToLive = TimeSpan.FromMinutes(5) });
        var (dispatcher, message) = (services.GetRequiredService<IDispatcher>(), new PathNews(7, "tea"));

        Assert.Equal(0, Allocations.PerCall(() => dispatcher.PublishAsync(message), warmUp: 1_000));
    }

    [Fact]
    public void Routed_command_that_is_stored_allocates_nothing()
    {
        using var services = Services(new NullTransport(), "events");
        var dispatcher = services.GetRequiredService<IDispatcher>();
        ICommand message = new PathWork(7, "tea");

        Assert.Equal(0, Allocations.PerCall(() => dispatcher.SendAsync(message), warmUp: 1_000));
    }

    [Fact]
    public void Routed_notification_without_a_listener_in_memory_allocates_nothing()
    {
        using var services = Services(new InMemoryTransport(), "events");
        var (dispatcher, message) = (services.GetRequiredService<IDispatcher>(), new PathNews(7, "tea"));

        Assert.Equal(0, Allocations.PerCall(() => dispatcher.PublishAsync(message), warmUp: 1_000));
    }

    [Fact]
    public async Task Routed_notification_that_is_handled_in_memory_stays_below_a_kilobyte()
    {
        await using var transport = new InMemoryTransport();
        await using var far = new ServiceCollection().AddPostrider().BuildServiceProvider();
        await using var pump = new MessagePump(transport, s_json, far).Notification<PathNews>(new TransportBinding("events"));
        await pump.StartAsync(TestContext.Current.CancellationToken);
        await using var near = Services(transport, "events");
        var (dispatcher, message) = (near.GetRequiredService<IDispatcher>(), new PathNews(7, "tea"));
        var before = PathHandlers.Count;

        var bytes = Allocations.PerCall(() => dispatcher.PublishAsync(message), warmUp: 1_000);

        Assert.InRange(bytes, 1, 1_024);
        Assert.True(PathHandlers.Count > before);
    }

    [Fact]
    public async Task Id_and_conversation_of_a_message_are_one_text_that_the_next_message_does_not_have()
    {
        var transport = new NullTransport();
        await using var services = Services(transport, "events");
        var dispatcher = services.GetRequiredService<IDispatcher>();

        await dispatcher.PublishAsync(new PathNews(1, "tea"), TestContext.Current.CancellationToken);
        var first = transport.Last;
        await dispatcher.PublishAsync(new PathNews(2, "tea"), TestContext.Current.CancellationToken);

        Assert.Matches("^[0-9a-f]{32}$", first.MessageId);
        Assert.Equal(first.MessageId, first.CorrelationId);
        Assert.Equal(typeof(PathNews).FullName, first.Type);
        Assert.NotEqual(first.MessageId, transport.Last.MessageId);
        var headers = new Headers();
        first.WriteTo(headers);
        Assert.Same(headers[HeaderNames.MessageId], headers[HeaderNames.CorrelationId]);
        Assert.Equal(first, MessageProperties.From(headers));
        Assert.Equal(first.GetHashCode(), MessageProperties.From(headers).GetHashCode());
    }

    [Fact]
    public void Id_that_is_replaced_leaves_the_conversation_as_it_was()
    {
        var properties = new MessageProperties(MessageIds.NextNumber(), correlationId: null);
        var conversation = properties.CorrelationId;

        var renamed = properties with { MessageId = "own" };

        Assert.Equal(("own", conversation), (renamed.MessageId, renamed.CorrelationId));
        Assert.Equal((null, "c"), ((renamed with { MessageId = null, CorrelationId = "c" }).MessageId, (renamed with { CorrelationId = "c" }).CorrelationId));
    }

    [Fact]
    public async Task Failure_of_a_routed_command_is_found_where_it_is_awaited()
    {
        await using var services = Services(new NullTransport { MaxBodyBytes = 1 }, "events");
        var dispatcher = services.GetRequiredService<IDispatcher>();

        var sending = dispatcher.SendAsync(new PathWork(7, "tea"), TestContext.Current.CancellationToken);

        Assert.True(sending.IsFaulted);
        Assert.Equal(PostriderError.TooLarge, (await Assert.ThrowsAsync<PostriderException>(async () => await sending)).Error);
    }

    private static ServiceProvider Services(ITransport transport, SendTarget target)
        => new ServiceCollection().AddPostrider(options => options
            .RouteNotification<PathNews>(_ => transport, s_json, target)
            .Route<PathWork, Unit>(_ => transport is InMemoryTransport ? new NullTransport() : transport, s_json, target)).BuildServiceProvider();

    private sealed class NullTransport : ITransport
    {
        public string Name => "null";

        public TransportAbilities Abilities => TransportAbilities.Durability | TransportAbilities.Expiry;

        public long MaxBodyBytes { get; init; } = 1_000_000;

        public MessageProperties Last { get; private set; }

        public MessageSender OpenSender(SendTarget target) => new Sender(this, target);

        public ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct) => throw new NotSupportedException();

        public ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct) => new(HealthCheckResult.Healthy());

        public ValueTask DisposeAsync() => default;

        private sealed class Sender(NullTransport transport, SendTarget target) : MessageSender(transport, target)
        {
            public override long MaxBodyBytes => transport.MaxBodyBytes;

            protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
            {
                transport.Last = properties;
                return default;
            }
        }
    }
}

internal sealed partial record PathNews(int Number, string Item) : INotification;

internal sealed partial record PathWork(int Number, string Item) : ICommand;

internal sealed class PathHandlers : INotificationHandler<PathNews>
{
    private static int s_count;

    internal static int Count => Volatile.Read(ref s_count);

    public ValueTask Handle(PathNews notification, CancellationToken ct)
    {
        Interlocked.Increment(ref s_count);
        return default;
    }
}

[JsonSerializable(typeof(PathNews))]
[JsonSerializable(typeof(PathWork))]
internal sealed partial class SendPathJson : JsonSerializerContext;
