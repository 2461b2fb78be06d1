using Postrider.Rpc;
using Postrider.Rpc.Topics;

namespace Postrider.UnitTests.Rpc.Topics;

public sealed class TopicBroadcasterTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Theory]
    [InlineData("a.b", "a.b", true)]
    [InlineData("a.b", "a.c", false)]
    [InlineData("a.b", "a.b.c", false)]
    [InlineData("a.b.c", "a.b", false)]
    [InlineData("*.b", "a.b", true)]
    [InlineData("a.*", "a.b", true)]
    [InlineData("a.*", "a", false)]
    [InlineData("a.*", "a.b.c", false)]
    [InlineData(">", "a", true)]
    [InlineData("a.>", "a.b.c", true)]
    [InlineData("a.>", "a", false)]
    [InlineData("a.*.>", "a.b", false)]
    [InlineData("*.*.>", "a.b.c", true)]
    public async Task Item_goes_to_those_whose_pattern_matches(string pattern, string topic, bool isTaken)
    {
        var topics = new TopicBroadcaster<int>();
        await using var subscriber = topics.SubscribeAsync(pattern).GetAsyncEnumerator();
        var next = subscriber.MoveNextAsync();

        var count = topics.Publish(topic, 7);
        var other = pattern.Replace('*', 'x').Replace(">", "x", StringComparison.Ordinal);
        topics.Publish(other, 0);

        Assert.True(await next.AsTask().WaitAsync(Patience));
        Assert.Equal((isTaken ? 1 : 0, isTaken ? topic : other), (count, subscriber.Current.Topic));
    }

    [Fact]
    public void Pattern_of_more_characters_than_may_be_is_none()
        => Assert.Equal((true, false), (TopicPattern.IsPattern(new string('a', 1024)), TopicPattern.IsPattern(new string('a', 1025))));

    [Theory]
    [InlineData("")]
    [InlineData(".a")]
    [InlineData("a.")]
    [InlineData("a..b")]
    [InlineData("a b")]
    [InlineData("a*")]
    [InlineData(">.a")]
    [InlineData("a.>b")]
    public async Task Pattern_that_is_none_is_refused(string pattern)
    {
        var topics = new TopicBroadcaster<int>();

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await topics.ItemsAsync(pattern).FirstAsync());

        Assert.Equal(RpcStatus.InvalidData, failure.Status);
        Assert.Equal(0, topics.Subscriptions);
        Assert.Throws<ArgumentException>(() => topics.Publish(pattern, 1));
    }

    [Fact]
    public void Wildcards_are_no_topic()
    {
        Assert.Throws<ArgumentException>(() => new TopicBroadcaster<int>().Publish("a.*", 1));
        Assert.Throws<ArgumentException>(() => new TopicBroadcaster<int>().Publish(">", 1));
    }

    [Fact]
    public async Task Slow_subscriber_misses_what_is_oldest_and_holds_up_nobody()
    {
        var topics = new TopicBroadcaster<int>(capacity: 2);
        await using var slow = topics.SubscribeAsync("a").GetAsyncEnumerator();
        await using var quick = topics.SubscribeAsync("a").GetAsyncEnumerator();
        var first = slow.MoveNextAsync();
        var next = quick.MoveNextAsync();

        for (var i = 0; i <= 10; i++)
        {
            topics.Publish("a", i);
            Assert.True(await next.AsTask().WaitAsync(Patience));
            Assert.Equal(new TopicItem<int>("a", i, 0), quick.Current);
            next = quick.MoveNextAsync();
            if (i == 0)
                Assert.True(await first.AsTask().WaitAsync(Patience));
        }

        Assert.Equal(new TopicItem<int>("a", 0, 0), slow.Current);
        Assert.True(await slow.MoveNextAsync());
        Assert.Equal(new TopicItem<int>("a", 9, 8), slow.Current);
        Assert.True(await slow.MoveNextAsync());
        Assert.Equal(new TopicItem<int>("a", 10, 8), slow.Current);
        topics.Publish("a", 11);
        Assert.True(await next.AsTask().WaitAsync(Patience));
    }

    [Fact]
    public async Task Leaving_the_loop_or_cancelling_ends_the_subscription()
    {
        var topics = new TopicBroadcaster<int>();
        using var end = new CancellationTokenSource();
        var left = topics.ItemsAsync("a").FirstAsync().AsTask();
        var cancelled = topics.ItemsAsync("a", end.Token).FirstAsync(end.Token).AsTask();
        Assert.Equal(2, topics.Subscriptions);

        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.WaitAsync(Patience));
        topics.Publish("a", 5);

        Assert.Equal(5, await left.WaitAsync(Patience));
        Assert.Equal(0, topics.Subscriptions);
    }
}
