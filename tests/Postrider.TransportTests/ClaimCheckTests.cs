using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Serialization;
using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.ClaimChecks;
using Postrider.Client;
using Postrider.Client.JetStream.Models;
using Postrider.Client.ObjectStore;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.TransportTests;

internal sealed partial record PictureTaken(string Name, string Pixels) : INotification;

[JsonSerializable(typeof(PictureTaken))]
internal sealed partial class PictureJson : JsonSerializerContext;

internal sealed class PictureLog
{
    public Channel<PictureTaken> Stored { get; } = Channel.CreateUnbounded<PictureTaken>();

    public int Failures { get; set; }
}

internal static class PictureHandlers
{
    [Handler]
    public static void On(PictureTaken message, PictureLog log)
    {
        if (log.Failures-- > 0)
            throw new InvalidOperationException("no disk");
        log.Stored.Writer.TryWrite(message);
    }
}

/// <summary>Bodies that are too large for their transport, in files and in JetStream's object store.</summary>
public sealed class ClaimCheckTests : IAsyncLifetime
{
    private const int Large = 3 * 1024 * 1024;
    private static readonly JsonSerializerProvider Json = new(PictureJson.Default);
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-claims-").FullName;
    private readonly PictureLog _log = new();
    private Broker.NatsBroker _broker = null!;
    private NatsClient _client = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    private string Files => Path.Join(_folder, "files");

