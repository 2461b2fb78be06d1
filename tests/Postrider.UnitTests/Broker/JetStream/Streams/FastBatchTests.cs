using System.Globalization;
using Postrider.Broker;
using Postrider.Broker.Routing;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>The bounds of fast batches, and what becomes of one whose messages are lost. What they answer otherwise is compared with nats-server's.</summary>
public sealed class FastBatchTests
{
    private const string Config = """{"name":"S","subjects":["s.*"],"allow_batched":true}""";

    [Fact]
    public void Batch_that_waits_too_long_is_given_up_and_its_messages_stay()
    {
        using var harness = Create();
        using var answers = harness.Listen("_INBOX.>");
        Send(harness, "a.10.fail.1.0");
        harness.Time.Advance(TimeSpan.FromSeconds(9));
        Send(harness, "a.10.fail.2.1");
        harness.Time.Advance(TimeSpan.FromSeconds(9));
        Assert.Equal(1, harness.Engine.OpenFastBatches.Count);

        harness.Time.Advance(TimeSpan.FromSeconds(2));
        Send(harness, "a.10.fail.3.2");

        Assert.Equal(0, harness.Engine.OpenFastBatches.Count);
        Assert.Contains("\"err_code\":10208", answers.Messages[^1].Payload, StringComparison.Ordinal);
        Assert.Equal(2, harness.Contents("S").Count);
    }

