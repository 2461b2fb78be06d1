using Postrider.UnitTests.Broker.JetStream.Streams;

namespace Postrider.UnitTests.Broker.JetStream.Consumers;

public sealed class ConsumerApiTests
{
    [Theory]
    [InlineData(1, 1)]
    [InlineData(99, 99)]
    [InlineData(1_000, 1_000)]
    [InlineData(0, 30_000_000_000)]
    public void Shortest_ack_wait_is_no_default(long asked, long shown)
    {
        using var harness = new ConsumerHarness().WithStream();

        var made = harness.Durable($"\"ack_policy\":\"explicit\",\"ack_wait\":{asked}");

        Assert.Equal(shown, (long)made["config"]!["ack_wait"]!);
    }

    [Fact]
    public void Created_consumer_shows_its_filled_in_configuration()
    {
        using var harness = new ConsumerHarness().WithStream();

        var answer = harness.Durable();

        Assert.Equal("io.nats.jetstream.api.v1.consumer_create_response", answer["type"]!.GetValue<string>());
        Assert.Equal(
            """{"durable_name":"C","name":"C","deliver_policy":"all","ack_policy":"explicit","ack_wait":30000000000,"max_deliver":-1,"replay_policy":"instant","max_waiting":512,"max_ack_pending":1000,"num_replicas":0,"metadata":{"_nats.level":"5","_nats.req.level":"0","_nats.ver":"2.15.1"}}""",
            answer["config"]!.ToJsonString());
        Assert.Equal("""{"consumer_seq":0,"stream_seq":0}""", answer["delivered"]!.ToJsonString());
        Assert.Equal("""{"consumer_seq":0,"stream_seq":0}""", answer["ack_floor"]!.ToJsonString());
        Assert.Equal(0, answer["num_pending"]!.GetValue<int>());
    }

    [Fact]
    public void Every_field_is_kept_and_shown_as_it_was_given()
    {
        using var harness = new ConsumerHarness().WithStream();
        const string config = """{"durable_name":"C","name":"C","description":"all of it","deliver_policy":"by_start_sequence","opt_start_seq":7,"ack_policy":"explicit","ack_wait":1000000000,"max_deliver":5,"backoff":[1000000000,2000000000],"filter_subjects":["a.x","a.y"],"replay_policy":"original","sample_freq":"50%","max_waiting":9,"max_ack_pending":33,"headers_only":true,"max_batch":10,"max_expires":5000000000,"max_bytes":1024,"inactive_threshold":60000000000,"num_replicas":1,"mem_storage":true,"metadata":{"mine":"yes"},"pause_until":"2100-01-02T03:04:05.1234567Z","priority_groups":["g"],"priority_policy":"pinned_client","priority_timeout":3000000000}""";

        var answer = harness.Engine.Do("CONSUMER.CREATE.S.C", $$"""{"stream_name":"S","config":{{config}}}""");

        var shown = answer["config"]!.AsObject();
        shown["metadata"] = new System.Text.Json.Nodes.JsonObject { ["mine"] = shown["metadata"]!["mine"]!.DeepClone() };
        Assert.Equal(config, shown.ToJsonString());
        Assert.True(answer["paused"]!.GetValue<bool>());
        Assert.Equal("1", harness.Info()["config"]!["metadata"]!["_nats.req.level"]!.GetValue<string>());
    }

    [Fact]
    public void Push_fields_are_kept_and_shown_as_they_were_given()
    {
        using var harness = new ConsumerHarness().WithStream();
        const string config = """{"durable_name":"C","name":"C","deliver_policy":"by_start_time","opt_start_time":"2020-01-01T00:00:00Z","ack_policy":"all","ack_wait":30000000000,"max_deliver":-1,"filter_subject":"a.x","replay_policy":"instant","rate_limit_bps":8000,"max_ack_pending":1000,"flow_control":true,"deliver_subject":"to.me","deliver_group":"workers","idle_heartbeat":500000000,"num_replicas":0}""";

        var answer = harness.Engine.Do("CONSUMER.CREATE.S.C.a.x", $$"""{"stream_name":"S","config":{{config}}}""");

        var shown = answer["config"]!.AsObject();
        shown.Remove("metadata");
        Assert.Equal(config, shown.ToJsonString());
    }

