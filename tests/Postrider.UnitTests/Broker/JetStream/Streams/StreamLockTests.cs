using System.Collections.Concurrent;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>A stream's lock is taken by threads of connections, which serve others too, and by those that hold it again and again.</summary>
public sealed class StreamLockTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task A_connections_thread_gets_the_lock_before_one_that_takes_it_for_long()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"]}""");
        Assert.True(engine.Streams.TryGetStream("S", out var stream));
        var order = new ConcurrentQueue<string>();
        Task first, second;

        using (stream.Gate.Hold())
        {
            first = Task.Run(
                () =>
                {
                    engine.Run(stream.EnterWithPriority);
                    order.Enqueue("hurried");
                    stream.Gate.Exit();
                },
                TestContext.Current.CancellationToken);
            Assert.True(SpinWait.SpinUntil(() => stream.PriorityWaiters == 1, Patience));
        }
        second = Task.Run(
            () =>
            {
                stream.YieldToPriorityWaiters();
                using (stream.Gate.Hold()) order.Enqueue("long");
            },
            TestContext.Current.CancellationToken);
        await Task.WhenAll(first, second).WaitAsync(Patience, TestContext.Current.CancellationToken);

        Assert.Equal(["hurried", "long"], order);
        Assert.Equal(0, stream.PriorityWaiters);
    }

    [Fact]
    public void Who_holds_the_lock_for_long_does_not_wait_without_end()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"]}""");
        Assert.True(engine.Streams.TryGetStream("S", out var stream));
        Task waiting;

        using (stream.Gate.Hold())
        {
            waiting = Task.Run(
                () =>
                {
                    engine.Run(stream.EnterWithPriority);
                    stream.Gate.Exit();
                },
                TestContext.Current.CancellationToken);
            Assert.True(SpinWait.SpinUntil(() => stream.PriorityWaiters == 1, Patience));

            // This thread has the lock: that the call returns is the test.
            stream.YieldToPriorityWaiters();
            Assert.Equal(1, stream.PriorityWaiters);
        }

        Assert.True(SpinWait.SpinUntil(() => waiting.IsCompletedSuccessfully, Patience));
    }

    [Fact]
    public void A_message_that_is_published_again_in_a_circle_comes_to_rest()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.A", """{"name":"A","subjects":["a.*"],"storage":"memory","republish":{"src":"a.*","dest":"b.{{wildcard(1)}}"}}""");
        engine.Do("STREAM.CREATE.B", """{"name":"B","subjects":["b.*"],"storage":"memory","republish":{"src":"b.*","dest":"a.{{wildcard(1)}}"}}""");

        engine.Publish("a.1", "round");
        engine.AwaitQueues();

        Assert.Equal((33, 32), (engine.Contents("A").Count, engine.Contents("B").Count));
    }
}
