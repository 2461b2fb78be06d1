using System.Collections.Concurrent;
using System.Text;
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Client.Sessions;
using Postrider.Dispatch;
using Postrider.Envelopes;
using Postrider.Middleware;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.UnitTests.Transport.Nats;

/// <summary>From a stream through the generated pipeline and back into a stream; how each message ends is told in the interop tests.</summary>
public sealed class DurableBindingTests : IAsyncLifetime
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);
    private static readonly JsonSerializerProvider s_json = new(ParcelJson.Default);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-durable-").FullName;
    private NatsBroker _broker = null!;
    private NatsTransport _transport = null!;
    private NatsClient _client = null!;
    private JetStreamContext _streams = null!;

    public async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false, JetStream = new() { StoreDirectory = _folder } }, _ct);
        _client = await NatsClient.ConnectAsync(new ClientOptions { Connector = _broker.Connector }, _ct);
        _transport = new NatsTransport(_client);
        _streams = _client.CreateJetStreamContext();
        await _streams.CreateStreamAsync(new StreamConfig { Name = "PARCELS", Subjects = ["parcels.*"], Storage = StreamStorage.Memory, Retention = StreamRetention.WorkQueue }, _ct);
        await _streams.CreateStreamAsync(new StreamConfig { Name = "DEAD", Subjects = ["dead"], Storage = StreamStorage.Memory }, _ct);
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Routed_command_is_stored_and_handled_with_the_count_of_its_deliveries()
    {
        await using var desk = await OpenAsync();

        await desk.Dispatcher.SendAsync(new SendParcel("a", FailsUntil: 3), _ct);
        await Eventually.HoldsAsync(() => desk.Log.Handled.Count == 1);

        Assert.Equal([("a", 1L), ("a", 2L), ("a", 3L)], desk.Log.Attempts);
        Assert.Equal(["a"], desk.Log.Handled);
    }

    [Fact]
    public async Task Routed_command_with_a_key_is_stored_once_however_often_it_is_sent()
    {
        await using var desk = await OpenAsync(listens: false);

        for (var i = 0; i < 3; i++) await desk.Dispatcher.SendAsync(new SendParcel("b", FailsUntil: 0), _ct);
        await desk.Dispatcher.SendAsync(new SendParcel("c", FailsUntil: 0), _ct);

        Assert.Equal(2UL, (await _streams.GetStreamAsync("PARCELS", ct: _ct)).Info.State.LastSequence);
    }

    [Theory]
    [InlineData("{", "Unreadable")]
    [InlineData("""{"id":"r","failsUntil":-1}""", "Final")]
    [InlineData("""{"id":"x","failsUntil":99}""", "Exhausted")]
    public async Task Message_that_cannot_be_handled_is_a_dead_letter(string body, string reason)
    {
        await using var desk = await OpenAsync();

        await _streams.PublishAsync("parcels.send", body, ct: _ct);
        var dead = await _streams.GetStreamAsync("DEAD", ct: _ct);
        await Eventually.HoldsAsync(async () => (await dead.RefreshAsync(ct: _ct)).State.Messages == 1);

        var letter = (await dead.GetMessageAsync<string>(1, ct: _ct))!;
        Assert.Equal(body, letter.Data);
        Assert.Equal(reason, letter.Headers![DeadLetterHeaders.Reason]);
    }

    [Fact]
    public async Task Message_of_another_content_type_is_a_dead_letter_with_its_bytes_and_headers()
    {
        await using var desk = await OpenAsync();

        await _transport.Streams.SendAsync(
            new Envelope { Destination = "parcels.send", Headers = { { HeaderNames.ContentType, "text/csv" } }, Body = "a;0"u8.ToArray() }, _ct);
        var dead = await _streams.GetStreamAsync("DEAD", ct: _ct);
        await Eventually.HoldsAsync(async () => (await dead.RefreshAsync(ct: _ct)).State.Messages == 1);

        var letter = (await dead.GetMessageAsync<string>(1, ct: _ct))!;
        Assert.Equal(("a;0", "text/csv"), (letter.Data, letter.Headers![HeaderNames.ContentType]));
        Assert.Equal(
            ("Unreadable", "Unsupported content type 'text/csv'. Supported: application/json."),
            (letter.Headers[DeadLetterHeaders.Reason], letter.Headers[HeaderNames.Error]));
    }

    [Fact]
    public async Task Notification_from_a_stream_reaches_every_handler()
    {
        await using var desk = await OpenAsync();

        await _transport.Streams.SendAsync(new Envelope { Destination = "parcels.sent", Body = """{"id":"n"}"""u8.ToArray() }, _ct);
        await Eventually.HoldsAsync(() => desk.Log.Told.Count == 2);

        Assert.Equal(["first n", "second n"], desk.Log.Told.Order());
    }

    [Fact]
    public async Task Same_binding_works_with_a_transport_that_keeps_nothing()
    {
        await using var memory = new InMemoryTransport();
        await using var services = Services(memory);
        await using var pump = new MessagePump(memory, s_json, services).Command<SendParcel>(new DurableBinding("parcels.send") { Consumer = "senders" });
        await pump.StartAsync(_ct);

        await memory.SendAsync(new Envelope { Destination = "parcels.send", Body = """{"id":"m"}"""u8.ToArray() }, _ct);

        Assert.Equal(["m"], services.GetRequiredService<ParcelLog>().Handled);
    }

    private static ServiceProvider Services(ITransport transport)
        => new ServiceCollection().AddSingleton<ParcelLog>().AddSingleton(transport).AddPostrider().BuildServiceProvider();

    private async Task<Desk> OpenAsync(bool listens = true)
    {
        var services = Services(_transport);
        var retry = DurableBinding.DefaultRetry with { BaseDelay = TimeSpan.FromMilliseconds(10), MaxDelay = TimeSpan.FromMilliseconds(50) };
        var pump = new MessagePump(_transport, s_json, services);
        if (listens)
        {
            pump.Command<SendParcel>(new DurableBinding("parcels.send") { Consumer = "senders", Retry = retry, DeadLetter = "dead" })
                .Notification<ParcelSent>(new DurableBinding("parcels.sent") { Consumer = "told", Retry = retry, DeadLetter = "dead" });
        }
        await pump.StartAsync(_ct);
        var caller = new ServiceCollection()
            .AddPostrider(options => options.Route<SendParcel, Unit>(_ => _transport.Streams, s_json, "parcels.send"))
            .BuildServiceProvider();
        return new Desk(services, caller, pump);
    }

    private sealed class Desk(ServiceProvider services, ServiceProvider caller, MessagePump pump) : IAsyncDisposable
    {
        public ParcelLog Log { get; } = services.GetRequiredService<ParcelLog>();

        public IDispatcher Dispatcher { get; } = caller.GetRequiredService<IDispatcher>();

        public async ValueTask DisposeAsync()
        {
            await pump.DisposeAsync();
            await services.DisposeAsync();
            await caller.DisposeAsync();
        }
    }
}

