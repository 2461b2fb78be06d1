using System.Text;
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Postrider.Sagas;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.TransportTests.Nats;

internal sealed partial record OpenBox([property: SagaId] string Box) : ICommand;

internal sealed partial record PutIn([property: SagaId] string Box, int Grams) : ICommand;

internal sealed partial record CloseBox([property: SagaId] string Box) : ICommand;

internal sealed partial record BoxClosed(string Box, int Grams) : INotification;

[Saga]
internal sealed class Box
{
    public int Grams { get; set; }

    [StartsSaga]
    public void On(OpenBox message, SagaContext saga)
    {
        // A time beside the point for those who put in more.
        saga.SetTimeout(new CloseBox(message.Box), message.Box.StartsWith("soon", StringComparison.Ordinal) ? TimeSpan.FromSeconds(1) : TimeSpan.FromDays(400));
    }

    [Handler]
    public void On(PutIn message, SagaContext saga)
    {
        Grams += message.Grams;
        if (Grams < 1000)
            return;
        saga.Send(new BoxClosed(message.Box, Grams));
        saga.Complete();
    }

    [SagaTimeout]
    public void On(CloseBox message, SagaContext saga)
    {
        saga.Send(new BoxClosed(message.Box, Grams));
        saga.Complete();
    }
}

[JsonSerializable(typeof(Box))]
[JsonSerializable(typeof(OpenBox))]
[JsonSerializable(typeof(PutIn))]
[JsonSerializable(typeof(CloseBox))]
[JsonSerializable(typeof(BoxClosed))]
internal sealed partial class BoxJson : JsonSerializerContext;

/// <summary>Sagas in a key-value bucket, with timeouts as schedules of the server.</summary>
public sealed class NatsSagaTests : IAsyncLifetime
{
    private static readonly JsonSerializerProvider Json = new(BoxJson.Default);
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-sagas-").FullName;
    private Broker.NatsBroker _broker = null!;
    private NatsClient _client = null!;
    private JetStreamContext _streams = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _broker = await Broker.NatsBroker.StartAsync(new Broker.BrokerOptions { Port = Broker.BrokerOptions.RandomPort, JetStream = new() { StoreDirectory = _folder } });
        _client = await NatsClient.ConnectAsync(new ClientOptions { Connector = _broker.Connector }, Ct);
        _streams = _client.CreateJetStreamContext();
        await _streams.CreateStreamAsync(new StreamConfig { Name = "boxes", Subjects = ["boxes.>", "later.>"], AllowMessageSchedules = true, Storage = StreamStorage.Memory }, ct: Ct);
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Race_of_50_messages_on_one_id_in_two_processes_loses_none()
    {
        await CreateClosedAsync();
        await using var one = await StartAsync();
        await using var two = await StartAsync();
        await PublishAsync("boxes.open", """{"Box":"b.1 ☃"}""");
        await Eventually.GivesAsync(() => FindAsync(one, "b.1 ☃"));

        for (var grams = 1; grams <= 44; grams++)
            await PublishAsync("boxes.put", $$"""{"Box":"b.1 ☃","Grams":{{grams}}}""");
        await PublishAsync("boxes.put", """{"Box":"b.1 ☃","Grams":9}""");

        await Eventually.HoldsAsync(async () => (await FindAsync(one, "b.1 ☃"))?.Grams == 999);
        await PublishAsync("boxes.put", """{"Box":"b.1 ☃","Grams":1}""");
        Assert.Equal("""{"box":"b.1 ☃","grams":1000}""", System.Text.RegularExpressions.Regex.Unescape(await ClosedAsync(1)));
        Assert.True(await one.GetRequiredService<SagaStates>().IsCompletedAsync<Box>("b.1 ☃", Ct));
        Assert.NotNull(await (await BucketAsync()).TryGetAsync<string>("Box.b=2E1=20=E2=98=83", ct: Ct));
    }

