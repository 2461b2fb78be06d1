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