    public static TheoryData<string, string> Refusals => new()
    {
        { "\"ack_policy\":\"explicit\",\"deliver_subject\":\"x.*\"", "400 10079 consumer deliver subject has wildcards" },
        { "\"ack_policy\":\"explicit\",\"deliver_subject\":\"x..y\"", "400 10112 invalid push consumer deliver subject" },
        { "\"ack_policy\":\"explicit\",\"deliver_subject\":\"a.b\"", "400 10081 consumer deliver subject forms a cycle" },
        { "\"ack_policy\":\"explicit\",\"deliver_subject\":\"x\",\"max_waiting\":1", "400 10080 consumer in push mode can not set max waiting" },
        { "\"ack_policy\":\"none\",\"deliver_subject\":\"x\",\"max_ack_pending\":1", "400 10082 consumer requires ack policy for max ack pending" },
        { "\"ack_policy\":\"explicit\",\"deliver_subject\":\"x\",\"idle_heartbeat\":1000", "400 10083 consumer idle heartbeat needs to be >= 100ms" },
        { "\"ack_policy\":\"explicit\",\"rate_limit_bps\":1", "400 10086 consumer in pull mode can not have rate limit set" },
        { "\"ack_policy\":\"explicit\",\"idle_heartbeat\":1000000000", "400 10088 consumer idle heartbeat requires a push based consumer" },
        { "\"ack_policy\":\"explicit\",\"flow_control\":true", "400 10089 consumer flow control requires a push based consumer" },
        { "\"ack_policy\":\"explicit\",\"max_expires\":1000", "400 10115 consumer max request expires needs to be >= 1ms" },
        { "\"ack_policy\":\"explicit\",\"deliver_subject\":\"x\",\"flow_control\":true", "400 10108 consumer with flow control also needs heartbeats" },
        { "\"ack_policy\":\"explicit\",\"filter_subject\":\"a.x\",\"filter_subjects\":[\"a.y\"]", "400 10136 consumer cannot have both FilterSubject and FilterSubjects specified" },
        { "\"ack_policy\":\"explicit\",\"filter_subjects\":[\"\"]", "400 10139 consumer filter in FilterSubjects cannot be empty" },
        { "\"ack_policy\":\"explicit\",\"filter_subjects\":[\"a.*\",\"a.b\"]", "400 10138 consumer subject filters cannot overlap" },
        { "\"ack_policy\":\"explicit\",\"filter_subject\":\"a..b\"", "500 10052 invalid subject" },
        { "\"ack_policy\":\"explicit\",\"opt_start_seq\":1", "400 10094 consumer delivery policy is deliver all, but optional start sequence is also set" },
        { "\"ack_policy\":\"explicit\",\"deliver_policy\":\"by_start_sequence\"", "400 10094 consumer delivery policy is deliver by start sequence, but optional start sequence is not set" },
        { "\"ack_policy\":\"explicit\",\"deliver_policy\":\"by_start_time\"", "400 10094 consumer delivery policy is deliver by start time, but optional start time is not set" },
        { "\"ack_policy\":\"explicit\",\"deliver_policy\":\"last_per_subject\"", "400 10094 consumer delivery policy is deliver last per subject, but optional filter subject is not set" },
        { "\"ack_policy\":\"explicit\",\"sample_freq\":\"often\"", "400 10095 failed to parse consumer sampling configuration: strconv.Atoi: parsing \"often\": invalid syntax" },
        { "\"ack_policy\":\"explicit\",\"backoff\":[1,2,3],\"max_deliver\":2", "400 10116 max deliver is required to be > length of backoff values" },
        { "\"ack_policy\":\"explicit\",\"backoff\":[-1000],\"max_deliver\":2", "400 10184 consumer backoff needs to be positive" },
        { "\"ack_policy\":\"explicit\",\"ack_wait\":-1000", "400 10183 consumer ack wait needs to be positive" },
        { "\"ack_policy\":\"explicit\",\"num_replicas\":3", "500 10074 replicas > 1 not supported in non-clustered mode" },
        { "\"ack_policy\":\"explicit\",\"num_replicas\":-1", "400 10133 replicas count cannot be negative" },
        { "\"ack_policy\":\"explicit\",\"direct\":true", "400 10090 consumer direct requires a push based consumer" },
        { "\"ack_policy\":\"explicit\",\"direct\":true,\"deliver_subject\":\"x\"", "400 10091 consumer direct requires an ephemeral consumer" },
        { "\"ack_policy\":\"flow_control\"", "400 10218 flow control ack policy requires a push based consumer" },
        { "\"ack_policy\":\"explicit\",\"priority_policy\":\"overflow\"", "400 10159 Setting PriorityPolicy requires at least one PriorityGroup to be set" },
        { "\"ack_policy\":\"explicit\",\"priority_groups\":[\"g\"]", "400 10196 consumer can not have priority groups when policy is none" },
        { "\"ack_policy\":\"explicit\",\"priority_timeout\":1000", "400 10197 PinnedTTL cannot be set when PriorityPolicy is none" },
        { "\"ack_policy\":\"explicit\",\"priority_policy\":\"overflow\",\"priority_groups\":[\"\"]", "400 10161 Group name cannot be an empty string" },
        { "\"ack_policy\":\"explicit\",\"priority_policy\":\"overflow\",\"priority_groups\":[\"no spaces\"]", "400 10162 Valid priority group name must match A-Z, a-z, 0-9, -_/=)+ and may not exceed 16 characters" },
        { "\"ack_policy\":\"explicit\",\"priority_policy\":\"overflow\",\"priority_groups\":[\"g\"],\"deliver_subject\":\"x\"", "400 10178 priority groups can not be used with push consumers" },
    };

