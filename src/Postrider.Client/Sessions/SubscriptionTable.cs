// Hot path: Link -> this -> NatsSubscription. Allocations: none per message.
using System.Runtime.CompilerServices;

namespace Postrider.Client.Sessions;

/// <summary>Subscriptions by their id: a place in a table and the place's generation, so that a late message of an ended
/// subscription never reaches its successor.</summary>
internal sealed class SubscriptionTable
{
    private const int PlaceBits = 24;
    private const long PlaceMask = (1L << PlaceBits) - 1;

    // Guards the growth and the free places; the receiving thread reads the array as it is.
    private readonly Lock _gate = new();
    private readonly Stack<int> _free = new();
    private NatsSubscription?[] _places = new NatsSubscription?[16];
    private int[] _generations = new int[16];
    private int _used = 1;
    private int _count;

    public int Count => Volatile.Read(ref _count);

    /// <summary>Adds a subscription and gives it its id.</summary>
    public void Add(NatsSubscription subscription)
    {
        lock (_gate)
        {
            if (!_free.TryPop(out var place))
            {
                place = _used++;
                if (place == _places.Length)
                {
                    Array.Resize(ref _generations, place * 2);
                    var grown = new NatsSubscription?[place * 2];
                    _places.CopyTo(grown, 0);
                    Volatile.Write(ref _places, grown);
                }
            }
            subscription.Sid = ((long)_generations[place] << PlaceBits) | (uint)place;
            _places[place] = subscription;
            _count++;
        }
    }

    /// <summary>Removes a subscription.</summary>
    /// <returns>False when it was not there any more.</returns>
    public bool Remove(NatsSubscription subscription)
    {
        lock (_gate)
        {
            var place = (int)(subscription.Sid & PlaceMask);
            if (!ReferenceEquals(_places[place], subscription)) return false;
            _places[place] = null;
            _generations[place]++;
            _free.Push(place);
            _count--;
            return true;
        }
    }

    /// <summary>The subscription of a message, or null when it has ended.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public NatsSubscription? Find(ReadOnlySpan<byte> sid)
    {
        long number = 0;
        foreach (var digit in sid) number = (number * 10) + (digit - '0');
        var place = number & PlaceMask;
        var places = Volatile.Read(ref _places);
        if ((ulong)place >= (ulong)places.Length) return null;
        var subscription = places[place];
        return subscription?.Sid == number ? subscription : null;
    }

    /// <summary>A copy of what is subscribed now.</summary>
    public NatsSubscription[] ToArray()
    {
        lock (_gate) return [.. _places.Where(static subscription => subscription is not null)!];
    }
}
