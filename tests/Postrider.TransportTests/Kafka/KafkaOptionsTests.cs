using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Configuration;
using Postrider.Serialization;
using Postrider.Transport.Kafka;
using Postrider.TransportTests.Harness;
using Postrider.Transports;

namespace Postrider.TransportTests.Kafka;

/// <summary>Options and bindings that contradict themselves are refused with what to change, and before a server is asked.</summary>
public sealed class KafkaOptionsTests
{
    private const string Hubs = "Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=all;SharedAccessKey=c2VjcmV0";

    public static TheoryData<string, Action<KafkaOptions>, string> Contradictions => new()
    {
        { "acks", options => options.Throughput.Acks = KafkaAcks.Leader, "set Idempotence to false, or Acks to All" },
        { "linger", options => options.Throughput.Linger = TimeSpan.FromMinutes(2), "must be from 0 to 00:01:00" },
        { "linger beyond the timeout", options => (options.Throughput.Linger, options.Retry.SendTimeout) = (TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(5)), "must be longer than Throughput.Linger (00:00:10)" },
        { "servers", options => options.Servers = "localhost", "must be host:port, separated by commas" },
        { "scheme", options => options.Servers = "kafka://localhost:9092", "must be host:port" },
        { "batch", options => options.Throughput.BatchBytes = 1, "must be at least 1000" },
        { "unsettled", options => options.Throughput.MaxUnsettled = 0, "must be from 1" },
        { "topic wait", options => options.Retry.UnknownTopicWait = TimeSpan.FromHours(1), "at most Retry.SendTimeout" },
        { "hand-over", options => options.Retry.HandOverWait = TimeSpan.FromMinutes(10), "removed from its group" },
        { "body", options => options.Poison.MaxBodyBytes = 0, "must be from 1" },
        { "user alone", options => options.Security.User = "orders", "there is no Security.Password" },
        { "password alone", options => options.Security.Password = "secret", "there is no Security.User" },
        { "authority without TLS", options => options.Security.CaFile = "/ca.pem", "set Tls to true, or remove CaFile" },
        { "missing authority", options => (options.Security.Tls, options.Security.CaFile) = (true, "/nowhere/ca.pem"), "'/nowhere/ca.pem' does not exist" },
        { "compression of Event Hubs", options => options.UseEventHubs(Hubs).Throughput.Compression = KafkaCompression.Zstd, "set it to Gzip or None" },
        { "account of Event Hubs", options => options.UseEventHubs(Hubs).Security.Mechanism = KafkaSaslMechanism.ScramSha512, "leave Security as UseEventHubs set it" },
    };

    [Theory]
    [MemberData(nameof(Contradictions))]
    public void Options_that_contradict_each_other_are_refused(string name, Action<KafkaOptions> change, string words)
    {
        var options = new KafkaOptions();
        change(options);

        var refused = Assert.Throws<PostriderException>(() => new KafkaTransport(options));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.True(refused.Message.Contains(words, StringComparison.Ordinal), $"{name}: {refused.Message}");
        Assert.DoesNotContain("secret", refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("c2VjcmV0", refused.Message, StringComparison.Ordinal);
    }

    public static TheoryData<string, Action<KafkaOptions>> Limits => new()
    {
        { "largest body", options => options.Poison.MaxBodyBytes = 900_000_000 },
        { "smallest body", options => options.Poison.MaxBodyBytes = 1 },
        { "largest read-ahead", options => options.Throughput.ReadAheadBytes = 512_000_000 },
        { "smallest read-ahead", options => options.Throughput.ReadAheadBytes = 1024 },
        { "no linger", options => options.Throughput.Linger = TimeSpan.Zero },
        { "longest linger", options => (options.Throughput.Linger, options.Retry.SendTimeout) = (TimeSpan.FromMinutes(1), TimeSpan.FromDays(1)) },
        { "smallest batch", options => options.Throughput.BatchBytes = 1000 },
        { "one unconfirmed", options => options.Throughput.MaxUnconfirmed = 1 },
        { "most unconfirmed", options => options.Throughput.MaxUnconfirmed = 10_000_000 },
        { "shortest session", options => options.Retry.SessionTimeout = TimeSpan.FromSeconds(1) },
        { "longest session", options => options.Retry.SessionTimeout = TimeSpan.FromHours(1) },
        { "shortest pause", options => options.Retry.MaxPause = TimeSpan.FromMilliseconds(10) },
        { "longest pause", options => options.Retry.MaxPause = TimeSpan.FromMinutes(5) },
        { "leader alone", options => (options.Throughput.Acks, options.Throughput.Idempotence) = (KafkaAcks.Leader, false) },
    };

    [Theory]
    [MemberData(nameof(Limits))]
    public async Task Options_at_their_limits_are_taken_by_the_client(string name, Action<KafkaOptions> change)
    {
        using var cluster = new MockCluster();
        cluster.CreateTopic("limits");
        var options = new KafkaOptions { Servers = cluster.Servers };
        change(options);
        await using var transport = new KafkaTransport(options);

        await using var listener = await transport.ListenAsync(new KafkaBinding("limits") { Group = "g" }, static (_, _) => default, TestContext.Current.CancellationToken);
        var health = await transport.CheckHealthAsync(TestContext.Current.CancellationToken);

        Assert.True(health.Status == Microsoft.Extensions.Diagnostics.HealthChecks.HealthStatus.Healthy, $"{name}: {health.Description}");
    }

    public static TheoryData<TransportBinding, string> Bindings => new()
    {
        { new KafkaBinding("orders"), "set Group to the name" },
        { new TransportBinding("orders") { Group = "g" }, "use a KafkaBinding" },
        { new KafkaBinding("or ders") { Group = "g" }, "it contains ' '" },
        { new KafkaBinding("..") { Group = "g" }, "'..' is not a name" },
        { new KafkaBinding(new string('t', 250)) { Group = "g" }, "249 are allowed" },
        { new KafkaBinding("orders") { Group = "g", DeadLetter = "orders" }, "is the source of the binding itself" },
        { new KafkaBinding("orders") { Group = "g", DeadLetter = "dé" }, "dead-letter topic" },
        { new KafkaBinding("orders") { Group = "g", Partitions = 0 }, "must be at least 1" },
        { new KafkaBinding("orders") { Group = "g", MaxConcurrency = 0 }, "MaxConcurrency is 0" },
        { new KafkaBinding("orders") { Group = "g", Retry = AtLeastOnceBinding.DefaultRetry with { MaxDelay = TimeSpan.FromDays(60) } }, "Retry.MaxDelay is 60.00:00:00" },
    };

    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task Binding_that_is_not_valid_is_refused(TransportBinding binding, string words)
    {
        await using var transport = new KafkaTransport(new KafkaOptions());

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.ListenAsync(binding, static (_, _) => default, TestContext.Current.CancellationToken));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("orders/new")]
    [InlineData("..")]
    public void Case_53_destination_that_is_no_topic_is_refused(string topic)
        => Assert.Equal(PostriderError.Configuration, Assert.Throws<PostriderException>(() => new KafkaTransport(new KafkaOptions()).OpenSender(topic)).Error);

