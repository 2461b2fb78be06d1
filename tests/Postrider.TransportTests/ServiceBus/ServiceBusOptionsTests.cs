using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Configuration;
using Postrider.Serialization;
using Postrider.Transport.ServiceBus;
using Postrider.TransportTests.Harness;
using Postrider.Transports;
using Postrider.TransportTests.ServiceBus.StandIn;

namespace Postrider.TransportTests.ServiceBus;

/// <summary>Options and bindings that contradict themselves are refused with what to change, and before the service is asked.</summary>
public sealed class ServiceBusOptionsTests
{
    private const string Account = "SharedAccessKeyName=all;SharedAccessKey=c2VjcmV0";
    private const string Shop = $"Endpoint=sb://shop.servicebus.windows.net/;{Account}";

    public static TheoryData<string, Action<ServiceBusOptions>, string> Contradictions => new()
    {
        { "no text", options => options.ConnectionString = "", "has no Endpoint: it must have the form 'Endpoint=sb://name" },
        { "no address", options => options.ConnectionString = Account, "has no Endpoint" },
        { "scheme", options => options.ConnectionString = $"Endpoint=https://shop.servicebus.windows.net/;{Account}", "must be an address such as sb://name.servicebus.windows.net/" },
        { "account in the address", options => options.ConnectionString = $"Endpoint=sb://user:c2VjcmV0@shop/;{Account}", "must be an address such as" },
        { "no equals sign", options => options.ConnectionString = "shop.servicebus.windows.net", "has a part without '='" },
        { "unknown key", options => options.ConnectionString = $"{Shop};TransportType=AmqpWebSockets", "has the key 'TransportType', which is not supported; supported are Endpoint, SharedAccessKeyName" },
        { "key twice", options => options.ConnectionString = $"{Shop};{Account}", "has the key 'SharedAccessKeyName' twice" },
        { "no key", options => options.ConnectionString = "Endpoint=sb://shop/;SharedAccessKeyName=all", "has a SharedAccessKeyName and no SharedAccessKey: add the key" },
        { "no key name", options => options.ConnectionString = "Endpoint=sb://shop/;SharedAccessKey=c2VjcmV0", "has a SharedAccessKey and no SharedAccessKeyName: add the name" },
        { "key and signature", options => options.ConnectionString = $"{Shop};SharedAccessSignature=SharedAccessSignature sr=x", "has a SharedAccessKey and a SharedAccessSignature: remove one" },
        { "emulator", options => options.ConnectionString = $"{Shop};UseDevelopmentEmulator=yes", "has UseDevelopmentEmulator 'yes', which must be true or false" },
        { "no credentials", options => options.ConnectionString = "Endpoint=sb://shop/", "has neither SharedAccessKey nor SharedAccessSignature: add one, or set TokenProvider" },
        { "key and provider", options => (options.ConnectionString, options.TokenProvider) = (Shop, (_, _) => default), "TokenProvider is set and ConnectionString has a key or a signature" },
        { "short token", options => options.TokenLifetime = TimeSpan.FromSeconds(1), "TokenLifetime is 00:00:01 and must be from 1 minute to 1 day" },
        { "authority of the emulator", options => options.CaFile = "/ca.pem", "which has no TLS: remove one of them" },
        { "missing authority", options => (options.ConnectionString, options.CaFile) = (Shop, "/nowhere/ca.pem"), "CaFile '/nowhere/ca.pem' does not exist" },
        { "transfers", options => options.Throughput.MaxTransfers = 0, "MaxTransfers is 0 and must be from 1 to 1000" },
        { "batch", options => options.Throughput.MaxBatch = 5000, "MaxBatch is 5000 and must be from 1 to 4500" },
        { "prefetch", options => options.Throughput.PrefetchFactor = 0, "PrefetchFactor is 0 and must be from 1 to 100" },
        { "attempts", options => options.Retry.SendAttempts = 0, "SendAttempts is 0 and must be at least 1" },
        { "pause", options => options.Retry.MaxPause = TimeSpan.Zero, "MaxPause is 00:00:00 and must be from 10 ms to 1 day" },
        { "busy", options => options.Retry.BusyPause = TimeSpan.Zero, "BusyPause is 00:00:00 and must be greater than zero" },
        { "answer", options => options.Retry.AnswerTimeout = TimeSpan.Zero, "AnswerTimeout is 00:00:00 and must be from 1 s" },
        { "body", options => options.Poison.MaxBodyBytes = 0, "MaxBodyBytes is 0 and must be from 1 to 104857600" },
        { "probe", options => options.Observability.ProbeTimeout = TimeSpan.Zero, "ProbeTimeout is 00:00:00 and must be greater than zero" },
    };

