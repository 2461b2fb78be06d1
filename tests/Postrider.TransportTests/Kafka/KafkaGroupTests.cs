using System.Collections.Concurrent;
using System.Text;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Envelopes;
using Postrider.Transport.Kafka;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Kafka;

/// <summary>Groups whose members come and go, topics that do, and what a binding needs of them.</summary>
public sealed class KafkaGroupTests(KafkaHarness harness) : IClassFixture<KafkaHarness>
{
    private readonly string _topic = TransportHarness.NewName();

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Members_that_come_and_go_handle_every_message_and_keep_the_order_of_each_key()
    {
        const int Keys = 8, Each = 30;
        harness.Cluster.CreateTopic(_topic, partitions: 4);
        var handled = new ConcurrentQueue<(string Key, int Number)>();
        var binding = harness.Binding(_topic) with { MaxConcurrency = 1 };
        Task<IAsyncDisposable> JoinAsync() => harness.Kafka.ListenAsync(binding, Note(handled), Ct).AsTask();

        var first = await JoinAsync();
        await SendAsync(0, Each / 3);
        await Eventually.HoldsAsync(() => !handled.IsEmpty);
        await using var second = await JoinAsync();
        await SendAsync(Each / 3, 2 * Each / 3);
        await first.DisposeAsync();
        await SendAsync(2 * Each / 3, Each);
        await Eventually.HoldsAsync(() => handled.Distinct().Count() == Keys * Each);

        // At least once: what was repeated is not counted, and of each key the first of each number come in order.
        Assert.All(handled.Distinct().GroupBy(static one => one.Key), static key => Assert.Equal(Enumerable.Range(0, Each), key.Select(static one => one.Number)));

        async Task SendAsync(int from, int to)
        {
            for (var i = from; i < to; i++)
            {
                for (var key = 0; key < Keys; key++)
                    await harness.Kafka.OpenSender(_topic).SendAsync(new MessageProperties { Key = $"k{key}" }, BitConverter.GetBytes(i), Ct);
            }
        }
    }

    [Fact]
    public async Task What_was_handled_before_a_hand_over_is_not_handled_again()
    {
        harness.Cluster.CreateTopic(_topic);
        var (first, second) = (new ConcurrentQueue<(string, int)>(), new ConcurrentQueue<(string, int)>());
        var listener = await harness.Kafka.ListenAsync(harness.Binding(_topic), Note(first), Ct);
        for (var i = 0; i < 20; i++)
            await harness.Kafka.SendAsync(new Envelope { Destination = _topic, Body = BitConverter.GetBytes(i) }, Ct);
        await Eventually.HoldsAsync(() => first.Count == 20);

        await listener.DisposeAsync();
        await harness.Kafka.SendAsync(new Envelope { Destination = _topic, Body = BitConverter.GetBytes(20) }, Ct);
        await using var next = await harness.Kafka.ListenAsync(harness.Binding(_topic), Note(second), Ct);
        await Eventually.HoldsAsync(() => !second.IsEmpty);

        Assert.Equal([("", 20)], second);
    }

    [Fact]
    public async Task Case_47_topic_that_somebody_deletes_is_read_again_when_it_is_back()
    {
        harness.Cluster.CreateTopic(_topic);
        await using var transport = (KafkaTransport)await harness.OpenAsync();
        var handled = new ConcurrentQueue<(string, int)>();
        await using var listener = await transport.ListenAsync(harness.Binding(_topic), Note(handled), Ct);
        await transport.SendAsync(new Envelope { Destination = _topic, Body = BitConverter.GetBytes(1) }, Ct);
        await Eventually.HoldsAsync(() => !handled.IsEmpty);

        await harness.DeleteAsync(_topic);
        var health = await Eventually.GivesAsync(async () => await transport.CheckHealthAsync(Ct) is { Status: HealthStatus.Degraded } degraded ? degraded.Description : null);
        await harness.CreateAsync(_topic);
        // The position from before is still the client's: what the new log has in front of it is not seen.
        await Eventually.SucceedsAsync<PostriderException, bool>(async () =>
        {
            await transport.SendAsync(new Envelope { Destination = _topic, Body = BitConverter.GetBytes(2) }, Ct);
            return handled.Contains(("", 2)) ? true : throw new PostriderException(PostriderError.NoListener, "not yet");
        });

        Assert.Contains($"'{_topic}'", health, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Plan_names_what_is_missing_or_too_small_and_changes_nothing()
    {
        harness.Cluster.CreateTopic(_topic, partitions: 2);
        var binding = (KafkaBinding)harness.Binding(_topic) with { Partitions = 3, DeadLetter = $"{_topic}-dead" };

        var plan = await harness.Kafka.PlanAsync(binding, Ct);
        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await harness.Kafka.ApplyAsync(binding, Ct));

        Assert.Equal([new KafkaTopologyChange(_topic, "it has 2 partitions and the binding asks for 3"), new KafkaTopologyChange($"{_topic}-dead", null)], plan);
        Assert.Contains("it has 2 partitions and the binding asks for 3", refused.Message, StringComparison.Ordinal);
        Assert.Equal(plan, await harness.Kafka.PlanAsync(binding, Ct));
        harness.Cluster.CreateTopic($"{_topic}-dead");
        Assert.Empty(await harness.Kafka.PlanAsync(binding with { Partitions = 2 }, Ct));
        await harness.Kafka.ApplyAsync(binding with { Partitions = 2 }, Ct);
    }

    [Fact]
    public async Task Missing_topic_is_an_error_that_names_it_where_it_may_not_be_created()
    {
        var binding = (KafkaBinding)harness.Binding(_topic) with { DeclaresTopology = false };

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await harness.Kafka.ListenAsync(binding, Note([]), Ct));

        Assert.Equal(PostriderError.NoListener, refused.Error);
        Assert.Contains($"There is no topic '{_topic}'", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Server_that_does_not_create_topics_is_an_error_that_says_what_to_create()
    {
        // The mock does not answer that request.
        var options = harness.Options;
        options.Observability.ProbeTimeout = TimeSpan.FromSeconds(1);
        await using var transport = new KafkaTransport(options);

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.ListenAsync(harness.Binding(_topic), Note([]), Ct));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains($"Create '{_topic}' in another way", refused.Message, StringComparison.Ordinal);
    }

    private static EnvelopeReceiver Note(ConcurrentQueue<(string Key, int Number)> handled) => (envelope, _) =>
    {
        handled.Enqueue((envelope.Headers[HeaderNames.Key] ?? "", BitConverter.ToInt32(envelope.Body.Span)));
        return default;
    };
}
