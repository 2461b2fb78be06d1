using System.Text.Json.Nodes;
using Postrider.Broker.Routing;
using Postrider.UnitTests.Broker.JetStream.Consumers;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Clients are let in while streams are still being read: nothing they send is lost without a word.</summary>
public sealed class HeldPublishTests
{
    [Fact]
    public void Publishes_during_recovery_are_stored_and_acknowledged_afterwards_in_order()
    {
        using var harness = Recovering();
        using var inbox = harness.Engine.Listen("_INBOX.held.*");

        for (var i = 3; i <= 50; i++) Send(harness, $"a.{i}", $"{i}", $"_INBOX.held.{i}");
        Assert.Empty(inbox.Messages);
        harness.Engine.Recovery.Recover();

        Assert.Equal(Enumerable.Range(3, 48).Select(static i => $"_INBOX.held.{i}"), inbox.Messages.Select(static message => message.Subject));
        Assert.Equal(Enumerable.Range(3, 48), inbox.Messages.Select(static message => (int)JsonNode.Parse(message.Payload)!["seq"]!));
        Assert.Equal(Enumerable.Range(1, 50).Select(static i => $"{i} a.{i} {i}"), harness.Engine.Contents("S"));
        Assert.Equal(51UL, harness.Engine.Store("a.51", "51"));
    }

    [Fact]
    public void Stream_that_was_recovered_gives_up_its_subjects_when_it_is_changed_or_deleted()
    {
        using var harness = Recovering();
        harness.Engine.Recovery.Recover();

        harness.Engine.Do("STREAM.UPDATE.S", """{"name":"S","subjects":["b.>"],"storage":"file"}""");
        Assert.Empty(harness.Engine.Request("a.1"));
        Assert.Equal(3UL, harness.Engine.Store("b.1"));
        harness.Engine.Do("STREAM.DELETE.S");
        Assert.Empty(harness.Engine.Request("b.1"));
    }

    [Fact]
    public void Publishes_beyond_what_is_held_are_refused_at_once()
    {
        using var harness = Recovering();
        var payload = new string('x', 1_000_000);
        using var inbox = harness.Engine.Listen("_INBOX.held.*");

        for (var i = 0; i < 40; i++) Send(harness, "a.1", payload, $"_INBOX.held.{i}");
        var refused = inbox.Messages.Count;
        harness.Engine.Recovery.Recover();

        Assert.InRange(refused, 6, 10);
        Assert.All(inbox.Messages.Take(refused), static message => Assert.Equal(10008, (int)JsonNode.Parse(message.Payload)!["error"]!["err_code"]!));
        Assert.Equal(40, inbox.Messages.Count);
        Assert.Equal(2 + 40 - refused, harness.Engine.Contents("S").Count);
    }

    [Fact]
    public void Gets_pulls_acknowledgements_and_requests_wait_for_the_stream()
    {
        using var harness = Recovering();
        using var inbox = harness.Engine.Listen("_INBOX.held.*");

        Send(harness, "$JS.API.STREAM.INFO.S", "", "_INBOX.held.info");
        Send(harness, "$JS.API.DIRECT.GET.S", """{"seq":2}""", "_INBOX.held.get");
        Send(harness, "$JS.API.CONSUMER.MSG.NEXT.S.C", "1", "_INBOX.held.next");
        Send(harness, "$JS.ACK.S.C.1.1.1.1767225600000000000.1", "+ACK", "_INBOX.held.ack");
        Send(harness, "$JS.API.DIRECT.GET.NONE", """{"seq":2}""", "_INBOX.held.none");
        Assert.Empty(inbox.Messages);
        harness.Engine.Recovery.Recover();

        var answers = inbox.Messages.ToDictionary(static message => message.Subject["_INBOX.held.".Length..]);
        Assert.Equal(2, (int)JsonNode.Parse(answers["info"].Payload)!["state"]!["messages"]!);
        Assert.Equal("2", answers["get"].Payload);
        Assert.Equal("2", harness.Engine.Contents("S")[1].Split(' ')[0]);
        Assert.Equal("", answers["ack"].Payload);
        Assert.StartsWith("NATS/1.0 503", answers["none"].Headers, StringComparison.Ordinal);
        Assert.Equal(1, (int)harness.Info()["ack_floor"]!["stream_seq"]!);
    }

    [Fact]
    public void Progress_is_told_until_everything_is_there()
    {
        using var harness = Recovering();

        Assert.Equal("JetStream is recovering: 0 of 1 streams", harness.Engine.Engine.Progress.Describe());
        harness.Engine.Recovery.Recover();

        Assert.Null(harness.Engine.Engine.Progress.Describe());
    }

    private static ConsumerHarness Recovering()
    {
        var (disk, time) = (new SimulatedTree(), new TestClock());
        using (var before = new ConsumerHarness(disk: disk, time: time).WithStream("\"storage\":\"file\",\"allow_direct\":true").WithMessages(2))
        {
            before.Durable("\"ack_policy\":\"explicit\",\"ack_wait\":60000000000");
            before.Pull("1").Dispose();
        }
        return new ConsumerHarness(disk: disk, time: time, recovers: false);
    }

    private static void Send(ConsumerHarness harness, string subject, string payload, string reply)
        => harness.Engine.Run(batch => InternalPublisher.Publish(
            harness.Engine.Account.Subscriptions, StreamHarness.Bytes(subject), StreamHarness.Bytes(subject), StreamHarness.Bytes(reply), [], StreamHarness.Bytes(payload), batch, BrokerRequester.Instance));
}