    [Theory]
    [InlineData(2, 100)]
    [InlineData(100, 2)]
    public void Batches_that_are_open_at_once_are_limited(int perStream, int total)
    {
        using var harness = Create(new JetStreamOptions { MaxFastBatchesPerStream = perStream, MaxFastBatches = total, MaxMemoryBytes = 1 << 30, MaxStoreBytes = 1 << 30 });
        using var answers = harness.Listen("_INBOX.>");
        Send(harness, "a.10.fail.1.0");
        Send(harness, "b.10.fail.1.0");

        Send(harness, "c.10.fail.1.0");
        Assert.Contains("\"err_code\":10211", answers.Messages[^1].Payload, StringComparison.Ordinal);

        Send(harness, "a.10.fail.2.3");
        Send(harness, "c.10.fail.1.0");
        Assert.StartsWith("{\"type\":\"ack\"", answers.Messages[^1].Payload, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("STREAM.DELETE.S", "")]
    [InlineData("STREAM.UPDATE.S", """{"name":"S","subjects":["s.*"]}""")]
    public void Batches_of_a_stream_that_takes_them_no_more_count_no_more(string operation, string request)
    {
        using var harness = Create();
        Send(harness, "a.10.fail.1.0");

        harness.Do(operation, request);

        Assert.Equal(0, harness.Engine.OpenFastBatches.Count);
    }

    [Fact]
    public void Messages_that_were_lost_are_not_acknowledged_by_those_after_them()
    {
        using var harness = Create();
        using var answers = harness.Listen("_INBOX.>");
        Send(harness, "a.2.fail.1.0");
        var disk = harness.Disk.Child("$G", "streams", "S", "msgs").Disk;
        disk.Room = 0;
        harness.Run(batch =>
        {
            for (var i = 2; i <= 5; i++) Publish(harness, batch, string.Create(CultureInfo.InvariantCulture, $"a.2.fail.{i}.1"));
        });
        disk.Room = long.MaxValue;
        harness.Time.Advance(TimeSpan.FromSeconds(6));

        Send(harness, "a.2.fail.6.1");
        Send(harness, "a.2.fail.7.2");

        Assert.DoesNotContain(answers.Messages, static message => message.Payload.Contains("\"type\":\"ack\",\"seq\":2", StringComparison.Ordinal) || message.Payload.Contains("\"count\"", StringComparison.Ordinal));
        Assert.Equal(1, answers.Messages.Count(static message => message.Payload.Contains("10208", StringComparison.Ordinal)));
        Assert.Equal(["1 s.x x"], harness.Contents("S"));
    }

    [Fact]
    public void Ids_are_bytes()
    {
        using var harness = Create();
        using var answers = harness.Listen("_INBOX.>");

        foreach (var step in (string[])["1.0", "2.2"])
        {
            foreach (var id in (byte[])[0xff, 0xfe])
            {
                byte[] replyTo = [.. "_INBOX.1."u8, id, .. StreamHarness.Bytes($".2.fail.{step}.$FI")];
                harness.Run(sent => InternalPublisher.Publish(
                    harness.Account.Subscriptions, StreamHarness.Bytes("s.x"), StreamHarness.Bytes("s.x"), replyTo, [], StreamHarness.Bytes("x"), sent, BrokerRequester.Instance));
            }
        }

        Assert.Equal(2, answers.Messages.Count(static message => message.Payload.Contains("\"count\":2", StringComparison.Ordinal)));
        Assert.DoesNotContain(answers.Messages, static message => message.Payload.Contains("\"error\"", StringComparison.Ordinal));
        Assert.Equal(4, harness.Contents("S").Count);
    }

    [Fact]
    public void Stream_without_acknowledgements_acknowledges_batches()
    {
        using var harness = new StreamHarness();
        harness.Do("STREAM.CREATE.S", """{"name":"S","subjects":["s.*"],"allow_batched":true,"no_ack":true}""");
        using var answers = harness.Listen("_INBOX.>");

        foreach (var step in (string[])["z.1.ok.7.1", "a.1.ok.1.0", "a.1.ok.4.1", "a.1.ok.5.2"]) Send(harness, step);

        Assert.Equal(
            [
                "{\"type\":\"ack\",\"seq\":1,\"msgs\":1}",
                "{\"type\":\"gap\",\"last_seq\":2,\"seq\":4}",
                "{\"type\":\"ack\",\"seq\":4,\"msgs\":1}",
                "{\"stream\":\"S\",\"seq\":3,\"batch\":\"a\",\"count\":5}",
            ],
            answers.Messages.Select(static message => message.Payload));
    }

    [Fact]
    public void Ping_opens_no_batch()
    {
        using var harness = Create();
        using var answers = harness.Listen("_INBOX.>");

        Send(harness, "a.10.fail.1.4");

        Assert.Contains("\"err_code\":10208", answers.Messages.Single().Payload, StringComparison.Ordinal);
        Assert.Equal(0, harness.Engine.OpenFastBatches.Count);
    }

    [Fact]
    public void Duplicate_is_skipped_even_if_its_condition_no_longer_holds()
    {
        using var harness = Create();
        harness.Store("s.x", "x", ("Nats-Msg-Id", "m1"), ("Nats-Expected-Last-Sequence", "0"));
        using var answers = harness.Listen("_INBOX.>");

        Send(harness, "a.1.fail.1.0");
        Send(harness, "a.1.fail.2.1", ("Nats-Msg-Id", "m1"), ("Nats-Expected-Last-Sequence", "0"));
        Send(harness, "a.1.fail.3.2");

        Assert.Equal("{\"type\":\"ack\",\"seq\":2,\"msgs\":1}", answers.Messages[^2].Payload);
        Assert.Equal("{\"stream\":\"S\",\"seq\":3,\"batch\":\"a\",\"count\":3}", answers.Messages[^1].Payload);
    }

    [Theory]
    [InlineData("Nats-TTL", "x", 10166)]
    [InlineData("Nats-TTL", "1s", 10166)]
    [InlineData("Nats-Expected-Last-Msg-Id", "m", 10070)]
    [InlineData("Nats-Rollup", "sub", 10111)]
    [InlineData("Nats-Stream-Source", "x", 10227)]
    [InlineData("Nats-Expected-Stream", "T", 10060)]
    public void Header_that_does_not_hold_is_an_error(string name, string value, int error)
    {
        using var harness = Create();
        using var answers = harness.Listen("_INBOX.>");

        Send(harness, "a.10.fail.1.0", (name, value));

        Assert.Contains($"\"err_code\":{error}", answers.Messages[^1].Payload, StringComparison.Ordinal);
        Assert.Empty(harness.Contents("S"));
    }

    [Theory]
    [InlineData("", "maximum messages exceeded")]
    [InlineData(",\"discard_new_per_subject\":true", "maximum messages exceeded")]
    public void Message_replaces_none_where_new_ones_are_discarded(string members, string error)
    {
        using var harness = new StreamHarness();
        harness.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["s.*"],"allow_batched":true,"allow_atomic":true,"discard":"new","max_msgs":2,"max_msgs_per_subject":1{{members}}}""");
        harness.Store("s.x", "1");
        harness.Store("s.y", "2");
        using var answers = harness.Listen("_INBOX.>");

        Send(harness, "a.10.fail.1.2");
        var atomic = harness.Refused("s.x", "3", ("Nats-Batch-Id", "b"), ("Nats-Batch-Sequence", "1"), ("Nats-Batch-Commit", "1"));

        Assert.Contains(error, answers.Messages[0].Payload, StringComparison.Ordinal);
        Assert.Equal($"10077 {error}", atomic);
        Assert.Equal(["1 s.x 1", "2 s.y 2"], harness.Contents("S"));
        if (members.Length == 0) Assert.Equal(3UL, harness.Store("s.x", "replaces"));
    }

    private static StreamHarness Create(JetStreamOptions? options = null)
    {
        var harness = new StreamHarness(options);
        harness.Do("STREAM.CREATE.S", Config);
        return harness;
    }

    private static void Send(StreamHarness harness, string batch, params (string Name, string Value)[] headers) => harness.Run(sent => Publish(harness, sent, batch, headers));

    private static void Publish(StreamHarness harness, Postrider.Sockets.SendBatch sent, string batch, params (string Name, string Value)[] headers) => InternalPublisher.Publish(
        harness.Account.Subscriptions,
        StreamHarness.Bytes("s.x"),
        StreamHarness.Bytes("s.x"),
        StreamHarness.Bytes($"_INBOX.1.{batch}.$FI"),
        StreamHarness.Headers(headers),
        StreamHarness.Bytes("x"),
        sent,
        BrokerRequester.Instance);
}
