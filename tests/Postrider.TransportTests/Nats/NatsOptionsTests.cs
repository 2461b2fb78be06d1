using System.Threading.Channels;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Configuration;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.TransportTests.Harness;
using Postrider.Transports;

namespace Postrider.TransportTests.Nats;

/// <summary>The four profiles of NATS: effective values are logged, and what contradicts itself is refused.</summary>
public sealed class NatsOptionsTests : IAsyncLifetime, IDisposable
{
    private readonly LogRecorder _lines = new();
    private NatsBroker _broker = null!;
    private NatsClient _client = null!;

    public static TheoryData<string, Action<NatsOptions>, string> Contradictions => new()
    {
        { "nothing in flight", static o => o.Throughput.MaxInFlight = 0, "Throughput.MaxInFlight is 0" },
        { "too much in flight", static o => o.Throughput.MaxInFlight = 100_001, "must be from 1 to 100000" },
        { "no prefetch", static o => o.Throughput.PrefetchFactor = 0, "Throughput.PrefetchFactor is 0" },
        { "too much prefetch", static o => o.Throughput.PrefetchFactor = 101, "must be from 1 to 100" },
        { "no attempt", static o => o.Retry.SendAttempts = 0, "Retry.SendAttempts is 0" },
        { "no pause", static o => o.Retry.MaxPause = TimeSpan.Zero, "Retry.MaxPause is 00:00:00" },
        { "a pause of two days", static o => o.Retry.MaxPause = TimeSpan.FromDays(2), "must be from 1 ms to 1.00:00:00" },
        { "no pause before a consumer", static o => o.Retry.ReopenPause = TimeSpan.Zero, "Retry.ReopenPause is 00:00:00" },
        { "bodies of no byte", static o => o.Poison.MaxBodyBytes = 0, "Poison.MaxBodyBytes is 0" },
        { "bodies beyond every server", static o => o.Poison.MaxBodyBytes = 65 * 1024 * 1024, "or not set for the limit of the server" },
        { "a probe without time", static o => o.Observability.ProbeTimeout = TimeSpan.Zero, "Observability.ProbeTimeout is 00:00:00" },
        { "schedules with a wildcard", static o => o.Schedules = "later.>", "Schedules is 'later.>'" },
        { "schedules with a space", static o => o.Schedules = "la ter", "Schedules is 'la ter'" },
        { "schedules without a name", static o => o.Schedules = "", "Schedules is ''" },
        { "schedules of the system", static o => o.Schedules = "$SYS", "Schedules is '$SYS'" },
    };

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false }, Ct);
        _client = await NatsClient.ConnectAsync(new ClientOptions { Connector = _broker.Connector, LoggerFactory = LoggerFactory.Create(builder => builder.AddProvider(_lines)) }, Ct);
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
        Dispose();
    }

    public void Dispose() => _lines.Dispose();

    [Theory]
    [MemberData(nameof(Contradictions))]
    public void Options_that_contradict_each_other_are_refused(string name, Action<NatsOptions> change, string words)
    {
        var options = new NatsOptions();
        change(options);

        var core = Assert.Throws<PostriderException>(() => new NatsTransport(_client, options));
        var streams = Assert.Throws<PostriderException>(() => new NatsStreamTransport(_client, streams: null, options));

        Assert.Equal((PostriderError.Configuration, PostriderError.Configuration), (core.Error, streams.Error));
        Assert.Contains(words, core.Message, StringComparison.Ordinal);
        Assert.StartsWith("NatsOptions.", streams.Message, StringComparison.Ordinal);
        Assert.NotEmpty(name);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Section_gives_every_option_and_effective_values_are_logged_once(bool isStream)
    {
        var section = Section(
            ("Schedules", "later"), ("Throughput:MaxInFlight", "7"), ("Throughput:PrefetchFactor", "3"), ("Retry:SendAttempts", "2"), ("Retry:MaxPause", "50ms"), ("Retry:ReopenPause", "4s"),
            ("Poison:MaxBodyBytes", "1KB"), ("Observability:ProbeTimeout", "9s"));
        var services = new ServiceCollection().AddSingleton(_client).AddPostrider();
        if (isStream)
            services.AddNatsStreamTransport("n", TextSerializerProvider.Instance, section);
        else
            services.AddNatsTransport("n", TextSerializerProvider.Instance, section);
        await using var provider = services.BuildServiceProvider();
        var transport = provider.GetRequiredKeyedService<ITransport>("n");

        var sender = transport.OpenSender("logged");
        _ = transport.OpenSender("logged");
        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await sender.SendAsync(default, new byte[1025], Ct));

        var line = Assert.Single(_lines.Lines, static line => line.Contains("Effective profiles", StringComparison.Ordinal));
        Assert.All(["MaxInFlight = 7", "PrefetchFactor = 3", "SendAttempts = 2", "MaxPause = 00:00:00.0500000", "ReopenPause = 00:00:04", "MaxBodyBytes = 1024", "ProbeTimeout = 00:00:09"], part => Assert.Contains(part, line, StringComparison.Ordinal));
        Assert.Equal(PostriderError.TooLarge, refused.Error);
        Assert.Equal("later", ((transport as NatsTransport)?.Streams ?? (NatsStreamTransport)transport).Schedules);
    }

    [Fact]
    public void Body_without_a_limit_of_its_own_is_logged_as_limited_by_the_server()
    {
        var poison = new NatsPoison();

        Assert.Equal("NatsPoison { MaxBodyBytes = max_payload of the server }", poison.ToString());
    }

    [Theory]
    [InlineData("Throughput:MaxInFlight", "many", "Throughput:MaxInFlight")]
    [InlineData("Throughput:MaxInFlite", "1", "Throughput:MaxInFlite")]
    [InlineData("Troughput:MaxInFlight", "1", "Troughput")]
    [InlineData("Retry:MaxPause", "5", "Retry:MaxPause")]
    [InlineData("Retry", "none", "Retry")]
    [InlineData("Poison:MaxBodyBytes", "-1", "Poison:MaxBodyBytes")]
    [InlineData("Observability:LogProfiles", "maybe", "Observability:LogProfiles")]
    [InlineData("Servers", "nats://localhost", "Servers")]
    public void Section_with_a_wrong_value_ends_the_start(string key, string value, string named)
    {
        var services = new ServiceCollection().AddSingleton(_client);
        services.AddNatsTransport("n", TextSerializerProvider.Instance, Section((key, value)));
        using var provider = services.BuildServiceProvider();

        var refused = Assert.Throws<InvalidConfigurationException>(() => provider.GetRequiredKeyedService<ITransport>("n"));

        Assert.Contains($"Nats:{named}", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Message_waits_while_as_many_as_allowed_are_not_acknowledged()
    {
        var transport = new NatsStreamTransport(_client, streams: null, new NatsOptions { Throughput = new() { MaxInFlight = 2 } });
        var arrived = Channel.CreateUnbounded<NatsMessage<string>>();
        // In the place of a stream, which would acknowledge at once.
        await using var stream = _client.Subscribe<string>("slow", (message, ct) => arrived.Writer.WriteAsync(message, ct));
        await _client.FlushAsync(Ct);
        var sender = transport.OpenSender("slow");

        using var end = CancellationTokenSource.CreateLinkedTokenSource(Ct);
        var sending = Task.WhenAll(Enumerable.Range(0, 3).Select(i => sender.SendAsync(new MessageProperties { MessageId = $"{i}" }, default, end.Token).AsTask()));
        var first = await arrived.Reader.ReadAsync(Ct);
        await arrived.Reader.ReadAsync(Ct);
        await _client.PublishAsync("slow", "behind two", ct: Ct);
        var behind = await arrived.Reader.ReadAsync(Ct);
        await _client.PublishAsync(first.ReplyTo!, """{"stream":"S","seq":1}""", ct: Ct);
        var third = await arrived.Reader.ReadAsync(Ct);

        Assert.Equal(("behind two", "2"), (behind.Data, third.Headers!["Nats-Msg-Id"]));
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<Exception>(() => sending);
    }

    private static IConfigurationSection Section(params (string Key, string Value)[] values)
        => new ConfigurationBuilder().AddInMemoryCollection(values.Select(static pair => KeyValuePair.Create($"Nats:{pair.Key}", (string?)pair.Value))).Build().GetSection("Nats");
}