    [Theory]
    [MemberData(nameof(Refusals))]
    public void What_cannot_be_is_refused_in_the_words_of_the_reference(string members, string error)
    {
        using var harness = new ConsumerHarness().WithStream();

        var refused = harness.Refused(members);

        Assert.Equal(error, refused);
    }

    [Fact]
    public void Subject_and_request_must_say_the_same()
    {
        using var harness = new ConsumerHarness().WithStream();
        var engine = harness.Engine;

        Assert.Equal("400 10056 stream name in subject does not match request", engine.Error("CONSUMER.CREATE.T.C", """{"stream_name":"S","config":{}}"""));
        Assert.Equal("404 10059 stream not found", engine.Error("CONSUMER.CREATE.T.C", """{"stream_name":"T","config":{}}"""));
        Assert.Equal("400 10017 consumer name in subject does not match durable name in request", engine.Error("CONSUMER.CREATE.S.C", """{"stream_name":"S","config":{"durable_name":"D"}}"""));
        Assert.Equal("400 10018 consumer expected to be durable but a durable name was not set", engine.Error("CONSUMER.DURABLE.CREATE.S.C", """{"stream_name":"S","config":{}}"""));
        Assert.Equal("400 10020 consumer expected to be ephemeral but a durable name was set in request", engine.Error("CONSUMER.CREATE.S", """{"stream_name":"S","config":{"durable_name":"C"}}"""));
        Assert.Equal("400 10131 Consumer create request did not match filtered subject from create subject", engine.Error("CONSUMER.CREATE.S.C.a.x", """{"stream_name":"S","config":{"filter_subject":"a.y"}}"""));
        Assert.Equal("400 10137 consumer with multiple subject filters cannot use subject based API", engine.Error("CONSUMER.CREATE.S.C.a.x", """{"stream_name":"S","config":{"filter_subjects":["a.x"]}}"""));
        Assert.Equal("400 10127 Consumer name can not contain path separators", engine.Error("CONSUMER.CREATE.S.a/b", """{"stream_name":"S","config":{}}"""));
    }

    [Fact]
    public void Actions_make_or_change_only()
    {
        using var harness = new ConsumerHarness().WithStream();
        const string request = """{"stream_name":"S","config":{"durable_name":"C","ack_policy":"explicit"},"action":""";

        Assert.Equal("400 10149 consumer does not exist", harness.Engine.Error("CONSUMER.CREATE.S.C", request + "\"update\"}"));
        harness.Engine.Do("CONSUMER.CREATE.S.C", request + "\"create\"}");
        harness.Engine.Do("CONSUMER.CREATE.S.C", request + "\"create\"}");
        var other = request.Replace("\"explicit\"", "\"explicit\",\"max_deliver\":3", StringComparison.Ordinal);
        Assert.Equal("400 10148 consumer already exists", harness.Engine.Error("CONSUMER.CREATE.S.C", other + "\"create\"}"));
        harness.Engine.Do("CONSUMER.CREATE.S.C", other + "\"update\"}");
        Assert.Equal(3, harness.Info()["config"]!["max_deliver"]!.GetValue<int>());
    }

    [Theory]
    [InlineData("\"ack_policy\":\"all\"", "ack policy can not be updated")]
    [InlineData("\"ack_policy\":\"explicit\",\"deliver_policy\":\"new\"", "deliver policy can not be updated")]
    [InlineData("\"ack_policy\":\"explicit\",\"mem_storage\":true", "storage type can not be updated")]
    [InlineData("\"ack_policy\":\"explicit\",\"replay_policy\":\"original\"", "replay policy can not be updated")]
    [InlineData("\"ack_policy\":\"explicit\",\"deliver_subject\":\"x\"", "can not update pull consumer to push based")]
    [InlineData("\"ack_policy\":\"explicit\",\"max_waiting\":7", "max waiting can not be updated")]
    public void What_is_fixed_cannot_be_changed(string members, string problem)
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();

