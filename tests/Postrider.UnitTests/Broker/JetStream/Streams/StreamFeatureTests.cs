using Postrider.Broker;
using Postrider.Broker.JetStream.Consumers;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

public sealed class StreamFeatureTests
{
    [Fact]
    public void Counter_adds_up()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.C", """{"name":"C","subjects":["c"],"allow_msg_counter":true}""");

        engine.Publish("c", "", ("Nats-Incr", "5"));
        var second = engine.Publish("c", "", ("Nats-Incr", "-12345678901234567890"));

        Assert.Equal("""{"stream":"C","seq":2,"val":"-12345678901234567885"}""", second.ToJsonString());
        Assert.Equal("10169 message counter increment is missing", engine.Refused("c", ""));
        Assert.Equal("10170 message counter has payload", engine.Refused("c", "x", ("Nats-Incr", "1")));
    }

    [Fact]
    public void Batch_is_stored_when_it_is_committed_and_not_before()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.B", """{"name":"B","subjects":["b.*"],"allow_atomic":true}""");

        var first = engine.Request("b.1", "one", ("Nats-Batch-Id", "id"), ("Nats-Batch-Sequence", "1"));
        var before = engine.Contents("B");
        var commit = engine.Publish("b.2", "two", ("Nats-Batch-Id", "id"), ("Nats-Batch-Sequence", "2"), ("Nats-Batch-Commit", "1"));

        Assert.Equal("", first.Single().Payload);
        Assert.Empty(before);
        Assert.Equal("""{"stream":"B","seq":2,"batch":"id","count":2}""", commit.ToJsonString());
        Assert.Equal(["1 b.1 one", "2 b.2 two"], engine.Contents("B"));
    }

    [Fact]
    public void Batch_with_one_message_that_does_not_hold_stores_nothing()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.B", """{"name":"B","subjects":["b.*"],"allow_atomic":true}""");
        engine.Request("b.1", "one", ("Nats-Batch-Id", "id"), ("Nats-Batch-Sequence", "1"));

        var error = engine.Refused(
            "b.2", "two", ("Nats-Batch-Id", "id"), ("Nats-Batch-Sequence", "2"), ("Nats-Batch-Commit", "1"), ("Nats-Expected-Last-Subject-Sequence", "7"));

        Assert.Equal("10071 wrong last sequence: 0", error);
        Assert.Empty(engine.Contents("B"));
    }

    [Fact]
    public void Batch_that_waits_too_long_is_given_up()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.B", """{"name":"B","subjects":["b"],"allow_atomic":true}""");
        using var advisories = engine.Listen("$JS.EVENT.ADVISORY.STREAM.BATCH_ABANDONED.B");
        engine.Request("b", "one", ("Nats-Batch-Id", "id"), ("Nats-Batch-Sequence", "1"));

        engine.Time.Advance(TimeSpan.FromSeconds(11));

        Assert.Contains("\"reason\":\"timeout\"", advisories.Messages.Single().Payload, StringComparison.Ordinal);
        Assert.Equal("10176 atomic publish batch is incomplete", engine.Refused("b", "two", ("Nats-Batch-Id", "id"), ("Nats-Batch-Sequence", "2")));
    }

    [Fact]
    public void Batch_that_a_kill_tore_is_cut_off()
    {
        var disk = new SimulatedTree();
        using (var before = new StreamHarness(disk: disk))
        {
            before.Do("STREAM.CREATE.B", """{"name":"B","subjects":["b"],"allow_atomic":true}""");
            before.Store("b", "kept");
            Assert.True(before.Streams.TryGetStream("B", out var stream));
            using (stream.Gate.Hold())
            {
                for (var i = 1; i <= 2; i++)
                {
                    var headers = StreamHarness.Headers(("Nats-Batch-Id", "id"), ("Nats-Batch-Sequence", $"{i}"));
                    stream.Store.Append("b"u8, headers, "torn"u8, stream.Store.LastTimestamp, 0, out _);
                }
                stream.CommitRemovalsLocked();
            }
        }

        using var after = new StreamHarness(disk: disk);

        Assert.Equal(["1 b kept"], after.Contents("B"));
        Assert.Equal(2UL, after.Store("b", "next"));
    }

    [Fact]
    public void Scheduled_message_is_stored_at_its_moment_and_its_schedule_goes()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["s.>"],"allow_msg_schedules":true}""");
        engine.Store("s.plan", "hello", ("Nats-Schedule", "@at 2026-01-01T00:01:00Z"), ("Nats-Schedule-Target", "s.due"));

        engine.Time.Advance(TimeSpan.FromSeconds(59));
        var before = engine.Contents("S");
        engine.Time.Advance(TimeSpan.FromSeconds(2));

        Assert.Equal(["1 s.plan hello"], before);
        Assert.Equal(["2 s.due hello"], engine.Contents("S"));
    }

    [Theory]
    [InlineData("evicted")]
    [InlineData("deleted")]
    [InlineData("purged")]
    public void Schedule_of_a_message_that_is_gone_is_forgotten(string how)
    {
        using var engine = new StreamHarness();
        var max = how == "evicted" ? 1 : 100;
        engine.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["s.>"],"allow_msg_schedules":true,"max_msgs":{{max}}}""");
        for (var i = 0; i < 100; i++)
        {
            var sequence = engine.Store($"s.plan.{i}", "hello", ("Nats-Schedule", "@at 2099-01-01T00:00:00Z"), ("Nats-Schedule-Target", "s.due"));
            if (how == "deleted" && i > 0) engine.Do("STREAM.MSG.DELETE.S", $$"""{"seq":{{sequence}}}""");
        }
        if (how == "purged") engine.Do("STREAM.PURGE.S", """{"keep":1}""");
        Assert.True(engine.Streams.TryGetStream("S", out var stream));

        Assert.Equal(1, stream.Schedules.Count);
        engine.Do("STREAM.PURGE.S");
        Assert.Equal((0, long.MaxValue), (stream.Schedules.Count, stream.Schedules.NextAt));
    }

    [Theory]
    [InlineData("@every 10s", 3)]
    [InlineData("*/15 * * * * *", 2)]
    public void Repeating_schedule_goes_on(string pattern, int times)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["s.>"],"allow_msg_schedules":true}""");
        engine.Store("s.plan", "tick", ("Nats-Schedule", pattern), ("Nats-Schedule-Target", "s.due"));

        engine.Time.Advance(TimeSpan.FromSeconds(35));

        Assert.Equal(times, engine.Contents("S").Count(line => line.Contains("s.due", StringComparison.Ordinal)));
    }

    [Fact]
    public void Mirror_has_its_origins_messages_under_their_sequences()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.O", """{"name":"O","subjects":["o.*"]}""");
        engine.Store("o.1", "before");
        engine.Do("STREAM.CREATE.M", """{"name":"M","mirror":{"name":"O"}}""");
        engine.Store("o.2", "after");
        engine.Do("STREAM.MSG.DELETE.O", """{"seq":1}""");

        var info = engine.Do("STREAM.INFO.M");

        Assert.Equal(["1 o.1 before", "2 o.2 after"], engine.Contents("M"));
        Assert.Equal("O", info["mirror"]!["name"]!.GetValue<string>());
        Assert.Equal(0UL, info["mirror"]!["lag"]!.GetValue<ulong>());
    }

    [Fact]
    public void Sources_are_filtered_transformed_and_go_on_after_a_restart()
    {
        var disk = new SimulatedTree();
        using (var before = new StreamHarness(disk: disk))
        {
            before.Do("STREAM.CREATE.A", """{"name":"A","subjects":["a.*"]}""");
            before.Do("STREAM.CREATE.B", """{"name":"B","subjects":["b"]}""");
            before.Do(
                "STREAM.CREATE.T",
                """{"name":"T","sources":[{"name":"A","subject_transforms":[{"src":"a.x","dest":"from.a"}]},{"name":"B","opt_start_seq":2}]}""");
            before.Store("a.x", "1");
            before.Store("a.y", "2");
            before.Store("b", "3");
            before.Store("b", "4");
        }

        using var after = new StreamHarness(disk: disk);
        after.Store("a.x", "5");

        Assert.Equal(["1 from.a 1", "2 b 4", "3 from.a 5"], after.Contents("T"));
    }

    [Theory]
    [InlineData("limits")]
    [InlineData("workqueue")]
    public void What_a_full_target_refuses_comes_when_there_is_room(string origin)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.O", $$"""{"name":"O","subjects":["o"],"retention":"{{origin}}"}""");
        engine.Do("STREAM.CREATE.T", """{"name":"T","sources":[{"name":"O"}],"max_msgs":2,"discard":"new"}""");
        for (var i = 1; i <= 5; i++) engine.Store("o", $"{i}");
        engine.Time.Advance(TimeSpan.FromSeconds(1));
        var whileFull = engine.Do("STREAM.INFO.T")["sources"]![0]!;

        var come = new List<string>(engine.Contents("T"));
        for (var i = 0; i < 2; i++)
        {
            engine.Do("STREAM.PURGE.T");
            engine.Time.Advance(TimeSpan.FromSeconds(1));
            come.AddRange(engine.Contents("T"));
        }

        Assert.Equal(3UL, whileFull["lag"]!.GetValue<ulong>());
        Assert.Equal("maximum messages exceeded", whileFull["error"]!["description"]!.GetValue<string>());
        Assert.Equal(["1 o 1", "2 o 2", "3 o 3", "4 o 4", "5 o 5"], come);
        Assert.Null(engine.Do("STREAM.INFO.T")["sources"]![0]!["error"]);
    }

    [Fact]
    public void Mirror_goes_on_when_the_account_has_room_again()
    {
        using var engine = new StreamHarness(limits: new AccountLimits { MaxStoreBytes = 1000 });
        engine.Do("STREAM.CREATE.O", """{"name":"O","subjects":["o"],"storage":"memory"}""");
        engine.Do("STREAM.CREATE.BIG", """{"name":"BIG","subjects":["big"]}""");
        engine.Store("big", new string('x', 960));
        engine.Do("STREAM.CREATE.M", """{"name":"M","mirror":{"name":"O"}}""");
        for (var i = 1; i <= 3; i++) engine.Store("o", $"{i}");
        var whileFull = engine.Contents("M");

        engine.Do("STREAM.PURGE.BIG");
        engine.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Empty(whileFull);
        Assert.Equal(["1 o 1", "2 o 2", "3 o 3"], engine.Contents("M"));
    }

    [Fact]
    public void Source_that_does_not_exist_is_an_error_until_it_does()
    {
        using var engine = new StreamHarness();
        var created = engine.Do("STREAM.CREATE.T", """{"name":"T","sources":[{"name":"O"}]}""");
        engine.Time.Advance(TimeSpan.FromSeconds(2));
        var missing = engine.Do("STREAM.INFO.T");
        engine.Do("STREAM.CREATE.O", """{"name":"O","subjects":["o"]}""");
        var found = engine.Do("STREAM.INFO.T");
        engine.Do("STREAM.DELETE.O");
        engine.Time.Advance(TimeSpan.FromSeconds(2));

        Assert.Null(Error(created));
        Assert.Equal("stream not found", Error(missing));
        Assert.Null(Error(found));
        Assert.Equal("stream not found", Error(engine.Do("STREAM.INFO.T")));

        static string? Error(System.Text.Json.Nodes.JsonNode info) => info["sources"]?[0]?["error"]?["description"]?.GetValue<string>();
    }

    [Fact]
    public void Source_takes_what_an_origin_has_that_was_made_anew()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.O", """{"name":"O","subjects":["o"]}""");
        engine.Do("STREAM.CREATE.T", """{"name":"T","sources":[{"name":"O"}]}""");
        for (var i = 1; i <= 3; i++) engine.Store("o", $"old {i}");

        engine.Do("STREAM.DELETE.O");
        engine.Do("STREAM.CREATE.O", """{"name":"O","subjects":["o"]}""");
        engine.Store("o", "new 1");
        engine.Store("o", "new 2");

        Assert.Equal(["1 o old 1", "2 o old 2", "3 o old 3", "4 o new 1", "5 o new 2"], engine.Contents("T"));
    }

    [Fact]
    public void Account_info_counts_what_no_list_shows()
    {
        using var engine = new StreamHarness(consumers: new ConsumerRegistry());
        engine.Do("STREAM.CREATE.O", """{"name":"O","subjects":["o"]}""");
        engine.Do("STREAM.CREATE.M", """{"name":"M","mirror":{"name":"O"}}""");
        engine.Do("CONSUMER.CREATE.O.C", """{"stream_name":"O","config":{"durable_name":"C"}}""");
        engine.Do("CONSUMER.CREATE.O.D", """{"stream_name":"O","config":{"name":"D","direct":true,"ack_policy":"none","deliver_subject":"d"}}""");

        var info = engine.Do("INFO");

        Assert.Equal(3, info["consumers"]!.GetValue<int>());
        Assert.Equal(1, engine.Do("STREAM.INFO.O")["state"]!["consumer_count"]!.GetValue<int>());
    }

    [Fact]
    public void Republished_message_says_where_it_came_from()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.R", """{"name":"R","subjects":["r.*"],"republish":{"src":"r.*","dest":"out.{{wildcard(1)}}"}}""");
        using var listener = engine.Listen("out.>");

        engine.Store("r.a", "x");

        var message = listener.Messages.Single();
        Assert.Equal("out.a", message.Subject);
        Assert.Equal("x", message.Payload);
        Assert.StartsWith("NATS/1.0\r\nNats-Stream: R\r\nNats-Subject: r.a\r\nNats-Sequence: 1\r\nNats-Time-Stamp: 2026-01-01T00:00:00Z\r\n", message.Headers, StringComparison.Ordinal);
    }
}
