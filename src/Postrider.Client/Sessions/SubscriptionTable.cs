// Hot path: ServerConnection -> this -> NatsSubscription. Allocations: none per message.
using System.Runtime.CompilerServices;
using Postrider.Memory;

namespace Postrider.Client.Sessions;

/// <summary>Subscriptions by their id: a late message of an ended subscription never reaches its successor.</summary>
internal sealed class SubscriptionTable
{
    // Guards changes; the receiving thread looks up without it.
    private readonly Lock _gate = new();
    private SlotTable<NatsSubscription> _subscriptions = new(placeBits: 24, generationBits: 32);

    public int Count => _subscriptions.Count;

    /// <summary>Adds a subscription and assigns its id.</summary>
    public void Add(NatsSubscription subscription)
    {
        lock (_gate)
        {
            if (!_subscriptions.TryAdd(subscription, out var sid)) throw new InvalidOperationException($"A client cannot have more than {_subscriptions.Count} subscriptions.");
            subscription.Sid = sid;
        }
    }

    /// <summary>Removes a subscription.</summary>
    /// <returns>False if it was already removed.</returns>
    public bool Remove(NatsSubscription subscription)
    {
        lock (_gate) return _subscriptions.TryRemove(subscription.Sid, out _);
    }

    /// <summary>The subscription of a message, or null when it has ended.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public NatsSubscription? Find(ReadOnlySpan<byte> sid)
    {
        long number = 0;
        foreach (var digit in sid) number = (number * 10) + (digit - '0');
        return _subscriptions.Find(number);
    }

    /// <summary>A copy of the current subscriptions.</summary>
    public NatsSubscription[] ToArray()
    {
        lock (_gate)
        {
            var all = new List<NatsSubscription>(_subscriptions.Count);
            for (var place = 1; place < _subscriptions.End; place++)
                if (_subscriptions.At(place) is { } subscription) all.Add(subscription);
            return [.. all];
        }
    }
}