        Assert.Equal($"500 10012 {problem}", harness.Refused(members));
    }

    [Fact]
    public void Names_and_lists_come_sorted_and_in_pages()
    {
        using var harness = new ConsumerHarness().WithStream();
        foreach (var name in (string[])["C3", "C1", "C2"]) harness.Engine.Do($"CONSUMER.CREATE.S.{name}", $$$"""{"stream_name":"S","config":{"durable_name":"{{{name}}}"}}""");

        var names = harness.Engine.Do("CONSUMER.NAMES.S", """{"offset":1}""");
        var list = harness.Engine.Do("CONSUMER.LIST.S");

        Assert.Equal("""["C2","C3"]""", names["consumers"]!.ToJsonString());
        Assert.Equal((3, 1, 1024), ((int)names["total"]!, (int)names["offset"]!, (int)names["limit"]!));
        Assert.Equal(["C1", "C2", "C3"], list["consumers"]!.AsArray().Select(consumer => (string)consumer!["name"]!));
        Assert.Equal((3, 0, 256), ((int)list["total"]!, (int)list["offset"]!, (int)list["limit"]!));
    }

    [Fact]
    public void Deleted_consumer_is_gone_and_its_pulls_hear_of_it()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();
        using var client = harness.Pull("""{"batch":5}""");

        Assert.True(harness.Engine.Do("CONSUMER.DELETE.S.C")["success"]!.GetValue<bool>());

        Assert.Equal("[409 Consumer Deleted]", client.TakeText());
        Assert.Equal("404 10014 consumer not found", harness.Engine.Error("CONSUMER.INFO.S.C"));
        Assert.Equal("404 10014 consumer not found", harness.Engine.Error("CONSUMER.DELETE.S.C"));
        Assert.Empty(harness.Engine.Disk.Child("$G", "streams", "S", "obs").Folders());
    }

    [Fact]
    public void Ephemeral_consumer_gets_a_name_and_leaves_when_nobody_uses_it()
    {
        using var harness = new ConsumerHarness().WithStream();

        var made = harness.Engine.Do("CONSUMER.CREATE.S", """{"stream_name":"S","config":{"ack_policy":"none"}}""");
        var name = made["name"]!.GetValue<string>();

        Assert.Equal(8, name.Length);
        Assert.Equal(5_000_000_000, made["config"]!["inactive_threshold"]!.GetValue<long>());
        harness.Advance(4.9);
        harness.Engine.Do($"CONSUMER.INFO.S.{name}");
        harness.Advance(2);
        Assert.Equal("404 10014 consumer not found", harness.Engine.Error($"CONSUMER.INFO.S.{name}"));
    }

    [Fact]
    public void No_more_consumers_than_the_stream_allows()
    {
        using var harness = new ConsumerHarness().WithStream("\"max_consumers\":1");
        harness.Durable();

        Assert.Equal("400 10026 maximum consumers limit reached", harness.Refused("\"ack_policy\":\"explicit\"", "D"));
    }

    [Fact]
    public void Paused_consumer_gives_nothing_until_its_moment()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable();
        var until = harness.Engine.Time.GetUtcNow().AddSeconds(10).ToString("O");

        var paused = harness.Engine.Do("CONSUMER.PAUSE.S.C", $$"""{"pause_until":"{{until}}"}""");
        using var client = harness.Pull("""{"batch":1}""");

        Assert.True(paused["paused"]!.GetValue<bool>());
        Assert.Equal(10_000_000_000, paused["pause_remaining"]!.GetValue<long>());
        Assert.True(harness.Info()["paused"]!.GetValue<bool>());
        Assert.Equal("", client.TakeText());
        harness.Advance(10.1);
        Assert.Equal("1", client.TakeText());
        Assert.False(harness.Engine.Do("CONSUMER.PAUSE.S.C")["paused"]!.GetValue<bool>());
    }

    [Fact]
    public void Reset_begins_again_at_a_sequence_or_behind_what_is_acknowledged()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(3);
        harness.Durable();
        using var client = harness.Pull("""{"batch":3}""");
        Assert.Equal("1 2 3", client.TakeText());

        Assert.Equal(2, harness.Engine.Do("CONSUMER.RESET.S.C", """{"seq":2}""")["reset_seq"]!.GetValue<int>());
        client.Pull("""{"batch":2}""");
        Assert.Equal("2 3", client.TakeText());
        var reset = harness.Engine.Do("CONSUMER.RESET.S.C");
        client.Pull("""{"batch":2}""");

        Assert.Equal("io.nats.jetstream.api.v1.consumer_reset_response", reset["type"]!.GetValue<string>());
        Assert.Equal("2 3", client.TakeText());
    }
}
