using System.Reflection;
using System.Text.Json.Nodes;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.UnitTests.Broker.JetStream.Consumers;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>What one service of the broker throws is its own: neither the publisher nor the stream that published suffers.</summary>
public sealed class HandlerFailureTests
{
    [Fact]
    public void Every_service_answers_for_what_it_throws()
    {
        var services = typeof(IInternalSubscriber).Assembly.GetTypes().Where(static type => type.IsClass && typeof(IInternalSubscriber).IsAssignableFrom(type)).ToList();

        Assert.True(services.Count > 8, $"{services.Count} services");
        Assert.All(services, static service => Assert.NotNull(service.GetMethod(nameof(IInternalSubscriber.OnFailed), BindingFlags.Public | BindingFlags.Instance)));
    }

    // Where a service of the broker may listen: on acknowledgements, republished messages, deliveries, answers and advisories.
    [Theory]
    [InlineData("_INBOX.acks")]
    [InlineData("again.>")]
    [InlineData("to.stream")]
    [InlineData("_INBOX.answers")]
    [InlineData("$JS.EVENT.ADVISORY.>")]
    [InlineData("a.>")]
    public void A_service_that_throws_harms_no_one_else(string subject)
    {
        var log = new LogLines();
        using var harness = new ConsumerHarness(log: log).WithStream("\"allow_atomic\":true,\"republish\":{\"src\":\"a.>\",\"dest\":\"again.>\"}");
        var engine = harness.Engine;
        harness.Durable("\"ack_policy\":\"explicit\",\"deliver_subject\":\"to.stream\",\"ack_wait\":1000000000,\"max_deliver\":2");
        var thrower = new Thrower();
        var planted = new Subscription(thrower, StreamHarness.Bytes(subject), []);
        engine.Account.Subscriptions.Add(planted.SubjectBytes, [], planted);
        using var listener = engine.Listen("to.stream");

        Send(engine, "a.1", "_INBOX.acks", "1");
        Send(engine, "a.2", "_INBOX.acks", "2");
        Send(engine, "a.b", "_INBOX.acks", "3", ("Nats-Batch-Id", "x"), ("Nats-Batch-Sequence", "1"));
        Send(engine, "$JS.API.STREAM.INFO.S", "_INBOX.answers", "");
        Send(engine, "$JS.API.INFO", "_INBOX.answers", "");

        // The batch is given up, the deliveries are made again and given up: timers publish that.
        for (var i = 0; i < 40; i++) harness.Advance(1);
        Assert.True(thrower.Count > 0);
        Assert.Equal(3UL, engine.Store("a.3", "3"));
        Assert.Contains(listener.Messages, static message => message.Payload == "3");
        Assert.Equal(0, engine.Engine.OfflineStreams);
        Assert.Equal(3, (int)engine.Do("STREAM.INFO.S")["state"]!["messages"]!);
        Assert.Equal("", log.Warnings);
    }

    [Fact]
    public void A_follower_that_throws_harms_neither_its_stream_nor_the_others()
    {
        using var harness = new ConsumerHarness().WithStream();
        var engine = harness.Engine;
        Assert.True(engine.Streams.TryGetStream("S", out var stream));
        var thrower = new ThrowingFollower();
        using (stream.Gate.Hold()) stream.AttachLocked(thrower);
        harness.Durable("\"ack_policy\":\"explicit\",\"deliver_subject\":\"to.me\"");
        using var listener = engine.Listen("to.me");

        harness.WithMessages(3);
        engine.Do("STREAM.MSG.DELETE.S", """{"seq":1}""");
        engine.Do("STREAM.UPDATE.S", """{"name":"S","subjects":["a.>"],"description":"changed"}""");
        engine.Do("STREAM.PURGE.S");
        harness.WithMessages(1, from: 4);
        engine.Do("STREAM.DELETE.S");

        Assert.Equal(["1", "2", "3", "4"], listener.Messages.Select(static message => message.Payload));
        Assert.Equal(["Committed", "Ended", "Purged", "Removed", "Stored", "Updated"], thrower.Failures.Distinct().Order());
        Assert.Equal(0, engine.Engine.OfflineStreams);
    }

    [Fact]
    public void A_publisher_whose_message_its_stream_cannot_take_is_told()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["s"],"storage":"memory"}""");
        Assert.True(engine.Streams.TryGetStream("S", out var stream));
        IInternalSubscriber intake = new StreamPublishHandler(stream);
        using var inbox = engine.Listen("_INBOX.acks");

        engine.Run(batch => intake.OnFailed("s"u8, "_INBOX.acks"u8, new InvalidOperationException("planted"), batch));

        Assert.Equal(10077, (int)JsonNode.Parse(Assert.Single(inbox.Messages).Payload)!["error"]!["err_code"]!);
        Assert.Equal(1UL, engine.Store("s", "x"));
    }

    [Theory]
    [InlineData("random(-5)")]
    [InlineData("random(-2147483648)")]
    [InlineData("random(0)")]
    public void A_random_number_of_no_range_is_zero(string function)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["s.*"],"storage":"memory"}""");
        engine.Do("STREAM.CREATE.T", $$$"""{"name":"T","storage":"memory","sources":[{"name":"S","subject_transforms":[{"src":"s.*","dest":"x.{{{{{function}}}}}.{{wildcard(1)}}"}]}]}""");

        engine.Store("s.1", "x");

        Assert.Equal(["1 x.0.1 x"], engine.Contents("T"));
        Assert.Equal(2UL, engine.Store("s.2", "x"));
    }

    private static void Send(StreamHarness engine, string subject, string replyTo, string payload, params (string Name, string Value)[] headers)
        => engine.Run(batch => InternalPublisher.Publish(
            engine.Account.Subscriptions,
            StreamHarness.Bytes(subject),
            StreamHarness.Bytes(subject),
            StreamHarness.Bytes(replyTo),
            StreamHarness.Headers(headers),
            StreamHarness.Bytes(payload),
            batch, BrokerRequester.Instance));

    private sealed class Thrower : IInternalSubscriber
    {
        public int Count { get; private set; }

        public void Handle(
            IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
            => throw new InvalidOperationException("planted");

        public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch) => Count++;
    }

    private sealed class ThrowingFollower : IStreamConsumer
    {
        public string Name => "thrower";

        public bool IsInternal => true;

        public List<string> Failures { get; } = [];

        public bool Fits(ConsumerLimits limits) => true;

        public bool HasInterest(ReadOnlySpan<byte> subject) => false;

        public bool NeedsAck(ulong sequence, ReadOnlySpan<byte> subject) => false;

        public void OnRemoved(ulong sequence, ReadOnlySpan<byte> subject) => throw new InvalidOperationException("Removed");

        public void OnRemovalsCommitted() => throw new InvalidOperationException("Committed");

        public void OnRemovalsRolledBack() => throw new InvalidOperationException("Undone");

        public void OnPurged(ulong firstSequence) => throw new InvalidOperationException("Purged");

        public void OnStored(ulong first, ulong last, SendBatch batch) => throw new InvalidOperationException("Stored");

        public void OnStreamUpdated(StreamConfig config, SendBatch batch) => throw new InvalidOperationException("Updated");

        public void OnStreamClosed(bool deleted, SendBatch batch) => throw new InvalidOperationException("Ended");

        public void OnFailed(Exception error) => Failures.Add(error.Message);
    }
}