    [Fact]
    public void Event_Hubs_is_a_profile()
    {
        var options = new KafkaOptions().UseEventHubs(Hubs);

        Assert.Equal(("shop.servicebus.windows.net:9093", "$ConnectionString", Hubs, true, KafkaCompression.Gzip), (options.Servers, options.Security.User, options.Security.Password, options.Security.Tls, options.Throughput.Compression));
        Assert.DoesNotContain("c2VjcmV0", options.Security.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("Endpoint=https://shop.servicebus.windows.net/;SharedAccessKey=c2VjcmV0")]
    [InlineData("Endpoint=sb://shop.servicebus.windows.net/")]
    public void Connection_string_that_is_none_is_refused_and_not_repeated(string text)
    {
        var refused = Assert.Throws<PostriderException>(() => new KafkaOptions().UseEventHubs(text));

        Assert.Contains("Endpoint=sb://name", refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("c2VjcmV0", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Section_gives_every_option_and_effective_values_are_logged_once()
    {
        using var cluster = new MockCluster();
        cluster.CreateTopic("logged");
        using var lines = new LogRecorder();
        var services = new ServiceCollection().AddLogging(builder => builder.AddProvider(lines));
        services.AddPostrider();
        services.AddKafkaTransport("k", TextSerializerProvider.Instance, Section(
            ("Servers", cluster.Servers), ("ClientName", "shop"), ("Throughput:Linger", "1ms"), ("Throughput:Compression", "Zstd"), ("Throughput:BatchBytes", "64KB"), ("Throughput:Acks", "Leader"),
            ("Throughput:Idempotence", "false"), ("Throughput:MaxUnsettled", "7"), ("Retry:SendTimeout", "7s"), ("Retry:CommitInterval", "2s"), ("Retry:HandOverWait", "3s"), ("Poison:MaxBodyBytes", "1KB"), ("Observability:ProbeTimeout", "9s")));
        await using var provider = services.BuildServiceProvider();
        var transport = provider.GetRequiredKeyedService<ITransport>("k");

        await transport.OpenSender("logged").SendAsync(default, "x"u8.ToArray(), TestContext.Current.CancellationToken);
        await transport.OpenSender("logged").SendAsync(default, "x"u8.ToArray(), TestContext.Current.CancellationToken);

        var line = Assert.Single(lines.Lines, static line => line.Contains("Effective profiles", StringComparison.Ordinal));
        Assert.All(["Linger = 00:00:00.0010000", "Compression = Zstd", "Acks = Leader", "MaxUnsettled = 7", "SendTimeout = 00:00:07", "MaxBodyBytes = 1024"], part => Assert.Contains(part, line, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("Throughput:Compression", "Brotli", "Throughput:Compression")]
    [InlineData("Throughput:Lingr", "1ms", "Throughput:Lingr")]
    [InlineData("EventHubs", "Endpoint=none", "EventHubs")]
    public void Section_with_a_wrong_value_ends_the_start(string key, string value, string named)
    {
        var services = new ServiceCollection();
        services.AddKafkaTransport("k", TextSerializerProvider.Instance, Section((key, value)));
        using var provider = services.BuildServiceProvider();

        var refused = Assert.Throws<InvalidConfigurationException>(() => provider.GetRequiredKeyedService<ITransport>("k"));

        Assert.Contains(named, refused.Message, StringComparison.Ordinal);
    }

    private static IConfigurationSection Section(params (string Key, string Value)[] values)
        => new ConfigurationBuilder().AddInMemoryCollection(values.Select(static pair => KeyValuePair.Create($"Kafka:{pair.Key}", (string?)pair.Value))).Build().GetSection("Kafka");
}
