using System.Collections.Concurrent;
using System.Text;
using Confluent.Kafka;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Envelopes;
using Postrider.Transport.Kafka;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Kafka;

/// <summary>What only Kafka has: partitions, groups that change, errors that its servers answer with.</summary>
public sealed class KafkaTransportTests(KafkaHarness harness) : IClassFixture<KafkaHarness>
{
    private readonly string _topic = TransportHarness.NewName();

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    private static readonly (string Name, byte[]? Key, (string Name, byte[]? Value)[] Headers)[] ForeignMessages =
    [
        ("no key", null, []),
        ("an empty key", [], []),
        ("a key of 10,000 bytes", new byte[10_000], []),
        ("10,000 headers", null, [.. Enumerable.Range(0, 10_000).Select(static i => ($"h{i}", (byte[]?)[1]))]),
        ("an empty name", null, [("", [1])]),
        ("a colon in a name", null, [("a:b", [1])]),
        ("one name a hundred times", null, [.. Enumerable.Repeat(("a", (byte[]?)[1]), 100)]),
        ("a value that is not UTF-8", null, [("a", [0xFF, 0xFE])]),
        ("an expiry that is no time", null, [(HeaderNames.ExpiresAt, [0, 0, 0, 7])]),
        ("a forged dead letter", null, [(DeadLetterHeaders.Reason, "Exhausted"u8.ToArray()), (DeadLetterHeaders.Sequence, "-1"u8.ToArray())]),
    ];

    [Fact]
    public async Task Error_that_passes_is_repeated_until_the_message_is_stored()
    {
        using var cluster = new MockCluster();
        cluster.CreateTopic(_topic);
        await using var transport = new KafkaTransport(harness.Options with { Servers = cluster.Servers });
        cluster.PushErrors(MockRequest.Produce, ErrorCode.NotEnoughReplicas, ErrorCode.NotEnoughReplicasAfterAppend, ErrorCode.NotLeaderForPartition);
        var arrived = new ConcurrentQueue<string>();

        await transport.SendAsync(Message("kept"), Ct);
        await using var listener = await transport.ListenAsync(harness.Binding(_topic), Into(arrived), Ct);
        await Eventually.HoldsAsync(() => !arrived.IsEmpty);

        Assert.Equal("kept", arrived.Distinct(StringComparer.Ordinal).Single());
    }

    [Theory]
    [InlineData(ErrorCode.MsgSizeTooLarge, PostriderError.TooLarge, "max.message.bytes")]
    [InlineData(ErrorCode.TopicAuthorizationFailed, PostriderError.Configuration, "rejects the account")]
    [InlineData(ErrorCode.InvalidRecord, PostriderError.Configuration, "a compacted topic only accepts messages with a key")]
    public async Task Refusal_of_a_send_says_what_to_change(ErrorCode code, PostriderError expected, string words)
    {
        using var cluster = new MockCluster();
        cluster.CreateTopic(_topic);
        await using var transport = new KafkaTransport(harness.Options with { Servers = cluster.Servers });
        cluster.PushErrors(MockRequest.Produce, code);

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.SendAsync(Message("x"), Ct));
        // The client may remember the refusal of an account for a moment.
        await Eventually.SucceedsAsync<PostriderException, bool>(async () =>
        {
            await transport.SendAsync(Message("next"), Ct);
            return true;
        });

        Assert.Equal(expected, refused.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Headers_that_make_a_message_too_large_are_refused_as_a_body_is()
    {
        harness.Cluster.CreateTopic(_topic);
        var headers = new Headers { { "Large", new string('x', 400_000) } };

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await harness.Kafka.SendAsync(new Envelope { Destination = _topic, Headers = headers }, Ct));

        Assert.Equal(PostriderError.TooLarge, refused.Error);
    }

    // It would stay here, and with 500 like it the partition would stand still.
    [Fact]
    public async Task Message_that_is_larger_than_what_is_sent_becomes_a_dead_letter()
    {
        harness.Cluster.CreateTopic(_topic);
        harness.Cluster.CreateTopic($"{_topic}-dead");
        var body = new byte[harness.Options.Poison.MaxBodyBytes + 100_000];
        using (var foreign = new ProducerBuilder<byte[]?, byte[]?>(new ProducerConfig { BootstrapServers = harness.Cluster.Servers }).Build())
            await foreign.ProduceAsync(_topic, new Message<byte[]?, byte[]?> { Value = body }, Ct);
        var letters = new ConcurrentQueue<int>();
        await using var kept = await harness.Kafka.ListenAsync(
            harness.Binding($"{_topic}-dead"),
            (letter, _) =>
            {
                letters.Enqueue(letter.Body.Length);
                return default;
            },
            Ct);

        await using var listener = await harness.Kafka.ListenAsync(harness.Binding(_topic) with { DeadLetter = $"{_topic}-dead" }, static (_, _) => throw new InvalidOperationException("no"), Ct);
        await Eventually.HoldsAsync(() => !letters.IsEmpty);

        Assert.Equal(body.Length, Assert.Single(letters));
    }

