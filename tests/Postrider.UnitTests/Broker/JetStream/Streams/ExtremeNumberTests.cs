using System.Globalization;
using System.Text.Json.Nodes;
using Postrider.Storage.Records;
using Postrider.UnitTests.Broker.JetStream.Consumers;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Sequences, times and counts at the end of their range: nothing wraps around, hangs or spins.</summary>
public sealed class ExtremeNumberTests
{
    private const string Last = "18446744073709551615";

    [Theory]
    [InlineData("memory")]
    [InlineData("file")]
    public void A_purge_with_a_filter_ends_where_the_sequences_end(string storage)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["s.*"],"storage":"{{storage}}"}""");
        engine.Store("s.1", "x");
        engine.Do("STREAM.PURGE.S", $$"""{"seq":{{Last}}}""");

        Assert.Equal(0, (int)engine.Do("STREAM.PURGE.S", """{"filter":"s.1"}""")["purged"]!);
        Assert.Equal(0, (int)engine.Do("STREAM.PURGE.S", """{"filter":"s.*","keep":18446744073709551615}""")["purged"]!);
        Assert.Equal(ulong.MaxValue, (ulong)engine.Do("STREAM.INFO.S")["state"]!["first_seq"]!);
    }

    [Fact]
    public void A_purge_that_keeps_more_than_there_is_removes_nothing()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["s.*"]}""");
        engine.Store("s.1", "x");

        Assert.Equal(0, (int)engine.Do("STREAM.PURGE.S", $$"""{"keep":{{Last}}}""")["purged"]!);
    }

    [Fact]
    public void A_stream_that_has_used_its_last_sequence_refuses_and_keeps_what_it_has()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["s.*"],"first_seq":{{ulong.MaxValue - 1}}}""");
        engine.Store("s.1", "x");

        Assert.Equal("10077 the stream has used its last sequence", engine.Refused("s.1", "y"));
        Assert.Equal([$"{ulong.MaxValue - 1} s.1 x"], engine.Contents("S"));
    }

    [Theory]
    [InlineData("9223372036854775807")]
    [InlineData("9223372036854775808")]
    [InlineData("18446744073709551613")]
    public void Messages_with_very_high_sequences_are_delivered_and_acknowledged(string first)
    {
        using var harness = new ConsumerHarness().WithStream($"\"first_seq\":{first}").WithMessages(1);
        harness.Durable();

        using var client = harness.Pull("""{"batch":2,"no_wait":true}""");
        var received = client.Take();
        AckTests.Answer(harness, received[0].ReplyTo, "+ACK");

        Assert.Equal(["1", ""], received.Select(static message => message.Payload));
        Assert.StartsWith("NATS/1.0 404", received[1].Headers, StringComparison.Ordinal);
        Assert.Equal(ulong.Parse(first, CultureInfo.InvariantCulture), (ulong)harness.Info()["ack_floor"]!["stream_seq"]!);
        Assert.Equal(0, (int)harness.Info()["num_ack_pending"]!);
    }

    [Theory]
    [InlineData("9223372036854775807")]
    [InlineData("9223372036854775808")]
    [InlineData("18446744073709551615")]
    public void A_pull_on_an_empty_stream_with_a_very_high_first_sequence_is_answered(string first)
    {
        using var harness = new ConsumerHarness().WithStream($"\"first_seq\":{first}");
        harness.Durable();

        using var client = harness.Pull("""{"batch":1,"no_wait":true}""");

        Assert.Equal("[404 No Messages]", client.TakeText());
        Assert.Equal(0, (int)harness.Info()["num_pending"]!);
    }

    [Fact]
    public void A_pull_that_waits_for_ever_waits()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();

        using var client = harness.Pull("""{"batch":1,"expires":9223372036854775807,"idle_heartbeat":4000000000000000000}""");
        harness.Advance(60);
        harness.WithMessages(1);

        Assert.Equal("1", client.TakeText());
    }

    [Theory]
    [InlineData("\"max_age\":9223372036854775807")]
    [InlineData("\"max_age\":9223372036854775807,\"duplicate_window\":9223372036854775807")]
    [InlineData("\"max_age\":9223372036854775807,\"subject_delete_marker_ttl\":9223372036854775807,\"allow_msg_ttl\":true")]
    public void The_longest_times_of_a_stream_never_come(string times)
    {
        var time = new TestClock();
        using var harness = new ConsumerHarness(time: time).WithStream(times);
        harness.Engine.Publish("a.1", "x", ("Nats-Msg-Id", "1"));

        harness.Advance(10_000);

        Assert.Equal(1, (int)harness.Engine.Do("STREAM.INFO.S")["state"]!["messages"]!);
        if (times.Contains("window", StringComparison.Ordinal)) Assert.True((bool)harness.Engine.Publish("a.1", "x", ("Nats-Msg-Id", "1"))["duplicate"]!);
    }

    [Theory]
    [InlineData("\"ack_policy\":\"explicit\",\"ack_wait\":9223372036854775807")]
    [InlineData("\"ack_policy\":\"explicit\",\"inactive_threshold\":9223372036854775807")]
    [InlineData("\"ack_policy\":\"explicit\",\"backoff\":[9223372036854775807]")]
    [InlineData("\"ack_policy\":\"explicit\",\"priority_groups\":[\"g\"],\"priority_policy\":\"pinned_client\",\"priority_timeout\":9223372036854775807")]
    public void The_longest_times_of_a_consumer_never_come(string members)
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable(members);
        using var client = harness.Pull(members.Contains("priority", StringComparison.Ordinal) ? """{"batch":1,"expires":10000000000,"group":"g"}""" : """{"batch":1}""");

        harness.Advance(10_000);

        Assert.Equal("1", client.TakeText());
        Assert.Equal(1, (int)harness.Info()["num_ack_pending"]!);
        Assert.Equal(0, (int)harness.Info()["num_redelivered"]!);
    }

    [Theory]
    [InlineData("@every 2562047h")]
    [InlineData("@at 9999-12-31T23:59:59Z")]
    [InlineData("@at 2262-04-12T00:00:00Z")]
    public void A_schedule_in_the_far_future_does_not_fire(string pattern)
    {
        using var harness = new ConsumerHarness().WithStream("\"allow_msg_schedules\":true");
        harness.Engine.Store("a.1", "x", ("Nats-Schedule", pattern), ("Nats-Schedule-Target", "a.target"));

        harness.Advance(10_000);

        Assert.Equal(["1 a.1 x"], harness.Engine.Contents("S"));
    }

    [Fact]
    public void A_step_of_a_cron_field_beyond_its_range_ends_the_field()
    {
        using var harness = new ConsumerHarness().WithStream("\"allow_msg_schedules\":true");
        harness.Engine.Store("a.1", "x", ("Nats-Schedule", "1/2147483647 * * * * *"), ("Nats-Schedule-Target", "a.target"));

        harness.Advance(59);
        harness.Advance(61);

        Assert.Equal(2, harness.Engine.Contents("S").Count(static line => line.Contains("a.target", StringComparison.Ordinal)));
    }

    [Fact]
    public void Heartbeats_show_sequences_without_a_sign()
    {
        using var harness = new ConsumerHarness().WithStream("\"first_seq\":9223372036854775809");
        harness.Durable("\"ack_policy\":\"explicit\",\"deliver_subject\":\"to.me\",\"idle_heartbeat\":1000000000");
        using var client = harness.Listen("to.me");

        harness.Advance(3);

        Assert.Contains(client.Take(), static message => message.Headers.Contains("Nats-Last-Stream: 9223372036854775808", StringComparison.Ordinal));
    }

    [Fact]
    public void The_sum_of_sequences_ends_at_the_highest()
    {
        Assert.Equal(ulong.MaxValue, SequenceMath.Add(ulong.MaxValue - 1, 2));
        Assert.Equal(ulong.MaxValue, SequenceMath.Add(ulong.MaxValue, ulong.MaxValue));
        Assert.Equal(7UL, SequenceMath.Add(3, 4));
    }
}
