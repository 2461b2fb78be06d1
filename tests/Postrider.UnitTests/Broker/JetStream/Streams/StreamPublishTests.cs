using Postrider.Broker.Routing;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

public sealed class StreamPublishTests
{
    public static TheoryData<string, string, string> RefusedHeaders => new()
    {
        { "Nats-Expected-Stream", "T", "10060 expected stream does not match" },
        { "Nats-Expected-Last-Sequence", "1", "10071 wrong last sequence: 2" },
        { "Nats-Expected-Last-Subject-Sequence", "1", "10071 wrong last sequence: 2" },
        { "Nats-Expected-Last-Subject-Sequence-Subject", "a", "10193 missing sequence for expected last sequence per subject" },
        { "Nats-Expected-Last-Msg-Id", "other", "10070 wrong last msg ID: m2" },
        { "Nats-Rollup", "all", "10111 rollup not permitted" },
        { "Nats-TTL", "1h", "10166 per-message TTL is disabled" },
        { "Nats-Incr", "1", "10168 message counters is disabled" },
        { "Nats-Stream-Source", "x 1 > > y", "10227 message stream source header is not allowed" },
        { "Nats-Batch-Id", "b", "10174 atomic publish is disabled" },
        { "Nats-Schedule", "@at 2030-01-01T00:00:00Z", "10188 message schedules is disabled" },
    };

