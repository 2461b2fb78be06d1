using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Postrider.Rpc.Topics;

namespace Postrider.Rpc;

/// <summary>Publishes items by topic to subscribers. A streaming operation returns <see cref="ItemsAsync"/>; this works over every
/// transport with streams.</summary>
/// <remarks>A slow subscriber misses the oldest items and delays neither the publisher nor other subscribers. Thread-safe.</remarks>
/// <typeparam name="T">The type of the items.</typeparam>
/// <param name="capacity">The maximum number of waiting items per subscriber.</param>
public sealed class TopicBroadcaster<T>(int capacity = 256)
{
    private ImmutableArray<Subscription> _subscriptions = [];

    /// <summary>The number of subscriptions.</summary>
    public int Subscriptions => _subscriptions.Length;

    /// <summary>Sends an item to the subscribers of a topic.</summary>
    /// <param name="topic">The topic: words separated by dots, for example <c>stock.tea</c>.</param>
    /// <param name="item">The item.</param>
    /// <returns>The number of matching subscriptions.</returns>
    /// <exception cref="ArgumentException">The topic is invalid.</exception>
    public int Publish(string topic, T item)
    {
        ArgumentNullException.ThrowIfNull(topic);
        if (!TopicPattern.IsTopic(topic))
            throw new ArgumentException($"Invalid topic '{topic}'. A topic consists of words separated by dots.", nameof(topic));
        var count = 0;
        foreach (var subscription in _subscriptions)
        {
            if (!TopicPattern.Matches(subscription.Pattern, topic))
                continue;
            subscription.Deliver(topic, item);
            count++;
        }

        return count;
    }

    /// <summary>Subscribes to a topic pattern. The subscription starts with the first enumeration step.</summary>
    /// <param name="pattern">A topic, in which '*' matches any one word and '&gt;' at the end one or more words.</param>
    /// <param name="ct">Ends the subscription.</param>
    /// <returns>The published items with their topics.</returns>
    /// <exception cref="RpcException">The pattern is invalid: <see cref="RpcStatus.InvalidData"/>.</exception>
    public async IAsyncEnumerable<TopicItem<T>> SubscribeAsync(string pattern, [EnumeratorCancellation] CancellationToken ct = default)
    {
        if (pattern is null || !TopicPattern.IsPattern(pattern))
            throw new RpcException(RpcStatus.InvalidData, $"Invalid topic pattern '{pattern}'. Use words separated by dots, '*' for any one word and '>' at the end for the rest.");
        var subscription = new Subscription(pattern, capacity);
        ImmutableInterlocked.Update(ref _subscriptions, static (all, one) => all.Add(one), subscription);
        try
        {
            await foreach (var (topic, item) in subscription.Waiting.Reader.ReadAllAsync(ct).ConfigureAwait(false))
                yield return new(topic, item, subscription.Missed);
        }
        finally
        {
            ImmutableInterlocked.Update(ref _subscriptions, static (all, one) => all.Remove(one), subscription);
        }
    }

    /// <summary>Subscribes to a topic pattern and returns the items without their topics.</summary>
    /// <param name="pattern">A topic, in which '*' matches any one word and '&gt;' at the end one or more words.</param>
    /// <param name="ct">Ends the subscription.</param>
    /// <returns>The published items.</returns>
    /// <exception cref="RpcException">The pattern is invalid: <see cref="RpcStatus.InvalidData"/>.</exception>
    public async IAsyncEnumerable<T> ItemsAsync(string pattern, [EnumeratorCancellation] CancellationToken ct = default)
    {
        await foreach (var item in SubscribeAsync(pattern, ct).ConfigureAwait(false))
            yield return item.Item;
    }

    private sealed class Subscription
    {
        private long _missed;

        public Subscription(string pattern, int capacity)
        {
            Pattern = pattern;
            Waiting = Channel.CreateBounded<(string Topic, T Item)>(
                new BoundedChannelOptions(capacity) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true }, _ => Interlocked.Increment(ref _missed));
        }

        public string Pattern { get; }

        public Channel<(string Topic, T Item)> Waiting { get; }

        public long Missed => Interlocked.Read(ref _missed);

        public void Deliver(string topic, T item) => Waiting.Writer.TryWrite((topic, item));
    }
}