internal sealed partial record SendParcel(string Id, int FailsUntil) : ICommand, IIdempotent
{
    [JsonIgnore] public string IdempotencyKey => Id;
}

internal sealed partial record ParcelSent(string Id) : INotification;

internal sealed class ParcelLog
{
    public ConcurrentQueue<(string Id, long Delivery)> Attempts { get; } = new();

    public ConcurrentQueue<string> Handled { get; } = new();

    public ConcurrentQueue<string> Told { get; } = new();
}

internal static class ParcelHandlers
{
    [Handler]
    public static void Send(SendParcel command, MessageContext context, ParcelLog log)
    {
        var count = context.Delivery?.Count ?? 0;
        log.Attempts.Enqueue((command.Id, count));
        if (command.FailsUntil < 0) throw new PostriderException(PostriderError.Refused, "Nobody lives there.");
        if (count < command.FailsUntil) throw new InvalidOperationException("Nobody is at home.");
        log.Handled.Enqueue(command.Id);
    }
}

internal sealed class TellFirst(ParcelLog log) : INotificationHandler<ParcelSent>
{
    public ValueTask Handle(ParcelSent notification, CancellationToken ct)
    {
        log.Told.Enqueue($"first {notification.Id}");
        return default;
    }
}

internal sealed class TellSecond(ParcelLog log) : INotificationHandler<ParcelSent>
{
    public ValueTask Handle(ParcelSent notification, CancellationToken ct)
    {
        log.Told.Enqueue($"second {notification.Id}");
        return default;
    }
}

[JsonSerializable(typeof(SendParcel))]
[JsonSerializable(typeof(ParcelSent))]
[JsonSourceGenerationOptions(System.Text.Json.JsonSerializerDefaults.Web)]
internal sealed partial class ParcelJson : JsonSerializerContext;
