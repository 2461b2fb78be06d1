using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Configuration;
using Postrider.Serialization;
using Postrider.Transport.Aws;
using Postrider.Transports;

namespace Postrider.TransportTests.Aws;

/// <summary>Options and bindings that contradict themselves are refused with what to change, and before the service is asked.</summary>
public sealed class AwsOptionsTests
{
    public static TheoryData<string, Action<AwsOptions>, string> Contradictions => new()
    {
        { "endpoint", options => options.Endpoint = new Uri("ftp://localhost"), "such as http://localhost:4566" },
        { "endpoint with a path", options => options.Endpoint = new Uri("http://localhost/queue"), "without a path" },
        { "region", options => options.Region = "Frankfurt am Main", "such as eu-central-1" },
        { "account", options => options.AccountId = "42", "must have 12 digits" },
        { "key alone", options => options.AccessKey = "AKID", "there is no SecretKey" },
        { "secret alone", options => options.SecretKey = "c2VjcmV0", "there is no AccessKey" },
        { "token alone", options => options.SessionToken = "c2VjcmV0", "set AccessKey and SecretKey as well" },
        { "two credentials", options => (options.UseCredentials(static () => null!).AccessKey, options.SecretKey) = ("AKID", "c2VjcmV0"), "set one of them" },
        { "source", options => options.EventSource = "aws.shop", "the service reserves" },
        { "queue type", options => options.QueueType = (AwsQueueType)7, "Standard, Fifo" },
        { "unconfirmed", options => options.Throughput.MaxUnconfirmed = 0, "must be from 1" },
        { "requests", options => options.Throughput.MaxRequests = 0, "must be from 1" },
        { "pollers", options => options.Throughput.Pollers = 101, "must be from 1 to 100" },
        { "poll", options => options.Throughput.PollWait = TimeSpan.FromSeconds(21), "must be from 1 s to 20 s" },
        { "prefetch", options => options.Throughput.PrefetchFactor = 11, "must be from 1 to 10" },
        { "stop", options => options.Throughput.StopWait = TimeSpan.FromMinutes(1), "must be from 0 to 30 s" },
        { "attempts", options => options.Retry.SendAttempts = 0, "must be from 1 to 100" },
        { "pause", options => options.Retry.MaxPause = TimeSpan.Zero, "must be from 100 ms" },
        { "timeout", options => options.Retry.RequestTimeout = TimeSpan.Zero, "must be from 1 s" },
        { "body", options => options.Poison.MaxBodyBytes = (1024 * 1024) + 1, "the most that SQS takes" },
        { "probe", options => options.Observability.ProbeTimeout = TimeSpan.Zero, "must be greater than zero" },
    };