    public async ValueTask InitializeAsync()
    {
        _broker = await Broker.NatsBroker.StartAsync(new Broker.BrokerOptions { Port = Broker.BrokerOptions.RandomPort, JetStream = new() { StoreDirectory = Path.Join(_folder, "js") } });
        _client = await NatsClient.ConnectAsync(new ClientOptions { Connector = _broker.Connector }, Ct);
        await _client.CreateJetStreamContext().CreateStreamAsync(new StreamConfig { Name = "pictures", Subjects = ["pictures.>"] }, ct: Ct);
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Large_body_arrives_whole_and_is_removed_when_it_was_handled(bool overNats)
    {
        using var host = await StartAsync(overNats, static options => options.RemoveWhenHandled = true);
        var picture = new PictureTaken("large", new string('x', Large));
        _log.Failures = 1;

        await host.Services.GetRequiredService<IDispatcher>().PublishAsync(picture, Ct);
        await host.Services.GetRequiredService<IDispatcher>().PublishAsync(new PictureTaken("small", "."), Ct);

        Assert.Equal(["large", "small"], new[] { (await NextAsync()).Name, (await NextAsync()).Name }.Order(StringComparer.Ordinal));
        await Eventually.HoldsAsync(async () => await CountAsync(overNats) == 0);
        await host.StopAsync(Ct);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Body_stays_by_default_so_that_others_find_it(bool overNats)
    {
        using var host = await StartAsync(overNats);

        await host.Services.GetRequiredService<IDispatcher>().PublishAsync(new PictureTaken("large", new string('x', Large)), Ct);

        Assert.Equal(Large, (await NextAsync()).Pixels.Length);
        await host.StopAsync(Ct);
        Assert.Equal(1, await CountAsync(overNats));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Message_whose_body_is_gone_is_a_dead_letter_that_says_so(bool overNats)
    {
        using var host = await StartAsync(overNats);
        var transport = host.Services.GetRequiredKeyedService<ITransport>("pictures");

        await SendAsync(transport, (ClaimHeaders.Id, new string('a', 64)));

        var letter = await DeadLetterAsync(transport);
        Assert.Equal((DeadLetterReason.BodyMissing, "pictures.store", "BodyMissing"), (letter.Reason, letter.Origin, letter.Headers[HeaderNames.ErrorCode]));
        Assert.Contains("is no longer in the store", letter.Error, StringComparison.Ordinal);
        Assert.Equal(new string('a', 64), letter.Headers[ClaimHeaders.Id]);
        await host.StopAsync(Ct);
    }

    [Theory]
    [InlineData("../../etc/passwd")]
    [InlineData("")]
    [InlineData("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]
    public async Task Reference_that_is_no_id_is_a_dead_letter_at_once(string id)
    {
        using var host = await StartAsync(overNats: false);
        var transport = host.Services.GetRequiredKeyedService<ITransport>("pictures");

        await SendAsync(transport, (ClaimHeaders.Id, id));

        var letter = await DeadLetterAsync(transport);
        Assert.Equal(DeadLetterReason.Unreadable, letter.Reason);
        Assert.Contains("64 lower-case hexadecimal digits", letter.Error, StringComparison.Ordinal);
        await host.StopAsync(Ct);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Body_above_the_limit_is_neither_sent_nor_fetched(bool overNats)
    {
        using var host = await StartAsync(overNats, static options => (options.ThresholdBytes, options.MaxBodyBytes) = (1000, 10_000));
        var transport = host.Services.GetRequiredKeyedService<ITransport>("pictures");

        var refused = await Assert.ThrowsAsync<PostriderException>(() => host.Services.GetRequiredService<IDispatcher>().PublishAsync(new PictureTaken("large", new string('x', 10_000)), Ct).AsTask());
        var id = Convert.ToHexStringLower(SHA256.HashData("own"u8));
        await Store(overNats).PutAsync(id, new byte[10_001], Ct);
        await SendAsync(transport, (ClaimHeaders.Id, id));

        Assert.Equal(PostriderError.TooLarge, refused.Error);
        var letter = await DeadLetterAsync(transport);
        Assert.Equal(DeadLetterReason.Unreadable, letter.Reason);
        Assert.Contains("10001 bytes; at most 10000 are fetched", letter.Error, StringComparison.Ordinal);
        await host.StopAsync(Ct);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Dead_letter_keeps_its_reference_and_finds_its_body_when_it_is_redriven(bool overNats)
    {
        using var host = await StartAsync(overNats, static options => options.RemoveWhenHandled = true);
        var transport = host.Services.GetRequiredKeyedService<ITransport>("pictures");
        _log.Failures = 3;
        await host.Services.GetRequiredService<IDispatcher>().PublishAsync(new PictureTaken("large", new string('x', Large)), Ct);
        Assert.Equal(DeadLetterReason.Exhausted, (await DeadLetterAsync(transport)).Reason);

        Assert.Equal(1, await transport.OpenDeadLetters("dead.pictures").RedriveAsync(DeadLetterQuery.All, Ct));

        Assert.Equal(Large, (await NextAsync()).Pixels.Length);
        await Eventually.HoldsAsync(async () => await CountAsync(overNats) == 0);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Files_that_are_too_old_are_removed_by_those_who_write()
    {
        var clock = new TestClock();
        var store = new FileClaimStore(Files, TimeSpan.FromDays(1), clock);
        var (old, young, id) = (new string('1', 64), new string('2', 64), new string('3', 64));
        await store.PutAsync(old, "old"u8.ToArray(), Ct);
        await store.PutAsync(young, "young"u8.ToArray(), Ct);
        File.SetLastWriteTimeUtc(Path.Join(Files, old), clock.GetUtcNow().UtcDateTime);
        File.SetLastWriteTimeUtc(Path.Join(Files, young), clock.GetUtcNow().UtcDateTime.AddHours(20));
        var (unfinished, others) = (Path.Join(Files, $"{old}.{new string('a', 32)}"), Path.Join(Files, "holiday.jpg"));
        foreach (var path in (string[])[unfinished, others])
        {
            await File.WriteAllTextAsync(path, "", Ct);
            File.SetLastWriteTimeUtc(path, clock.GetUtcNow().UtcDateTime);
        }

        clock.Advance(TimeSpan.FromHours(30));
        await store.PutAsync(id, "new"u8.ToArray(), Ct);

        Assert.Null(await store.GetAsync(old, 100, Ct));
        Assert.Equal((false, true), (File.Exists(unfinished), File.Exists(others)));
        Assert.Equal("young", Encoding.UTF8.GetString((await store.GetAsync(young, 100, Ct))!.Value.Span));
        await Assert.ThrowsAsync<ArgumentException>(() => store.GetAsync("../x", 100, Ct).AsTask());
        await store.RemoveAsync(young, Ct);
        await store.RemoveAsync(young, Ct);
        Assert.Null(await store.GetAsync(young, 100, Ct));
    }

    [Theory]
    [InlineData(0, 10, "ThresholdBytes is 0")]
    [InlineData(100, 10, "MaxBodyBytes is 10")]
    public void Wrong_option_is_named(int threshold, int max, string what)
    {
        var transport = new ServiceCollection().AddPostriderTransport("pictures", static _ => new InMemoryTransport(), Json);

        var failure = Assert.Throws<PostriderException>(() => transport.UseClaimCheck(_ => Store(overNats: false), options => (options.ThresholdBytes, options.MaxBodyBytes) = (threshold, max)));
        transport.UseClaimCheck(_ => Store(overNats: false));
        var twice = Assert.Throws<PostriderException>(() => transport.UseClaimCheck(_ => Store(overNats: false)));

        Assert.Contains(what, failure.Message, StringComparison.Ordinal);
        Assert.Contains("already has a claim check", twice.Message, StringComparison.Ordinal);
    }

    private async Task<IHost> StartAsync(bool overNats, Action<ClaimCheckOptions>? configure = null)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton(_log);
        builder.Services.AddPostrider(static options => options.RouteNotification<PictureTaken>("pictures", Json, "pictures.store"));
        var retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 3, BaseDelay = TimeSpan.FromMilliseconds(20) };
        builder.Services.AddPostriderTransport("pictures", _ => overNats ? new NatsStreamTransport(_client) : new InMemoryTransport(), Json)
            .UseClaimCheck(_ => Store(overNats), configure)
            .Notification<PictureTaken>(overNats
                ? new DurableBinding("pictures.store") { Consumer = "store", Retry = retry, DeadLetter = "dead.pictures" }
                : new AtLeastOnceBinding("pictures.store") { Retry = retry, DeadLetter = "dead.pictures" });
        if (overNats)
            await _client.CreateJetStreamContext().CreateStreamAsync(new StreamConfig { Name = "dead", Subjects = ["dead.>"] }, ct: Ct);
        var host = builder.Build();
        await host.StartAsync(Ct);
        return host;
    }

    private IClaimStore Store(bool overNats)
        => overNats ? new NatsClaimStore(_client, new ObjectBucketConfig { Bucket = "bodies", TimeToLive = TimeSpan.FromDays(7) }) : new FileClaimStore(Files, TimeSpan.FromDays(7));

    private async Task<int> CountAsync(bool overNats)
    {
        if (!overNats)
            return Directory.Exists(Files) ? Directory.GetFiles(Files).Length : 0;
        var count = 0;
        await foreach (var _ in (await _client.CreateObjectStoreContext().GetBucketAsync("bodies", Ct)).ListAsync(ct: Ct))
            count++;
        return count;
    }

    private async Task<PictureTaken> NextAsync() => await _log.Stored.Reader.ReadAsync(Ct).AsTask().WaitAsync(Eventually.Patience, Ct);

    private static ValueTask SendAsync(ITransport transport, (string Name, string Value) header)
        => transport.SendAsync(new Envelope { Destination = "pictures.store", Headers = new() { { HeaderNames.MessageId, "m-1" }, { header.Name, header.Value } } }, Ct);

    private static Task<DeadLetterMessage> DeadLetterAsync(ITransport transport)
        => Eventually.GivesAsync(async () =>
        {
            await foreach (var letter in transport.OpenDeadLetters("dead.pictures").ListAsync(DeadLetterQuery.All, Ct))
                return letter;
            return null;
        });
}
