using Postrider.Transport.RabbitMq;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.RabbitMq;

/// <summary>Cases 50 to 53: what a binding needs on the server.</summary>
public sealed class RabbitMqTopologyTests(RabbitMqHarness harness) : IClassFixture<RabbitMqHarness>
{
    private static readonly (AtLeastOnceBinding Binding, string Words)[] s_wrong =
    [
        (new RabbitMqBinding(new string('q', 256)), "more than 255 bytes"),
        (new RabbitMqBinding(""), "is empty"),
        (new RabbitMqBinding("amq.mine"), "begins with 'amq.'"),
        (new RabbitMqBinding("q") { DeadLetter = "q" }, "is the source of the binding itself"),
        (new RabbitMqBinding("q") { Group = "g" }, "has a Group"),
        (new RabbitMqBinding("q") { MaxConcurrency = 0 }, "MaxConcurrency is 0"),
        (new RabbitMqBinding("q") { MaxLength = 0 }, "MaxLength is 0"),
        (new RabbitMqBinding("q") { DeliveryLimit = 0 }, "DeliveryLimit is 0 and must be at least 1, or -1 for no limit"),
        (new RabbitMqBinding("q") { DeliveryLimit = 30, QueueType = RabbitMqQueueType.Classic }, "it has a DeliveryLimit, which only quorum queues have"),
        (new RabbitMqBinding("q") { Topics = ["no-slash"] }, "exchange/routing.key"),
        (new RabbitMqBinding("q") { FanoutExchanges = [""] }, "the name of its fanout exchange is empty"),
        (new RabbitMqBinding("q") { FanoutExchanges = ["events/placed"] }, "fanout exchange 'events/placed' has a slash"),
        (new RabbitMqBinding("q") { Topics = ["events/#"], FanoutExchanges = ["events"] }, "exchange 'events' is in both Topics and FanoutExchanges"),
        (new RabbitMqBinding("q") { Retry = TransportHarness.Quick with { MaxAttempts = 0 } }, "MaxAttempts is 0"),
    ];

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Case_50_plan_lists_what_is_missing_and_is_empty_when_it_was_applied()
    {
        var name = TransportHarness.NewName();
        var binding = new RabbitMqBinding(name) { DeadLetter = $"{name}-dead", Topics = [$"{name}-events/order.*"], FanoutExchanges = [$"{name}-all"] };

        var before = await harness.RabbitMq.PlanAsync(binding, Ct);
        await harness.RabbitMq.ApplyAsync(binding, Ct);
        var after = await harness.RabbitMq.PlanAsync(binding, Ct);

        Assert.Equal([new("exchange", $"{name}-events", null), new("exchange", $"{name}-all", null), new("queue", $"{name}-dead", null), new("queue", name, null)], before);
        Assert.Empty(after);
    }

    [Fact]
    public async Task Case_51_other_arguments_on_the_server_are_named_and_nothing_is_changed()
    {
        var name = TransportHarness.NewName();
        await harness.RabbitMq.ApplyAsync(new RabbitMqBinding(name) { MaxLength = 10 }, Ct);
        var other = new RabbitMqBinding(name) { MaxLength = 20 };

        var plan = await harness.RabbitMq.PlanAsync(other, Ct);
        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await harness.RabbitMq.ListenAsync(other, static (_, _) => default, Ct));

        Assert.Contains("x-max-length", Assert.Single(plan).Difference, StringComparison.Ordinal);
        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains("x-max-length", refused.Message, StringComparison.Ordinal);
        Assert.Empty(await harness.RabbitMq.PlanAsync(new RabbitMqBinding(name) { MaxLength = 10 }, Ct));
    }

    [Fact]
    public async Task Case_52_binding_that_declares_nothing_needs_its_queue()
    {
        var name = TransportHarness.NewName();
        var binding = new RabbitMqBinding(name) { DeclaresTopology = false };

        var missing = await Assert.ThrowsAsync<PostriderException>(async () => await harness.RabbitMq.ListenAsync(binding, static (_, _) => default, Ct));
        await harness.RabbitMq.ApplyAsync(binding, Ct);
        await using var listener = await harness.RabbitMq.ListenAsync(binding, static (_, _) => default, Ct);

        Assert.Equal(PostriderError.NoListener, missing.Error);
        Assert.Contains($"'{name}'", missing.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Case_53_wrong_bindings_are_refused_with_what_is_wrong()
    {
        foreach (var (binding, words) in s_wrong)
        {
            var refused = await Assert.ThrowsAsync<PostriderException>(async () => await harness.RabbitMq.ListenAsync(binding, static (_, _) => default, Ct));

            Assert.Equal(PostriderError.Configuration, refused.Error);
            Assert.Contains(words, refused.Message, StringComparison.Ordinal);
        }

        var plain = await Assert.ThrowsAsync<PostriderException>(async () => await harness.RabbitMq.ListenAsync(new TransportBinding("q"), static (_, _) => default, Ct));
        Assert.Contains(nameof(RabbitMqBinding), plain.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("events/order.*", "events/order.placed", true)]
    [InlineData("events/order.*", "events/order.placed.late", false)]
    [InlineData("events/#", "events/order.placed.late", true)]
    [InlineData("events/order.#", "events/order", true)]
    [InlineData("events/order.*", "others/order.placed", false)]
    public void Route_that_leads_back_to_a_topic_of_a_binding_is_found(string topic, string destination, bool reaches)
        => Assert.Equal(reaches, harness.RabbitMq.Reaches(destination, harness.RabbitMq, new RabbitMqBinding("q") { Topics = [topic] }));

    [Theory]
    [InlineData("Shop:Placed/", true)]
    [InlineData("Shop:Placed/any.key", true)]
    [InlineData("Shop:Paid/", false)]
    [InlineData("Shop:Placed", false)]
    public void Route_that_leads_back_to_a_fanout_exchange_of_a_binding_is_found(string destination, bool reaches)
        => Assert.Equal(reaches, harness.RabbitMq.Reaches(destination, harness.RabbitMq, new RabbitMqBinding("q") { FanoutExchanges = ["Shop:Placed"] }));
}
