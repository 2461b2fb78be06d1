namespace Postrider.UnitTests.Broker.JetStream.Consumers;

/// <summary>What the broker delivers to a subject that a client chose is no request: it does not have the rights of the broker.</summary>
public sealed class DeliveredRequestTests
{
    private const string Delete = "$JS.API.STREAM.DELETE.V";

    [Fact]
    public void Push_consumer_that_delivers_to_the_api_has_no_receiver()
    {
        using var harness = Victim();
        harness.Engine.Store("a.1");

        harness.Durable($"\"ack_policy\":\"none\",\"deliver_subject\":\"{Delete}\",\"idle_heartbeat\":1000000000");
        harness.Advance(5);

        Assert.Null(harness.Info()["push_bound"]);
        AssertUntouched(harness);
    }

    [Fact]
    public void Pull_whose_replies_go_to_the_api_does_nothing_there()
    {
        using var harness = Victim();
        harness.Engine.Store("a.1");
        harness.Durable();

        using (var client = harness.Pull("""{"batch":1}""", Delete))
            harness.Advance(1);
        using (var empty = harness.Pull("""{"batch":1,"no_wait":true}""", Delete))
            harness.Advance(1);

        AssertUntouched(harness);
    }

    [Fact]
    public void Republished_message_is_no_request()
    {
        using var harness = Victim();
        harness.Engine.Do("STREAM.CREATE.R", $$$"""{"name":"R","subjects":["r"],"republish":{"src":"r","dest":"{{{Delete}}}"}}""");

        harness.Engine.Store("r");

        AssertUntouched(harness);
    }

    [Fact]
    public void Direct_get_whose_reply_goes_to_the_api_does_nothing_there()
    {
        using var harness = Victim("\"allow_direct\":true");
        harness.Engine.Store("a.1");

        harness.Engine.Run(batch => Postrider.Broker.Routing.InternalPublisher.Publish(
            harness.Engine.Account.Subscriptions, "$JS.API.DIRECT.GET.S"u8, "$JS.API.DIRECT.GET.S"u8, "$JS.API.STREAM.DELETE.V"u8, [], """{"seq":1}"""u8, batch,
            Postrider.Broker.Routing.BrokerRequester.Instance));

        AssertUntouched(harness);
    }

    [Fact]
    public void Stored_acknowledgement_acknowledges_nothing()
    {
        using var harness = Victim();
        harness.Engine.Do("CONSUMER.CREATE.V.W", """{"stream_name":"V","config":{"durable_name":"W","ack_policy":"explicit"}}""");
        var delivered = harness.Engine.Request("$JS.API.CONSUMER.MSG.NEXT.V.W", """{"batch":1}""").Single();
        harness.Engine.Store("a.1", "+ACK");

        harness.Durable($"\"ack_policy\":\"none\",\"deliver_subject\":\"{delivered.ReplyTo}\"");

        Assert.Equal(1, (int)harness.Engine.Do("CONSUMER.INFO.V.W")["num_ack_pending"]!);
    }

    [Fact]
    public void Paused_push_consumer_sends_heartbeats_once_somebody_listens()
    {
        using var harness = Victim();
        harness.Durable("\"ack_policy\":\"none\",\"deliver_subject\":\"to.me\",\"idle_heartbeat\":1000000000,\"pause_until\":\"2200-01-01T00:00:00Z\"");
        harness.Advance(1);

        using var client = harness.Listen("to.me");
        harness.Advance(3);

        Assert.NotEmpty(client.Take());
    }

    private static ConsumerHarness Victim(string members = "")
    {
        var harness = new ConsumerHarness().WithStream(members);
        harness.Engine.Do("STREAM.CREATE.V", """{"name":"V","subjects":["v.>"]}""");
        harness.Engine.Store("v.1", "kept");
        return harness;
    }

    private static void AssertUntouched(ConsumerHarness harness)
        => Assert.Equal(1, (int)harness.Engine.Do("STREAM.INFO.V")["state"]!["messages"]!);
}