    [Theory]
    [MemberData(nameof(Contradictions))]
    public void Options_that_contradict_each_other_are_refused(string name, Action<AwsOptions> change, string words)
    {
        var options = Local();
        change(options);

        var refused = Assert.Throws<PostriderException>(() => new AwsTransport(options));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.True(refused.Message.Contains(words, StringComparison.Ordinal), $"{name}: {refused.Message}");
        Assert.DoesNotContain("c2VjcmV0", refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("c2VjcmV0", options.ToString(), StringComparison.Ordinal);
    }

    public static TheoryData<AwsQueueType, TransportBinding, string> Bindings => new()
    {
        { AwsQueueType.Standard, new TransportBinding("orders"), "use an SqsBinding" },
        { AwsQueueType.Standard, new SqsBinding("orders") { Group = "g" }, "another group is another queue" },
        { AwsQueueType.Standard, new SqsBinding("sns/orders"), "is not a queue" },
        { AwsQueueType.Standard, new SqsBinding("or ders"), "it contains ' '" },
        { AwsQueueType.Standard, new SqsBinding("orders.fifo"), "QueueType is Fifo" },
        { AwsQueueType.Standard, new SqsBinding("orders") { DeadLetter = "orders" }, "is the source of the binding itself" },
        { AwsQueueType.Fifo, new SqsBinding("orders") { DeadLetter = "orders.fifo" }, "is the queue of the binding itself" },
        { AwsQueueType.Standard, new SqsBinding("orders") { DeadLetter = "d.d" }, "DeadLetter 'd.d' is not valid" },
        { AwsQueueType.Standard, new SqsBinding("orders") { Lease = TimeSpan.FromSeconds(1) }, "must be from 3 s to 12 hours" },
        { AwsQueueType.Standard, new SqsBinding("orders") { Retry = AtLeastOnceBinding.DefaultRetry with { MaxDelay = TimeSpan.FromHours(13) } }, "at most 12 hours" },
        { AwsQueueType.Standard, new SqsBinding("orders") { Retention = TimeSpan.FromDays(15) }, "from 1 minute to 14 days" },
        { AwsQueueType.Standard, new SqsBinding("orders") { Topics = ["a b"] }, "its topic 'sns/a b'" },
        { AwsQueueType.Standard, new SqsBinding("orders") { Events = [new EventBridgeRule("a b")] }, "event bus 'a b'" },
        { AwsQueueType.Standard, new SqsBinding("orders") { Events = [new EventBridgeRule("b") { Name = "a b" }] }, "the name of rule 'a b'" },
        { AwsQueueType.Standard, new SqsBinding("orders") { Events = [new EventBridgeRule("b") { Pattern = "{" }] }, "is not valid JSON" },
        { AwsQueueType.Standard, new SqsBinding("orders") { Events = [new EventBridgeRule("b") { Pattern = "{}" }] }, "not a JSON object with conditions" },
        { AwsQueueType.Standard, new SqsBinding("orders") { Events = [new EventBridgeRule("b") { Pattern = "{\"a\":[1]}", Sources = ["s"] }] }, "set one of them" },
        { AwsQueueType.Fifo, new SqsBinding("orders") { Events = [new EventBridgeRule("b")] }, "EventBridge keeps no order" },
    };

    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task Binding_that_is_not_valid_is_refused(AwsQueueType type, TransportBinding binding, string words)
    {
        await using var transport = new AwsTransport(Local() with { QueueType = type });

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.ListenAsync(binding, static (_, _) => default, TestContext.Current.CancellationToken));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(AwsQueueType.Standard, "orders", 16, "at most 00:15:00")]
    [InlineData(AwsQueueType.Standard, "sns/news", 1, "remove Delay from the SendTarget")]
    [InlineData(AwsQueueType.Standard, "events/shop", 1, "remove Delay from the SendTarget")]
    [InlineData(AwsQueueType.Fifo, "orders", 1, "remove Delay from the SendTarget")]
    public void Delay_that_the_destination_cannot_keep_is_refused(AwsQueueType type, string destination, int minutes, string words)
    {
        var transport = new AwsTransport(Local() with { QueueType = type });

        var refused = Assert.Throws<PostriderException>(() => transport.OpenSender(new SendTarget(destination) { Delay = TimeSpan.FromMinutes(minutes) }));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Section_gives_every_option()
    {
        var options = new AwsOptions();

        AwsSection.Apply(
            Section(
                ("Region", "eu-west-1"), ("Endpoint", "http://localhost:4566"), ("AccountId", "123456789012"), ("AccessKey", "AKID"), ("SecretKey", "s"), ("SessionToken", "t"), ("QueueType", "Fifo"), ("EventSource", "shop"),
                ("Throughput:MaxUnconfirmed", "7"), ("Throughput:MaxRequests", "2"), ("Throughput:Pollers", "3"), ("Throughput:PollWait", "5s"), ("Throughput:PrefetchFactor", "4"), ("Throughput:StopWait", "6s"),
                ("Retry:SendAttempts", "9"), ("Retry:MaxPause", "8s"), ("Retry:RequestTimeout", "11s"), ("Poison:MaxBodyBytes", "64KB"), ("Poison:ServerRedrive", "false"), ("Observability:LogProfiles", "false"), ("Observability:ProbeTimeout", "12s")),
            options);

        Assert.Equal(("eu-west-1", "123456789012", "AKID", "s", "t", AwsQueueType.Fifo, "shop"), (options.Region, options.AccountId, options.AccessKey, options.SecretKey, options.SessionToken, options.QueueType, options.EventSource));
        Assert.Equal(new AwsThroughput { MaxUnconfirmed = 7, MaxRequests = 2, Pollers = 3, PollWait = TimeSpan.FromSeconds(5), PrefetchFactor = 4, StopWait = TimeSpan.FromSeconds(6) }, options.Throughput);
        Assert.Equal(new AwsRetry { SendAttempts = 9, MaxPause = TimeSpan.FromSeconds(8), RequestTimeout = TimeSpan.FromSeconds(11) }, options.Retry);
        Assert.Equal(new AwsPoison { MaxBodyBytes = 65536, ServerRedrive = false }, options.Poison);
        Assert.Equal(new AwsObservability { LogProfiles = false, ProbeTimeout = TimeSpan.FromSeconds(12) }, options.Observability);
    }

    [Theory]
    [InlineData("QueueType", "Priority", "QueueType")]
    [InlineData("Throughput:Poller", "4", "Did you mean 'Pollers'?")]
    [InlineData("Endpoint", "localhost", "Endpoint")]
    [InlineData("Poison:MaxBodyBytes", "2MB", "at most 1048576 bytes")]
    public void Section_with_a_wrong_value_ends_the_start(string key, string value, string named)
    {
        var services = new ServiceCollection();
        services.AddAwsTransport("a", TextSerializerProvider.Instance, Section((key, value)));
        using var provider = services.BuildServiceProvider();

        var refused = Assert.Throws<InvalidConfigurationException>(() => provider.GetRequiredKeyedService<ITransport>("a"));

        Assert.Contains(named, refused.Message, StringComparison.Ordinal);
    }

    private static AwsOptions Local() => new() { Region = "eu-central-1", Endpoint = new Uri("http://127.0.0.1:9") };

    private static IConfigurationSection Section(params (string Key, string Value)[] values)
        => new ConfigurationBuilder().AddInMemoryCollection(values.Select(static pair => KeyValuePair.Create($"Aws:{pair.Key}", (string?)pair.Value))).Build().GetSection("Aws");
}
