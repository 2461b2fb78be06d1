using System.Text.Json.Nodes;
using Postrider.Broker.Routing;
using Postrider.Wire.Sockets;

namespace Postrider.UnitTests.Broker.Streams;

/// <summary>The thread of a connection serves others too: what may take long is not done on it.</summary>
public sealed class RequestQueueTests
{
    public static TheoryData<string, string> LongRequests => new()
    {
        { "STREAM.CREATE.T", """{"name":"T"}""" },
        { "STREAM.UPDATE.S", """{"name":"S","subjects":["a.*","b"]}""" },
        { "STREAM.NAMES", "" },
        { "STREAM.LIST", "" },
        { "STREAM.INFO.S", """{"subjects_filter":">"}""" },
        { "STREAM.PURGE.S", "" },
        { "STREAM.MSG.DELETE.S", """{"seq":1}""" },
        { "STREAM.SNAPSHOT.S", """{"deliver_subject":"to.me"}""" },
        { "STREAM.DELETE.S", "" },
    };

    [Theory]
    [MemberData(nameof(LongRequests))]
    public void A_request_that_has_to_wait_lets_its_connection_go_on(string operation, string payload)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"]}""");
        engine.Store("a.1", "x");
        Assert.True(engine.Streams.TryGetStream("S", out var stream));
        using var inbox = engine.Listen("_INBOX.long");

        // As long as these are held the request cannot be answered; that this comes to its end is the test.
        lock (engine.Streams.Changes)
        {
            lock (stream.Gate) Send(engine, operation, payload);
        }

        engine.AwaitQueues();
        Assert.Null(JsonNode.Parse(Assert.Single(inbox.Messages).Payload)!["error"]);
    }

    [Fact]
    public void Requests_that_change_something_are_handled_in_their_order()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"]}""");
        using var inbox = engine.Listen("_INBOX.long");

        engine.Start(batch =>
        {
            for (var i = 0; i < 50; i++)
            {
                Publish(engine, batch, $"STREAM.CREATE.T{i}", $$"""{"name":"T{{i}}"}""");
                Publish(engine, batch, $"STREAM.DELETE.T{i}", "");
            }
        });

        engine.AwaitQueues();
        Assert.Equal(100, inbox.Messages.Count);
        Assert.All(inbox.Messages, answer => Assert.Null(JsonNode.Parse(answer.Payload)!["error"]));
        Assert.Equal(["S"], engine.Do("STREAM.NAMES")["streams"]!.AsArray().Select(name => (string)name!));
    }

    [Fact]
    public void A_purge_of_very_many_messages_leaves_what_came_behind_it()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"],"storage":"memory"}""");
        engine.Run(batch =>
        {
            for (var i = 0; i < 12_000; i++)
                InternalMessages.Publish(engine.Account.Subscriptions, StreamHarness.Bytes($"a.{i % 3}"), "x"u8, batch);
        });

        var purged = engine.Do("STREAM.PURGE.S", """{"filter":"a.1"}""");
        var kept = engine.Do("STREAM.PURGE.S", """{"keep":10}""");
        engine.Store("a.1", "later");

        Assert.Equal((4_000, 7_990), ((int)purged["purged"]!, (int)kept["purged"]!));
        Assert.Equal(11, (int)engine.Do("STREAM.INFO.S")["state"]!["messages"]!);
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("file")]
    public void A_purge_finds_few_messages_among_very_many(string storage)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["a.*","b.*"],"storage":"{{storage}}"}""");
        const int messages = 120_000;
        const int every = 30_000;
        engine.Run(batch =>
        {
            for (var i = 1; i <= messages; i++)
                InternalMessages.Publish(engine.Account.Subscriptions, StreamHarness.Bytes(i % every == 0 ? $"b.{i}" : "a.1"), "x"u8, batch);
        });

        Assert.Equal(1, (int)engine.Do("STREAM.PURGE.S", $$"""{"filter":"b.*","seq":{{every + 1}}}""")["purged"]!);
        Assert.Equal(2, (int)engine.Do("STREAM.PURGE.S", """{"filter":"b.*","keep":1}""")["purged"]!);
        Assert.Equal(1, (int)engine.Do("STREAM.PURGE.S", """{"filter":"b.*"}""")["purged"]!);
        Assert.Equal(messages - 4, (int)engine.Do("STREAM.INFO.S")["state"]!["messages"]!);
    }

    [Theory]
    [InlineData("\"max_msgs\":100", 100)]
    [InlineData("\"max_msgs\":7000,\"max_msgs_per_subject\":2500", 7_000)]
    [InlineData("\"max_msgs\":7000,\"max_msgs_per_subject\":2000", 6_000)]
    [InlineData("\"max_bytes\":1000", 34)]
    public void Lower_limits_leave_what_they_allow(string limits, int left)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"],"storage":"memory"}""");
        engine.Run(batch =>
        {
            for (var i = 0; i < 12_000; i++)
                InternalMessages.Publish(engine.Account.Subscriptions, StreamHarness.Bytes($"a.{i % 3}"), "0123456789"u8, batch);
        });

        engine.Do("STREAM.UPDATE.S", $$"""{"name":"S","subjects":["a.*"],"storage":"memory",{{limits}}}""");

        var state = engine.Do("STREAM.INFO.S")["state"]!;
        Assert.Equal((left, 12_000), ((int)state["messages"]!, (int)state["last_seq"]!));
        Assert.Equal(12_001 - left, (int)state["first_seq"]!);
    }

    private static void Send(StreamHarness engine, string operation, string payload) => engine.Start(batch => Publish(engine, batch, operation, payload));

    private static void Publish(StreamHarness engine, SendBatch batch, string operation, string payload)
        => InternalMessages.Publish(
            engine.Account.Subscriptions,
            StreamHarness.Bytes("$JS.API." + operation),
            StreamHarness.Bytes("$JS.API." + operation),
            "_INBOX.long"u8,
            [],
            StreamHarness.Bytes(payload),
            batch);
}
