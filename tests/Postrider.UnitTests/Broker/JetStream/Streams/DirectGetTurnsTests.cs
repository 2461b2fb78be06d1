using System.Text;
using Postrider.Broker.Routing;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Direct gets are answered on the connection's thread, which serves other connections too.</summary>
public sealed class DirectGetTurnsTests
{
    private const string Request = """{"batch":1000000,"seq":1}""";

    [Fact]
    public void A_large_batch_ends_the_turn_of_its_connection()
    {
        using var engine = Filled(5000);
        using var inbox = engine.Listen("_INBOX.direct");
        var hasEnough = false;

        engine.Start(batch =>
        {
            Ask(engine, batch);
            hasEnough = batch.ShouldYield;
        });

        Assert.True(hasEnough);
        Assert.Equal(5001, inbox.Messages.Count);
    }

    [Fact]
    public void A_batch_has_at_most_10_000_messages_and_says_how_many_are_left()
    {
        using var engine = Filled(12_000);
        using var inbox = engine.Listen("_INBOX.direct");

        engine.Start(batch => Ask(engine, batch));

        Assert.Equal(10_001, inbox.Messages.Count);
        Assert.Contains("Nats-Num-Pending: 2000\r\n", inbox.Messages[^1].Headers, StringComparison.Ordinal);
    }

    [Fact]
    public void An_answer_that_no_subscription_would_receive_is_not_made()
    {
        using var engine = Filled(5000);
        var hasEnough = true;

        engine.Start(batch =>
        {
            Ask(engine, batch);
            hasEnough = batch.ShouldYield;
        });

        Assert.False(hasEnough);
    }

    private static StreamHarness Filled(int messages)
    {
        var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"],"storage":"memory","allow_direct":true}""");
        engine.Run(batch =>
        {
            for (var i = 0; i < messages; i++) InternalPublisher.Publish(engine.Account.Subscriptions, "a.1"u8, "x"u8, batch);
        });
        return engine;
    }

    private static void Ask(StreamHarness engine, Postrider.Sockets.SendBatch batch)
        => InternalPublisher.Publish(
            engine.Account.Subscriptions, "$JS.API.DIRECT.GET.S"u8, "$JS.API.DIRECT.GET.S"u8, "_INBOX.direct"u8, [], Encoding.UTF8.GetBytes(Request), batch, BrokerRequester.Instance);
}