    [Fact]
    public async Task Messages_that_were_stored_and_not_sent_are_sent_when_the_message_comes_again()
    {
        await using var app = await StartAsync(keepFor: TimeSpan.FromDays(1));
        await PublishAsync("boxes.open", """{"Box":"b1"}""");
        await Eventually.GivesAsync(() => FindAsync(app, "b1"));

        // There is no stream for what it sends: the state is stored, and the send fails.
        await PublishAsync("boxes.put", """{"Box":"b1","Grams":1000}""");
        var bucket = await BucketAsync();
        await Eventually.HoldsAsync(async () => (await bucket.GetAsync<string>("Box.b1", ct: Ct)).Value.Contains("\"pending\":[{\"type\":\"Postrider.TransportTests.Nats.BoxClosed\"", StringComparison.Ordinal));
        await CreateClosedAsync();

        Assert.Equal("""{"box":"b1","grams":1000}""", await ClosedAsync(1));
        await Eventually.HoldsAsync(async () => (await bucket.GetAsync<string>("Box.b1", ct: Ct)).Value.Contains("\"version\":2,", StringComparison.Ordinal)
            && (await bucket.GetAsync<string>("Box.b1", ct: Ct)).Value.EndsWith("\"pending\":[]}", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Timeout_is_a_schedule_of_the_server_and_comes_across_a_restart()
    {
        await CreateClosedAsync();
        await using (var app = await StartAsync())
        {
            await PublishAsync("boxes.open", """{"Box":"soon-1"}""");
            await Eventually.GivesAsync(() => FindAsync(app, "soon-1"));
        }

        await using var second = await StartAsync();

        Assert.Equal("""{"box":"soon-1","grams":0}""", await ClosedAsync(1));
        await Eventually.HoldsAsync(async () => await second.GetRequiredService<SagaStates>().IsCompletedAsync<Box>("soon-1", Ct));
    }

    [Fact]
    public async Task Server_removes_a_saga_that_has_ended_after_its_time()
    {
        await CreateClosedAsync();
        await using var app = await StartAsync(keepFor: TimeSpan.FromSeconds(1));
        await PublishAsync("boxes.open", """{"Box":"b1"}""");
        await Eventually.GivesAsync(() => FindAsync(app, "b1"));
        await PublishAsync("boxes.put", """{"Box":"b1","Grams":1000}""");
        await ClosedAsync(1);
        var bucket = await BucketAsync();

        await Eventually.HoldsAsync(async () => await bucket.TryGetAsync<string>("Box.b1", ct: Ct) is null);
        await PublishAsync("boxes.open", """{"Box":"b1"}""");

        Assert.Equal(0, (await Eventually.GivesAsync(() => FindAsync(app, "b1"))).Grams);
    }

    [Fact]
    public void Bucket_that_would_lose_sagas_is_refused()
    {
        var sagas = new ServiceCollection().AddPostriderSagas(Json);

        var lost = Assert.Throws<PostriderException>(() => sagas.UseNatsKeyValue(new KeyValueConfig { Bucket = "sagas", TimeToLive = TimeSpan.FromDays(1), LimitMarkerTimeToLive = TimeSpan.FromHours(1) }));
        var kept = Assert.Throws<PostriderException>(() => sagas.UseNatsKeyValue(new KeyValueConfig { Bucket = "sagas" }));

        Assert.Contains("running sagas would be lost", lost.Message, StringComparison.Ordinal);
        Assert.Contains("has no LimitMarkerTimeToLive", kept.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Delayed_message_without_schedules_is_refused_and_one_for_another_stream_is_not_stored()
    {
        var transport = new NatsStreamTransport(_client);
        Assert.Equal(TransportAbilities.None, transport.Abilities & TransportAbilities.Delay);
        Assert.Throws<PostriderException>(() => transport.OpenSender(new SendTarget("boxes.put") { Delay = TimeSpan.FromHours(1) }));

        var scheduling = new NatsStreamTransport(_client, new() { MaxAttempts = 1 }) { Schedules = "nowhere" };
        var failure = await Assert.ThrowsAsync<PostriderException>(() => scheduling.OpenSender("boxes.put").SendAsync(new() { MessageId = "m", Delay = TimeSpan.FromHours(1) }, Encoding.UTF8.GetBytes("{}"), Ct).AsTask());

        Assert.StartsWith("No stream has the subject 'nowhere.", failure.Message, StringComparison.Ordinal);
    }

    private async Task<App> StartAsync(TimeSpan? keepFor = null)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton(_client);
        builder.Services.AddPostrider(static options => options
            .Route<CloseBox, Unit>("stream", Json, "boxes.close")
            .RouteNotification<BoxClosed>("stream", Json, "closed.box"));
        builder.Services.AddNatsStreamTransport("stream", Json, schedules: "later")
            .Command<OpenBox>(Binding("open")).Command<PutIn>(Binding("put")).Command<CloseBox>(Binding("close"));
        builder.Services.AddPostriderSagas(Json, options => options.KeepFor = keepFor ?? options.KeepFor).UseNatsKeyValue("sagas");
        var host = builder.Build();
        await host.StartAsync(Ct);
        return new(host);
    }

    private static DurableBinding Binding(string name)
        => new($"boxes.{name}") { Consumer = name, MaxConcurrency = 50, Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 50, BaseDelay = TimeSpan.FromMilliseconds(50), MaxDelay = TimeSpan.FromMilliseconds(200) } };

    private static Task<Box?> FindAsync(App app, string id) => app.GetRequiredService<SagaStates>().FindAsync<Box>(id, Ct).AsTask();

    private Task<KeyValueBucket> BucketAsync() => _client.CreateKeyValueContext().GetBucketAsync("sagas", Ct);

    private async Task CreateClosedAsync() => await _streams.CreateStreamAsync(new StreamConfig { Name = "closed", Subjects = ["closed.>"], Storage = StreamStorage.Memory }, ct: Ct);

    private async Task PublishAsync(string subject, string body) => await _streams.PublishAsync(subject, body, new PublishOptions { MessageId = Guid.NewGuid().ToString("N") }, ct: Ct);

    private async Task<string> ClosedAsync(ulong sequence)
    {
        var stream = await Eventually.SucceedsAsync<JetStreamException, JetStreamStream>(() => _streams.GetStreamAsync("closed", ct: Ct));
        return (await Eventually.GivesAsync(() => stream.GetMessageAsync<string>(sequence, ct: Ct))).Data;
    }

    private sealed class App(IHost host) : IServiceProvider, IAsyncDisposable
    {
        public object? GetService(Type serviceType) => host.Services.GetService(serviceType);

        public async ValueTask DisposeAsync()
        {
            await host.StopAsync();
            host.Dispose();
        }
    }
}
