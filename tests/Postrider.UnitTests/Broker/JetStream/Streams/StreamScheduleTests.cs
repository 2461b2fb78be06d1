using System.Text;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>How schedules end, and which rules of the stream apply to the messages that they send.</summary>
public sealed class StreamScheduleTests
{
    private const string EverySecond = "@every 1s";

    [Theory]
    [InlineData("memory", "")]
    [InlineData("file", "")]
    [InlineData("memory", "Foo: bar\r\n")]
    [InlineData("memory", "Nats-Msg-Id: 1\r\n")]
    [InlineData("memory", "Nats-Schedule-TTL: 5s\r\n")]
    public void Message_without_a_schedule_ends_that_of_its_subject(string storage, string lines)
    {
        using var engine = Create($"\"storage\":\"{storage}\"");
        engine.Store("s.plan", "tick", ("Nats-Schedule", EverySecond), ("Nats-Schedule-Target", "s.due"));
        engine.Store("s.other", "tock", ("Nats-Schedule", "@every 2s"), ("Nats-Schedule-Target", "s.later"));

        engine.Publish("s.plan", lines.Length == 0 ? [] : Encoding.ASCII.GetBytes($"NATS/1.0\r\n{lines}\r\n"), "over");
        engine.Time.Advance(TimeSpan.FromSeconds(2.5));

        Assert.Equal(["1 s.plan tick", "2 s.other tock", "3 s.plan over", "4 s.later tock"], engine.Contents("S"));
    }

    [Fact]
    public void Message_of_an_atomic_batch_ends_the_schedule_of_its_subject()
    {
        using var engine = Create("\"allow_atomic\":true");
        engine.Store("s.plan", "tick", ("Nats-Schedule", EverySecond), ("Nats-Schedule-Target", "s.due"));

        engine.Store("s.plan", "over", ("Nats-Batch-Id", "b"), ("Nats-Batch-Sequence", "1"), ("Nats-Batch-Commit", "1"));
        engine.Time.Advance(TimeSpan.FromSeconds(3));

        Assert.Equal(["1 s.plan tick", "2 s.plan over"], engine.Contents("S"));
    }

