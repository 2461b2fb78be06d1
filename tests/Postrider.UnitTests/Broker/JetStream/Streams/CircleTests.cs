using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.UnitTests.Broker.JetStream.Consumers;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Messages that go round between streams take no thread with them: the read that began it ends, others are served.</summary>
public sealed class CircleTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(7)]
    public void Consumers_that_deliver_to_each_others_streams_leave_others_served(int streams)
    {
        using var harness = new ConsumerHarness();
        var engine = harness.Engine;
        for (var i = 0; i < streams; i++)
        {
            engine.Do($"STREAM.CREATE.R{i}", $$"""{"name":"R{{i}}","subjects":["r{{i}}.>"],"storage":"memory","max_msgs":100}""");
            engine.Do(
                $"CONSUMER.CREATE.R{i}.C",
                $$$"""{"stream_name":"R{{{i}}}","config":{"durable_name":"C","ack_policy":"none","deliver_subject":"r{{{(i + 1) % streams}}}.x"}}""");
        }
        engine.Do("STREAM.CREATE.O", """{"name":"O","subjects":["o"],"storage":"memory"}""");

        Assert.True(engine.Streams.TryGetStream("R0", out var first));
        using var inbox = engine.Listen("_INBOX.o");
        engine.Start(batch => InternalPublisher.Publish(engine.Account.Subscriptions, "r0.x"u8, "x"u8, batch));
        engine.Start(batch => InternalPublisher.Publish(engine.Account.Subscriptions, "o"u8, "o"u8, "_INBOX.o"u8, [], "x"u8, batch, BrokerRequester.Instance));

        Assert.Single(inbox.Messages);
        Assert.True(SpinWait.SpinUntil(() => first.VisibleSequence > 1_000, Patience), "the circle does not go on");
        engine.Engine.Stop();
        Assert.True(SpinWait.SpinUntil(() => !engine.IsUnfinished, Patience), "the circle outlives its streams");
    }

    [Fact]
    public void Streams_that_republish_to_each_other_leave_others_served()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.A", """{"name":"A","subjects":["a.*"],"storage":"memory","max_msgs":10,"republish":{"src":"a.*","dest":"b.{{wildcard(1)}}"}}""");
        engine.Do("STREAM.CREATE.B", """{"name":"B","subjects":["b.*"],"storage":"memory","max_msgs":10,"republish":{"src":"b.*","dest":"a.{{wildcard(1)}}"}}""");
        engine.Do("STREAM.CREATE.O", """{"name":"O","subjects":["o"],"storage":"memory"}""");

        using var inbox = engine.Listen("_INBOX.o");
        engine.Start(batch =>
        {
            for (var i = 0; i < 50; i++) InternalPublisher.Publish(engine.Account.Subscriptions, StreamHarness.Bytes($"a.{i}"), "x"u8, batch);
        });
        engine.Start(batch => InternalPublisher.Publish(engine.Account.Subscriptions, "o"u8, "o"u8, "_INBOX.o"u8, [], "x"u8, batch, BrokerRequester.Instance));

        Assert.Single(inbox.Messages);
        engine.Engine.Stop();
        Assert.True(SpinWait.SpinUntil(() => !engine.IsUnfinished, Patience));
    }

    [Fact]
    public void A_stream_that_republishes_to_itself_through_a_template_leaves_others_served()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.A", """{"name":"A","subjects":["a.*"],"storage":"memory","max_msgs":10,"republish":{"src":"*.*","dest":"{{wildcard(1)}}.{{wildcard(2)}}"}}""");

        engine.Start(batch => InternalPublisher.Publish(engine.Account.Subscriptions, "a.1"u8, "x"u8, batch));
        engine.Engine.Stop();

        Assert.True(SpinWait.SpinUntil(() => !engine.IsUnfinished, Patience));
    }

    [Fact]
    public void A_source_of_very_many_messages_is_created_before_they_are_copied()
    {
        const int Messages = 20_000;
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["s"],"storage":"memory"}""");
        engine.Run(batch =>
        {
            for (var i = 0; i < Messages; i++) InternalPublisher.Publish(engine.Account.Subscriptions, "s"u8, "x"u8, batch);
        });

        engine.Do("STREAM.CREATE.T", """{"name":"T","storage":"memory","sources":[{"name":"S"}]}""");

        Assert.Equal(Messages, (int)engine.Do("STREAM.INFO.T")["state"]!["messages"]!);
    }
}