    [Theory]
    [MemberData(nameof(RefusedHeaders))]
    public void Header_that_does_not_hold_refuses_the_message(string header, string value, string error)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"]}""");
        engine.Store("a", "1");
        engine.Store("a", "2", ("Nats-Msg-Id", "m2"));

        var refused = engine.Refused("a", "", (header, value));

        Assert.Equal(error, refused);
        Assert.Equal(["1 a 1", "2 a 2"], engine.Contents("S"));
    }

    [Fact]
    public void Expected_last_sequences_that_hold_let_the_message_in()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"]}""");
        engine.Store("a.x", "1");
        engine.Store("a.y", "2");

        var sequence = engine.Store(
            "a.x",
            "3",
            ("Nats-Expected-Stream", "S"),
            ("Nats-Expected-Last-Sequence", "2"),
            ("Nats-Expected-Last-Subject-Sequence", "2"),
            ("Nats-Expected-Last-Subject-Sequence-Subject", "a.*"));

        Assert.Equal(3UL, sequence);
    }

    [Fact]
    public void Id_counts_once_within_its_window_and_again_behind_it()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"],"duplicate_window":1000000000}""");
        engine.Store("a", "1", ("Nats-Msg-Id", "m"));

        var twice = engine.Publish("a", "2", ("Nats-Msg-Id", "m"));
        engine.Time.Advance(TimeSpan.FromSeconds(2));
        var later = engine.Store("a", "3", ("Nats-Msg-Id", "m"));

        Assert.Equal("""{"stream":"S","seq":1,"duplicate":true}""", twice.ToJsonString());
        Assert.Equal(2UL, later);
    }

    [Fact]
    public void Message_too_large_is_refused()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"],"max_msg_size":4}""");

        Assert.Equal("10054 message size exceeds maximum allowed", engine.Refused("a", "12345"));
        Assert.Equal(1UL, engine.Store("a", "1234"));
    }

    [Theory]
    [InlineData("sub", "1 a.x old|3 a.y new")]
    [InlineData("all", "3 a.y new")]
    public void Rollup_replaces_what_it_says(string rollup, string left)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"],"allow_rollup_hdrs":true}""");
        engine.Store("a.x", "old");
        engine.Store("a.y", "old");

        engine.Store("a.y", "new", ("Nats-Rollup", rollup));

        Assert.Equal(left.Split('|'), engine.Contents("S"));
    }

    [Theory]
    [InlineData("\"max_msgs\":2", "2 a.y 2|3 a.z 3")]
    [InlineData("\"max_msgs_per_subject\":1", "1 a.x 1|2 a.y 2|3 a.z 3")]
    [InlineData("\"max_msgs\":2,\"discard\":\"new\"", "1 a.x 1|2 a.y 2")]
    public void Limits_hold_as_the_discard_policy_says(string limits, string left)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["a.*"],{{limits}}}""");

        engine.Publish("a.x", "1");
        engine.Publish("a.y", "2");
        engine.Publish("a.z", "3");

        Assert.Equal(left.Split('|'), engine.Contents("S"));
    }

    [Fact]
    public void New_message_of_a_full_subject_is_refused_where_the_stream_says_so()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"],"discard":"new","max_msgs_per_subject":1,"discard_new_per_subject":true}""");
        engine.Store("a.x", "1");

        Assert.Equal("10077 maximum messages per subject exceeded", engine.Refused("a.x", "2"));
        Assert.Equal(2UL, engine.Store("a.y", "3"));
    }

    [Fact]
    public void Messages_leave_promptly_at_their_age()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"],"max_age":1000000000}""");
        engine.Store("a", "1");
        engine.Time.Advance(TimeSpan.FromMilliseconds(600));
        engine.Store("a", "2");

        engine.Time.Advance(TimeSpan.FromMilliseconds(500));
        var first = engine.Contents("S");
        engine.Time.Advance(TimeSpan.FromMilliseconds(600));

        Assert.Equal(["2 a 2"], first);
        Assert.Empty(engine.Contents("S"));
    }

    [Fact]
    public void Last_message_of_a_subject_that_expires_leaves_a_marker_that_expires_too()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"],"allow_msg_ttl":true,"subject_delete_marker_ttl":2000000000}""");
        engine.Store("a", "1", ("Nats-TTL", "3"));

        engine.Time.Advance(TimeSpan.FromSeconds(3.1));
        var marker = engine.Do("STREAM.MSG.GET.S", """{"last_by_subj":"a"}""")["message"]!;
        engine.Time.Advance(TimeSpan.FromSeconds(2.1));

        Assert.Equal(2UL, marker["seq"]!.GetValue<ulong>());
        Assert.Equal(
            "NATS/1.0\r\nNats-Marker-Reason: MaxAge\r\nNats-TTL: 2s\r\nNats-Rollup: sub\r\n\r\n",
            System.Text.Encoding.UTF8.GetString(Convert.FromBase64String(marker["hdrs"]!.GetValue<string>())));
        Assert.Empty(engine.Contents("S"));
    }

    [Fact]
    public void Disk_that_is_full_refuses_the_publish_and_keeps_what_is_there()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"]}""");
        engine.Store("a", "kept");
        engine.Disk.Child("$G", "streams", "S", "msgs").Disk.Room = 0;

        var refused = engine.Refused("a", "lost");

        Assert.StartsWith("10077 ", refused, StringComparison.Ordinal);
        Assert.Contains("No space left", refused, StringComparison.Ordinal);
        Assert.Equal(["1 a kept"], engine.Contents("S"));
    }

    [Fact]
    public void Error_that_nobody_foresaw_ends_the_streams_service_and_nothing_else()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"]}""");
        engine.Do("STREAM.CREATE.T", """{"name":"T","subjects":["b"]}""");
        engine.Store("a", "kept");
        engine.Disk.Child("$G", "streams", "S", "msgs").Disk.OnOperation(operation =>
        {
            if (operation == "write") throw new InvalidOperationException("planted");
        });

        var unanswered = engine.Request("a", "lost");

        Assert.Empty(unanswered);
        Assert.Equal(1, engine.Engine.OfflineStreams);
        Assert.Empty(engine.Request("a", "nobody listens"));
        Assert.Equal(1UL, engine.Store("b", "other"));
    }

    [Fact]
    public void Messages_of_one_read_share_one_write()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"]}""");
        var writes = 0;
        engine.Disk.Child("$G", "streams", "S", "msgs").Disk.OnOperation(operation => writes += operation == "write" ? 1 : 0);
        using var inbox = engine.Listen("in");

        engine.Run(batch =>
        {
            for (var i = 0; i < 100; i++)
            {
                Postrider.Broker.Routing.InternalPublisher.Publish(engine.Account.Subscriptions, "a"u8, "a"u8, "in"u8, [], "x"u8, batch, BrokerRequester.Instance);
            }
            Assert.Empty(inbox.Messages);
        });

        Assert.Equal(100, inbox.Messages.Count);
        Assert.Equal(1, writes);
    }
}