    [Fact]
    public async Task Send_that_no_server_confirms_fails_in_time_and_says_whether_it_may_be_stored()
    {
        using var cluster = new MockCluster();
        cluster.CreateTopic(_topic);
        var options = harness.Options with { Servers = cluster.Servers };
        options.Retry.SendTimeout = TimeSpan.FromSeconds(1);
        options.Observability.ProbeTimeout = TimeSpan.FromSeconds(1);
        await using var transport = new KafkaTransport(options);
        // One second may be too short for the first: it connects.
        await Eventually.HoldsAsync(async () =>
        {
            try
            {
                await transport.SendAsync(Message("first"), Ct);
                return true;
            }
            catch (TimeoutException)
            {
                return false;
            }
        });
        cluster.Stop();

        var silent = await Assert.ThrowsAsync<TimeoutException>(async () => await transport.SendAsync(Message("second"), Ct));
        var health = await transport.CheckHealthAsync(Ct);
        cluster.Start();
        await Eventually.HoldsAsync(async () => (await transport.CheckHealthAsync(Ct)).Status == HealthStatus.Healthy);

        Assert.Contains("was not stored", silent.Message, StringComparison.Ordinal);
        Assert.Contains("00:00:01", silent.Message, StringComparison.Ordinal);
        Assert.Equal(HealthStatus.Degraded, health.Status);
    }

    [Fact]
    public async Task Full_queue_of_the_client_makes_senders_wait()
    {
        harness.Cluster.CreateTopic(_topic);
        var options = harness.Options;
        options.Throughput.MaxUnconfirmed = 5;
        await using var transport = new KafkaTransport(options);
        var arrived = new ConcurrentQueue<string>();
        await using var listener = await transport.ListenAsync(harness.Binding(_topic), Into(arrived), Ct);

        await Task.WhenAll(Enumerable.Range(0, 200).Select(i => transport.SendAsync(Message($"{i}"), Ct).AsTask()));
        await Eventually.HoldsAsync(() => arrived.Count >= 200);

        Assert.Equal(200, arrived.Distinct(StringComparer.Ordinal).Count());
    }

    [Theory]
    [InlineData(KafkaCompression.None)]
    [InlineData(KafkaCompression.Gzip)]
    [InlineData(KafkaCompression.Snappy)]
    [InlineData(KafkaCompression.Lz4)]
    [InlineData(KafkaCompression.Zstd)]
    public async Task Compression_is_undone_on_arrival(KafkaCompression compression)
    {
        harness.Cluster.CreateTopic(_topic);
        var options = harness.Options;
        options.Throughput.Compression = compression;
        await using var transport = new KafkaTransport(options);
        var arrived = new ConcurrentQueue<string>();
        await using var listener = await transport.ListenAsync(harness.Binding(_topic), Into(arrived), Ct);
        var text = new string('a', 10_000);

        await transport.SendAsync(Message(text), Ct);
        await Eventually.HoldsAsync(() => !arrived.IsEmpty);

        Assert.Equal(text, Assert.Single(arrived));
    }

    [Fact]
    public async Task Tombstone_and_header_without_a_value_and_key_of_bytes_arrive_as_text()
    {
        harness.Cluster.CreateTopic(_topic);
        using (var foreign = new ProducerBuilder<byte[]?, byte[]?>(new ProducerConfig { BootstrapServers = harness.Cluster.Servers }).Build())
        {
            var headers = new Confluent.Kafka.Headers { new Header("Nothing", null), new Header("Li\nne", "x"u8.ToArray()), new Header("Two", "a\r\nb"u8.ToArray()) };
            await foreign.ProduceAsync(_topic, new() { Key = [0xFF, 0x01], Value = null, Headers = headers }, Ct);
        }

        var arrived = new TaskCompletionSource<Envelope>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var listener = await harness.Kafka.ListenAsync(
            harness.Binding(_topic),
            (envelope, _) =>
            {
                arrived.TrySetResult(envelope);
                return default;
            },
            Ct);
        var message = await arrived.Task.WaitAsync(TimeSpan.FromSeconds(45), Ct);

        Assert.Equal(0, message.Body.Length);
        Assert.Equal(("0xFF01", "", "a b"), (message.Headers[HeaderNames.Key], message.Headers["Nothing"], message.Headers["Two"]));
        Assert.Equal(3, message.Headers.Count);
        Assert.Equal($"{_topic}/0", message.Delivery!.Store);
    }

