using Postrider.UnitTests.Broker.JetStream.Consumers;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

public sealed class TimeToLiveTests
{
    [Theory]
    [InlineData("")]
    [InlineData(",\"subject_delete_marker_ttl\":1000000000")]
    public void Message_that_never_expires_outlives_the_max_age(string markers)
    {
        using var harness = new ConsumerHarness().WithStream($"\"max_age\":2000000000,\"allow_msg_ttl\":true{markers}");
        harness.Engine.Store("a.1", "kept", ("Nats-TTL", "never"));
        harness.Engine.Store("a.2", "gone");
        harness.Engine.Store("a.3", "kept too", ("Nats-TTL", "never"));
        harness.Advance(1);
        harness.Engine.Store("a.4", "later");

        harness.Advance(1.5);
        var first = harness.Engine.Contents("S");
        harness.Advance(60);
        harness.Engine.Store("a.5", "new");
        harness.Advance(1);
        var second = harness.Engine.Contents("S");
        harness.Advance(60);

        Assert.Equal(["1 a.1 kept", "3 a.3 kept too", "4 a.4 later"], first.Where(static line => !line.EndsWith("a.2", StringComparison.Ordinal)));
        Assert.Contains("1 a.1 kept", second);
        Assert.Contains(second, static line => line.EndsWith("a.5 new", StringComparison.Ordinal));
        Assert.Equal(["1 a.1 kept", "3 a.3 kept too"], harness.Engine.Contents("S"));
    }

    [Theory]
    [InlineData(false, "1s", "10166 per-message TTL is disabled")]
    [InlineData(false, "x", "10165 invalid per-message TTL")]
    [InlineData(true, "x", "10165 invalid per-message TTL")]
    public void Time_to_live_is_refused_where_it_is_not_allowed_and_where_it_cannot_be_read(bool isAllowed, string value, string expected)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["a"],"storage":"memory","allow_msg_ttl":{{(isAllowed ? "true" : "false")}}}""");

        Assert.Equal(expected, engine.Refused("a", "1", ("Nats-TTL", value)));
        Assert.Empty(engine.Contents("S"));
    }

    [Fact]
    public void Schedule_of_long_ago_does_not_hold_up_what_expires()
    {
        using var harness = new ConsumerHarness().WithStream("\"max_age\":5000000000,\"allow_msg_schedules\":true");
        harness.Engine.Store("a.old", "x", ("Nats-Schedule", "@at 1700-01-01T00:00:00Z"), ("Nats-Schedule-Target", "a.target"));
        harness.Engine.Store("a.1", "aged");

        harness.Advance(1);
        var fired = harness.Engine.Contents("S");
        harness.Advance(10);

        Assert.Contains(fired, static line => line.Contains("a.target", StringComparison.Ordinal));
        Assert.Empty(harness.Engine.Contents("S"));
    }

    [Fact]
    public void Mirror_without_times_to_live_keeps_what_expires_at_its_origin()
    {
        using var harness = new ConsumerHarness().WithStream("\"allow_msg_ttl\":true");
        harness.Engine.Do("STREAM.CREATE.M", """{"name":"M","mirror":{"name":"S"}}""");
        harness.Engine.Do("STREAM.CREATE.T", """{"name":"T","mirror":{"name":"S"},"allow_msg_ttl":true}""");
        harness.Engine.Store("a.1", "short", ("Nats-TTL", "1s"));

        harness.Advance(3);

        Assert.Empty(harness.Engine.Contents("S"));
        Assert.Equal(["1 a.1 short"], harness.Engine.Contents("M"));
        Assert.Empty(harness.Engine.Contents("T"));
    }

    [Fact]
    public void Direct_get_is_answered_once_where_the_stream_has_a_mirror()
    {
        using var harness = new ConsumerHarness().WithStream("\"allow_direct\":true").WithMessages(3);
        harness.Engine.Do("STREAM.CREATE.M", """{"name":"M","mirror":{"name":"S"},"mirror_direct":true,"allow_direct":true}""");

        for (var i = 0; i < 10; i++)
        {
            Assert.Equal("2", Assert.Single(harness.Engine.Request("$JS.API.DIRECT.GET.S", """{"seq":2}""")).Payload);
            Assert.Equal(4, harness.Engine.Request("$JS.API.DIRECT.GET.S", """{"seq":1,"batch":10}""").Count);
        }
    }

    [Fact]
    public void Mirror_answers_direct_gets_of_a_deleted_origin()
    {
        using var harness = new ConsumerHarness().WithStream("\"allow_direct\":true").WithMessages(3);
        harness.Engine.Do("STREAM.CREATE.M", """{"name":"M","mirror":{"name":"S"},"mirror_direct":true,"allow_direct":true}""");

        harness.Engine.Do("STREAM.DELETE.S");

        Assert.Equal("2", Assert.Single(harness.Engine.Request("$JS.API.DIRECT.GET.S", """{"seq":2}""")).Payload);
    }

    [Fact]
    public void Search_among_many_subjects_is_answered_from_the_queue()
    {
        using var harness = new ConsumerHarness().WithStream("\"allow_direct\":true").WithMessages(1_500);

        var answers = harness.Engine.Request("$JS.API.DIRECT.GET.S", """{"multi_last":["*.7","*.1400"]}""");

        Assert.Equal(["7", "1400", ""], answers.Select(static answer => answer.Payload));
    }

    [Theory]
    [InlineData("a.1 , a.1 sub", "10111 batch rollup sub invalid")]
    [InlineData("a.1 sub, a.1 sub", "10111 batch rollup sub invalid")]
    [InlineData("a.1 , a.2 all", "10111 batch rollup all invalid")]
    [InlineData("a.1 sub, a.2 sub", null)]
    [InlineData("a.1 all, a.2 ", null)]
    public void Batch_does_not_replace_its_own_messages(string messages, string? problem)
    {
        using var harness = new ConsumerHarness().WithStream("\"allow_atomic\":true,\"allow_rollup_hdrs\":true");
        harness.Engine.Store("a.0", "before");
        var all = messages.Split(", ");

        string? refused = null;
        for (var i = 0; i < all.Length; i++)
        {
            var (subject, rollup) = (all[i].Split(' ')[0], all[i].Split(' ')[1]);
            List<(string, string)> headers = [("Nats-Batch-Id", "b"), ("Nats-Batch-Sequence", $"{i + 1}")];
            if (rollup.Length > 0) headers.Add(("Nats-Rollup", rollup));
            if (i == all.Length - 1) headers.Add(("Nats-Batch-Commit", "1"));
            foreach (var answer in harness.Engine.Request(subject, "x", [.. headers]).Where(static answer => answer.Payload.Length > 0))
            {
                var error = System.Text.Json.Nodes.JsonNode.Parse(answer.Payload)!["error"];
                refused = error is null ? null : $"{error["err_code"]} {error["description"]}";
            }
        }

        Assert.Equal(problem, refused);
        if (problem is not null) Assert.Equal(["1 a.0 before"], harness.Engine.Contents("S"));
    }
}