    [Fact]
    public void Schedule_continues_when_another_one_sends_to_its_subject()
    {
        using var engine = Create();
        engine.Store("s.plan", "tick", ("Nats-Schedule", EverySecond), ("Nats-Schedule-Target", "s.due"));
        engine.Store("s.once", "once", ("Nats-Schedule", "@at 2026-01-01T00:00:01Z"), ("Nats-Schedule-Target", "s.plan"));

        engine.Time.Advance(TimeSpan.FromSeconds(3.5));

        Assert.Contains(engine.Contents("S"), static line => line.EndsWith("s.plan once", StringComparison.Ordinal));
        Assert.Equal(3, engine.Contents("S").Count(static line => line.EndsWith("s.due tick", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("", true)]
    [InlineData("plain", false)]
    public void Schedule_continues_after_a_restart_when_another_one_sent_to_its_subject(string between, bool continues)
    {
        using var before = Create("\"storage\":\"file\"");
        before.Store("s.first", "first");
        before.Store("s.plan", "older");
        before.Store("s.plan", "tick", ("Nats-Schedule", EverySecond), ("Nats-Schedule-Target", "s.due"));
        if (between.Length > 0) before.Store("s.plan", between);
        before.Store("s.once", "once", ("Nats-Schedule", "@at 2026-01-01T00:00:01Z"), ("Nats-Schedule-Target", "s.plan"));
        before.Time.Advance(TimeSpan.FromSeconds(1.25));
        var sent = before.Contents("S").Count(IsDue);
        before.Dispose();

        using var engine = new StreamHarness(disk: before.Disk, time: before.Time);
        engine.Time.Advance(TimeSpan.FromSeconds(2));

        Assert.Contains(engine.Contents("S"), static line => line.EndsWith("s.plan once", StringComparison.Ordinal));
        Assert.Equal(continues ? 2 : 0, engine.Contents("S").Count(IsDue) - sent);

        static bool IsDue(string line) => line.EndsWith("s.due tick", StringComparison.Ordinal);
    }

    [Fact]
    public void Subject_of_a_scheduled_message_is_transformed()
    {
        using var engine = Create("\"subject_transform\":{\"src\":\"s.t.*\",\"dest\":\"x.{{wildcard(1)}}\"}");
        engine.Store("s.plan", "tick", ("Nats-Schedule", "@at 2026-01-01T00:00:01Z"), ("Nats-Schedule-Target", "s.t.1"));

        engine.Time.Advance(TimeSpan.FromSeconds(2));

        Assert.Equal(["2 x.1 tick"], engine.Contents("S"));
    }

    [Fact]
    public void Scheduled_message_that_is_too_large_is_left_out()
    {
        using var engine = Create("\"max_msg_size\":190");
        engine.Store("s.content", new string('x', 180));
        engine.Store("s.plan", "", ("Nats-Schedule", EverySecond), ("Nats-Schedule-Target", "s.due"), ("Nats-Schedule-Source", "s.content"));

        engine.Time.Advance(TimeSpan.FromSeconds(1.5));
        var before = engine.Contents("S").Count;
        engine.Store("s.content", "short");
        engine.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(2, before);
        Assert.Equal("4 s.due short", engine.Contents("S")[^1]);
    }

    [Fact]
    public void Roll_up_that_is_added_to_a_schedule_counts()
    {
        const string schedule = "NATS/1.0\r\nNats-Schedule: @every 1s\r\nNats-Schedule-Target: s.due\r\n\r\n";
        using var engine = Create($"\"max_msg_size\":{schedule.Length + "Nats-Rollup: sub\r\n".Length}");

        Assert.Equal(10054, (int)engine.Publish("s.plan", Encoding.ASCII.GetBytes(schedule), "x")["error"]!["err_code"]!);
        Assert.Null(engine.Publish("s.plan", Encoding.ASCII.GetBytes(schedule))["error"]);
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("file")]
    public void Sealed_stream_stays_as_it_is(string storage)
    {
        var settings = $"\"storage\":\"{storage}\",\"allow_msg_ttl\":true,\"subject_delete_marker_ttl\":1000000000";
        using var engine = Create(settings);
        engine.Store("s.plan", "tick", ("Nats-Schedule", EverySecond), ("Nats-Schedule-Target", "s.due"));
        engine.Store("s.short", "kept", ("Nats-TTL", "1s"));

        engine.Do("STREAM.UPDATE.S", $$"""{"name":"S","subjects":["s.>"],"allow_msg_schedules":true,{{settings}},"sealed":true}""");
        engine.Time.Advance(TimeSpan.FromSeconds(3.5));

        Assert.Equal(["1 s.plan tick", "2 s.short kept"], engine.Contents("S"));
        Assert.Equal(2, (int)engine.Do("STREAM.INFO.S")["state"]!["last_seq"]!);
    }

    [Fact]
    public void Sealed_stream_without_delete_markers_still_removes_what_expires()
    {
        const string settings = "\"storage\":\"memory\",\"allow_msg_ttl\":true";
        using var engine = Create(settings);
        engine.Store("s.short", "gone", ("Nats-TTL", "1s"));

        engine.Do("STREAM.UPDATE.S", $$"""{"name":"S","subjects":["s.>"],"allow_msg_schedules":true,{{settings}},"sealed":true}""");
        engine.Time.Advance(TimeSpan.FromSeconds(3.5));

        Assert.Empty(engine.Contents("S"));
    }

    private static StreamHarness Create(string members = "\"storage\":\"memory\"")
    {
        var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["s.>"],"allow_msg_schedules":true,{{members}}}""");
        return engine;
    }
}