    [Theory]
    [MemberData(nameof(Contradictions))]
    public void Options_that_contradict_each_other_are_refused(string name, Action<ServiceBusOptions> change, string words)
    {
        var options = new ServiceBusOptions();
        change(options);

        var refused = Assert.Throws<PostriderException>(() => new ServiceBusTransport(options));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.True(refused.Message.Contains(words, StringComparison.Ordinal), $"{name}: {refused.Message}");
        Assert.StartsWith("ServiceBusOptions.", refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("c2VjcmV0", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Text_of_options_and_tokens_holds_no_secret()
    {
        var options = new ServiceBusOptions { ConnectionString = Shop };

        Assert.DoesNotContain("c2VjcmV0", options.ToString(), StringComparison.Ordinal);
        Assert.Contains("MaxBatch = 100", options.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("abc", new ServiceBusToken("SharedAccessSignature abc", default).ToString(), StringComparison.Ordinal);
    }

    public static TheoryData<TransportBinding, string> Bindings => new()
    {
        { new TransportBinding("orders"), "use a ServiceBusBinding" },
        { new ServiceBusBinding("orders") { Group = "g" }, "bind to the subscription 'orders/subscriptions/g' instead" },
        { new ServiceBusBinding(""), "its source '' is empty" },
        { new ServiceBusBinding("or ders"), "contains ' '; letters, digits and the characters" },
        { new ServiceBusBinding("/orders"), "begins or ends with '/'" },
        { new ServiceBusBinding(new string('q', 261)), "has a queue or topic of 261 characters; it must have 1 to 260" },
        { new ServiceBusBinding("news/subscriptions/" + new string('s', 51)), "has a subscription of 51 characters; it must have 1 to 50" },
        { new ServiceBusBinding("news/subscriptions/"), "has a subscription of 0 characters" },
        { new ServiceBusBinding("orders") { DeadLetter = "orders" }, "is the source of the binding itself" },
        { new ServiceBusBinding("orders") { DeadLetter = "bills/$deadletterqueue" }, "to which nothing can be sent: send to 'bills'" },
        { new ServiceBusBinding("orders") { DeadLetter = "news/subscriptions/s" }, "to which nothing can be sent: send to 'news'" },
        { new ServiceBusBinding("orders/$deadletterqueue") { Sessions = true }, "a dead-letter queue has none" },
        { new ServiceBusBinding("orders") { SessionIdle = TimeSpan.Zero }, "SessionIdle is 00:00:00 and must be from 10 ms" },
        { new ServiceBusBinding("orders") { MaxConcurrency = 0 }, "MaxConcurrency is 0" },
        { new ServiceBusBinding("bills"), "is used with a connection string for 'orders' (EntityPath)" },
    };

    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task Binding_that_is_not_valid_is_refused(TransportBinding binding, string words)
    {
        await using var transport = new ServiceBusTransport(new ServiceBusOptions { ConnectionString = $"{Shop};EntityPath=orders" });

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.ListenAsync(binding, static (_, _) => default, TestContext.Current.CancellationToken));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("c2VjcmV0", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "is empty")]
    [InlineData("orders/$deadletterqueue", "send to 'orders'")]
    [InlineData("news/subscriptions/s", "send to 'news'")]
    [InlineData("a?b", "contains '?'")]
    [InlineData("ä", "contains 'ä'")]
    public void Case_53_destination_that_is_no_queue_or_topic_is_refused(string destination, string words)
        => Assert.Contains(words, Assert.Throws<PostriderException>(() => new ServiceBusTransport(new ServiceBusOptions()).OpenSender(destination)).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("orders", "orders", true)]
    [InlineData("Orders", "orders", true)]
    [InlineData("news", "news/subscriptions/s", true)]
    [InlineData("orders", "orders/$deadletterqueue", false)]
    [InlineData("news", "bills/subscriptions/s", false)]
    public void Loop_is_recognized(string destination, string source, bool loop)
    {
        var transport = new ServiceBusTransport(new ServiceBusOptions());

        Assert.Equal(loop, transport.Reaches(destination, transport, new ServiceBusBinding(source)));
    }

    [Fact]
    public async Task Section_gives_every_option_and_effective_values_are_logged_once()
    {
        await using var standIn = new ServiceBusStandIn();
        standIn.CreateQueue("logged");
        using var lines = new LogRecorder();
        var services = new ServiceCollection().AddLogging(builder => builder.AddProvider(lines));
        services.AddPostrider();
        services.AddServiceBusTransport("s", TextSerializerProvider.Instance, Section(
            ("ConnectionString", standIn.ConnectionString), ("ClientName", "shop"), ("TokenLifetime", "30m"), ("Throughput:MaxTransfers", "3"), ("Throughput:MaxBatch", "7"), ("Throughput:PrefetchFactor", "5"),
            ("Retry:SendAttempts", "4"), ("Retry:MaxPause", "2s"), ("Retry:BusyPause", "11s"), ("Retry:AnswerTimeout", "33s"), ("Poison:MaxBodyBytes", "1KB"), ("Observability:ProbeTimeout", "9s")));
        await using var provider = services.BuildServiceProvider();
        var transport = provider.GetRequiredKeyedService<ITransport>("s");

        await transport.OpenSender("logged").SendAsync(default, "x"u8.ToArray(), TestContext.Current.CancellationToken);
        await transport.OpenSender("logged").SendAsync(default, "x"u8.ToArray(), TestContext.Current.CancellationToken);

        var line = Assert.Single(lines.Lines, static line => line.Contains("Effective profiles", StringComparison.Ordinal));
        Assert.All(
            ["MaxTransfers = 3", "MaxBatch = 7", "PrefetchFactor = 5", "SendAttempts = 4", "MaxPause = 00:00:02", "BusyPause = 00:00:11", "AnswerTimeout = 00:00:33", "MaxBodyBytes = 1024", "ProbeTimeout = 00:00:09"],
            part => Assert.Contains(part, line, StringComparison.Ordinal));
        Assert.DoesNotContain(lines.Lines, static line => line.Contains(StandInTokens.Key, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("Throughput:MaxBatch", "many", "ServiceBus:Throughput:MaxBatch")]
    [InlineData("Throughput:MaxBach", "1", "ServiceBus:Throughput:MaxBach")]
    [InlineData("ConnectionString", "Endpoint=none;SharedAccessKey=c2VjcmV0", "ServiceBus:ConnectionString")]
    [InlineData("Retry:BusyPause", "-1s", "ServiceBus:Retry:BusyPause")]
    public void Section_with_a_wrong_value_ends_the_start(string key, string value, string named)
    {
        var services = new ServiceCollection();
        services.AddServiceBusTransport("s", TextSerializerProvider.Instance, Section((key, value)));
        using var provider = services.BuildServiceProvider();

        var refused = Assert.Throws<InvalidConfigurationException>(() => provider.GetRequiredKeyedService<ITransport>("s"));

        Assert.Contains(named, refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("c2VjcmV0", refused.Message, StringComparison.Ordinal);
    }

    private static IConfigurationSection Section(params (string Key, string Value)[] values)
        => new ConfigurationBuilder().AddInMemoryCollection(values.Select(static pair => KeyValuePair.Create($"ServiceBus:{pair.Key}", (string?)pair.Value))).Build().GetSection("ServiceBus");
}
