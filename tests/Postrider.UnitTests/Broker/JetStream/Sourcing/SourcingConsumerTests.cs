using System.Globalization;
using System.Text.Json.Nodes;
using Postrider.Broker.Routing;
using Postrider.UnitTests.Broker.JetStream.Consumers;
using Postrider.UnitTests.Broker.JetStream.Streams;

namespace Postrider.UnitTests.Broker.JetStream.Sourcing;

/// <summary>Consumers that other servers create in order to copy a stream.</summary>
public sealed class SourcingConsumerTests
{
    [Theory]
    [InlineData("workqueue")]
    [InlineData("interest")]
    public void Owner_that_asks_again_continues_behind_what_it_acknowledged_and_counts_from_one(string retention)
    {
        using var harness = new ConsumerHarness().WithStream($"\"retention\":\"{retention}\"");
        using var first = harness.Listen("to.first");
        var made = Ask(harness, "to.first");
        harness.WithMessages(5);
        Assert.Equal(("all", "flow_control", "JS_SRC_x"), ((string)made["config"]!["deliver_policy"]!, (string)made["config"]!["ack_policy"]!, (string)made["config"]!["durable_name"]!));
        Assert.Equal([("1", 1), ("2", 2), ("3", 3), ("4", 4), ("5", 5)], Deliveries(first, out var request));
        Assert.Null(request);
        harness.Advance(1.1);
        Deliveries(first, out request);
        Confirm(harness, request!, 2);
        first.Dispose();

        using var second = harness.Listen("to.second");
        var again = Ask(harness, "to.second", ",\"deliver_policy\":\"by_start_sequence\",\"opt_start_seq\":4");

        Assert.Equal(("all", "to.second"), ((string)again["config"]!["deliver_policy"]!, (string)again["config"]!["deliver_subject"]!));
        Assert.Null(again["config"]!["opt_start_seq"]);
        Assert.Equal([("3", 1), ("4", 2), ("5", 3)], Deliveries(second, out _));
        Assert.Equal(3, (int)harness.Engine.Do("STREAM.INFO.S")["state"]!["messages"]!);
    }

    [Fact]
    public void Owner_that_asks_again_while_its_earlier_subject_is_listened_to_is_refused_and_changes_nothing()
    {
        using var harness = new ConsumerHarness().WithStream("\"retention\":\"workqueue\"");
        using var first = harness.Listen("to.first");
        Ask(harness, "to.first");
        harness.WithMessages(2);

        var error = harness.Engine.Error("CONSUMER.CREATE.S", Request("to.second", ",\"deliver_policy\":\"by_start_sequence\",\"opt_start_seq\":2"));
        harness.WithMessages(1, from: 3);

        Assert.Equal("400 10013 consumer name already in use", error);
        Assert.Equal([("1", 1), ("2", 2), ("3", 3)], Deliveries(first, out _));
    }

    private static JsonNode Ask(ConsumerHarness harness, string deliverTo, string members = "") => harness.Engine.Do("CONSUMER.CREATE.S", Request(deliverTo, members));

    private static string Request(string deliverTo, string members)
        => $$$"""{"stream_name":"S","config":{"name":"JS_SRC_x","deliver_subject":"{{{deliverTo}}}","ack_policy":"none","ack_wait":79200000000000,"max_deliver":1,"idle_heartbeat":1000000000,"flow_control":true,"direct":true,"sourcing":true,"inactive_threshold":10000000000{{{members}}}}}""";

    private static void Confirm(ConsumerHarness harness, string request, int last)
        => harness.Engine.Run(batch => InternalPublisher.Publish(
            harness.Engine.Account.Subscriptions,
            StreamHarness.Bytes(request),
            StreamHarness.Bytes(request),
            [],
            StreamHarness.Bytes($"NATS/1.0\r\nNats-Last-Consumer: {last}\r\nNats-Last-Stream: {last}\r\n\r\n"),
            [],
            batch,
            BrokerRequester.Instance));

    // Payloads and the numbers of their deliveries, and the subject of the last flow control request.
    private static List<(string Payload, int Number)> Deliveries(ConsumerHarness.Client client, out string? request)
    {
        var taken = client.Take();
        request = taken.LastOrDefault(static message => message.Payload.Length == 0)?.ReplyTo;
        return [.. taken.Where(static message => message.Payload.Length > 0).Select(static message => (message.Payload, int.Parse(message.ReplyTo.Split('.')[^3], CultureInfo.InvariantCulture)))];
    }
}
