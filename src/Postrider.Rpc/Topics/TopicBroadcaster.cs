using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Postrider.Rpc.Topics;

namespace Postrider.Rpc;

/// <summary>What a server pushes to those who subscribed: an operation that streams gives <see cref="ItemsAsync"/>, over every transport that streams.</summary>
/// <remarks>A subscriber that is slow misses what is oldest, and holds up neither the publisher nor others. Thread-safe.</remarks>
/// <typeparam name="T">What is published.</typeparam>
/// <param name="capacity">How many items wait for one subscriber.</param>
public sealed class TopicBroadcaster<T>(int capacity = 256)
{
    private ImmutableArray<Subscription> _subscriptions = [];

    /// <summary>How many subscriptions there are.</summary>
    public int Subscriptions => _subscriptions.Length;

    /// <summary>Gives an item to whoever subscribed to its topic.</summary>
    /// <param name="topic">Words between dots: <c>stock.tea</c>.</param>
    /// <param name="item">The item.</param>
    /// <returns>How many subscriptions it went to.</returns>
    /// <exception cref="ArgumentException">It is no topic.</exception>
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

    /// <summary>Subscribes, from the moment at which the first item is asked for.</summary>
    /// <param name="pattern">A topic; '*' stands for any one of its words, '&gt;' at the end for one or more.</param>
    /// <param name="ct">Ends the subscription.</param>
    /// <returns>What is published, with its topic, until the loop is left.</returns>
    /// <exception cref="RpcException">It is no pattern: <see cref="RpcStatus.InvalidData"/>.</exception>
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

    /// <summary>The same, without topics.</summary>
    /// <param name="pattern">A topic; '*' stands for any one of its words, '&gt;' at the end for one or more.</param>
    /// <param name="ct">Ends the subscription.</param>
    /// <returns>What is published, until the loop is left.</returns>
    /// <exception cref="RpcException">It is no pattern: <see cref="RpcStatus.InvalidData"/>.</exception>
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