    [Fact]
    public async Task Messages_of_another_sender_are_handled_and_hold_nothing_up()
    {
        harness.Cluster.CreateTopic(_topic);
        using (var foreign = new ProducerBuilder<byte[]?, byte[]?>(new ProducerConfig { BootstrapServers = harness.Cluster.Servers }).Build())
        {
            foreach (var (name, key, headers) in ForeignMessages)
            {
                var message = new Message<byte[]?, byte[]?> { Key = key, Value = Encoding.UTF8.GetBytes(name), Headers = [] };
                foreach (var (header, value) in headers)
                    message.Headers.Add(header, value);
                await foreign.ProduceAsync(_topic, message, Ct);
            }
        }

        var arrived = new ConcurrentQueue<string>();
        await using var listener = await harness.Kafka.ListenAsync(
            harness.Binding(_topic) with { MaxConcurrency = 1 },
            (envelope, _) =>
            {
                arrived.Enqueue(Encoding.UTF8.GetString(envelope.Body.Span));
                return default;
            },
            Ct);
        await Eventually.HoldsAsync(() => arrived.Count == ForeignMessages.Length);

        Assert.Equal(ForeignMessages.Select(static message => message.Name), arrived);
    }

    [Fact]
    public async Task Commit_that_fails_while_the_group_changes_is_made_later()
    {
        using var cluster = new MockCluster();
        cluster.CreateTopic(_topic);
        await using var transport = new KafkaTransport(harness.Options with { Servers = cluster.Servers });
        cluster.PushErrors(MockRequest.OffsetCommit, ErrorCode.RebalanceInProgress, ErrorCode.IllegalGeneration);
        var (first, second) = (new ConcurrentQueue<string>(), new ConcurrentQueue<string>());

        var listener = await transport.ListenAsync(harness.Binding(_topic), Into(first), Ct);
        await transport.SendAsync(Message("once"), Ct);
        await Eventually.HoldsAsync(() => !first.IsEmpty);
        // Not settled before a message that came later is handled: three commits have been tried by then or are tried at the end.
        await listener.DisposeAsync();
        await transport.SendAsync(Message("after"), Ct);
        await using var next = await transport.ListenAsync(harness.Binding(_topic), Into(second), Ct);
        await Eventually.HoldsAsync(() => second.Contains("after"));

        Assert.Equal("once", first.First());
        Assert.True(second.Count <= 2, string.Join(", ", second));
    }

    [Fact]
    public async Task Slow_partition_pauses_at_its_limit_and_goes_on()
    {
        harness.Cluster.CreateTopic(_topic);
        var options = harness.Options;
        options.Throughput.MaxUnsettled = 8;
        await using var transport = new KafkaTransport(options);
        for (var i = 0; i < 100; i++)
            await transport.SendAsync(Message($"{i}"), Ct);
        var (begun, gate) = (0, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        var arrived = new ConcurrentQueue<string>();
        await using var listener = await transport.ListenAsync(
            harness.Binding(_topic) with { MaxConcurrency = 100 },
            async (envelope, _) =>
            {
                Interlocked.Increment(ref begun);
                await gate.Task;
                arrived.Enqueue(Encoding.UTF8.GetString(envelope.Body.Span));
                return null;
            },
            Ct);

        await Eventually.HoldsAsync(() => Volatile.Read(ref begun) >= 8);
        var most = Volatile.Read(ref begun);
        gate.SetResult();
        await Eventually.HoldsAsync(() => arrived.Count >= 100);

        Assert.Equal(8, most);
        Assert.Equal(100, arrived.Distinct(StringComparer.Ordinal).Count());
        Assert.Equal(100, arrived.Count);
    }

    private Envelope Message(string body) => new() { Destination = _topic, Body = Encoding.UTF8.GetBytes(body) };

    private static EnvelopeReceiver Into(ConcurrentQueue<string> arrived) => (envelope, _) =>
    {
        arrived.Enqueue(Encoding.UTF8.GetString(envelope.Body.Span));
        return default;
    };
}
