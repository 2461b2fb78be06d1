using System.Text.Json.Nodes;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

public sealed class StreamApiTests
{
    [Fact]
    public void Created_stream_shows_its_filled_in_configuration()
    {
        using var engine = new StreamHarness();

        var answer = engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.>"],"storage":"memory"}""");

        Assert.Equal("io.nats.jetstream.api.v1.stream_create_response", answer["type"]!.GetValue<string>());
        Assert.True(answer["did_create"]!.GetValue<bool>());
        Assert.Equal(
            """{"name":"S","subjects":["a.\u003E"],"retention":"limits","max_consumers":-1,"max_msgs":-1,"max_bytes":-1,"max_age":0,"max_msgs_per_subject":-1,"max_msg_size":-1,"discard":"old","storage":"memory","num_replicas":1,"duplicate_window":120000000000,"compression":"none","allow_direct":false,"mirror_direct":false,"sealed":false,"deny_delete":false,"deny_purge":false,"allow_rollup_hdrs":false,"consumer_limits":{},"allow_msg_ttl":false,"metadata":{"_nats.level":"5","_nats.req.level":"0","_nats.ver":"2.15.1"}}""",
            answer["config"]!.ToJsonString());
    }

    [Fact]
    public void Leader_is_named_where_a_stream_is_asked_for_alone()
    {
        using var engine = new StreamHarness();

        var created = engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.>"]}""");
        var updated = engine.Do("STREAM.UPDATE.S", """{"name":"S","subjects":["a.>","b"]}""");

        Assert.NotNull(engine.Do("STREAM.INFO.S")["cluster"]!["leader"]);
        Assert.Null(created["cluster"]);
        Assert.Null(updated["cluster"]);
        Assert.Null(engine.Do("STREAM.LIST")["streams"]![0]!["cluster"]);
    }

    [Fact]
    public void Publishes_are_acknowledged_with_rising_sequences_and_kept()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.>"]}""");

        var first = engine.Publish("a.b", "one");
        var second = engine.Publish("a.c", "two");

        Assert.Equal("""{"stream":"S","seq":1}""", first.ToJsonString());
        Assert.Equal("""{"stream":"S","seq":2}""", second.ToJsonString());
        Assert.Equal(["1 a.b one", "2 a.c two"], engine.Contents("S"));
    }

    [Fact]
    public void Unknown_member_of_a_request_is_named()
    {
        using var engine = new StreamHarness();

        var error = engine.Error("STREAM.CREATE.S", """{"name":"S","colour":"red"}""");

        Assert.Equal("400 10025 invalid JSON: json: unknown field \"colour\"", error);
    }

    [Fact]
    public void Subjects_whose_comparison_would_hold_up_the_API_are_refused()
    {
        using var engine = new StreamHarness();
        string[] subjects = [.. Enumerable.Range(0, 10_000).Select(static i => $"a{i}.b.c{i}"), .. Enumerable.Range(0, 10_000).Select(static i => $"*.b.d{i}")];

        var error = engine.Error("STREAM.CREATE.S", new JsonObject { ["name"] = "S", ["no_ack"] = true, ["subjects"] = new JsonArray([.. subjects.Select(static subject => JsonValue.Create(subject))]) }.ToJsonString());

        Assert.EndsWith("too many subjects with wildcards to check for overlaps", error, StringComparison.Ordinal);
        Assert.Equal("404 10059 stream not found", engine.Error("STREAM.INFO.S"));
    }

    [Fact]
    public void Deleted_stream_is_gone_with_its_folder()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S"}""");
        engine.Store("S", "x");

        engine.Do("STREAM.DELETE.S");

        Assert.Equal("404 10059 stream not found", engine.Error("STREAM.INFO.S"));
        Assert.Empty(engine.Request("S", "y"));
        Assert.Empty(engine.Disk.Child("$G", "streams").Folders());
    }

    [Fact]
    public void Streams_come_back_after_a_stop()
    {
        var disk = new SimulatedTree();
        using (var before = new StreamHarness(disk: disk))
        {
            before.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"]}""");
            before.Store("a", "kept", ("Nats-Msg-Id", "m1"));
        }

        using var after = new StreamHarness(disk: disk);

        Assert.Equal(["1 a kept"], after.Contents("S"));
        Assert.True(after.Publish("a", "again", ("Nats-Msg-Id", "m1"))["duplicate"]!.GetValue<bool>());
        Assert.Equal(2UL, after.Store("a", "next"));
    }
}
