// Hot path: Requester -> this; Link -> ReplyInbox -> this. Allocations: none once grown.
namespace Postrider.Client.Requests;

/// <summary>The requests that wait for replies, by token: a place in a table and the place's generation.</summary>
/// <remarks>Thread-safe. Whoever takes a request out completes it, so a reply, a timeout and a cancellation never meet.</remarks>
internal sealed class ReplySlots
{
    private const int PlaceBits = 20;
    private const long PlaceMask = (1L << PlaceBits) - 1;

    // Guards everything.
    private readonly Lock _gate = new();
    private readonly Stack<int> _free = new();
    private PendingReply?[] _places = new PendingReply?[16];
    private long[] _generations = new long[16];
    private int _used;

    /// <summary>Adds a request and gives it its token.</summary>
    public void Add(PendingReply pending)
    {
        lock (_gate)
        {
            if (!_free.TryPop(out var place))
            {
                place = _used++;
                if (place > PlaceMask) throw new InvalidOperationException($"More than {PlaceMask + 1} requests wait for replies.");
                if (place == _places.Length)
                {
                    Array.Resize(ref _places, place * 2);
                    Array.Resize(ref _generations, place * 2);
                }
            }
            pending.Token = (_generations[place]++ << PlaceBits) | (uint)place;
            _places[place] = pending;
        }
    }

    /// <summary>Takes a request out.</summary>
    /// <returns>Null when somebody else did.</returns>
    public PendingReply? Take(long token)
    {
        lock (_gate) return TakeUnderGate((int)(token & PlaceMask), token);
    }

    /// <summary>Takes out every request that fits.</summary>
    public List<PendingReply> TakeWhere(Func<PendingReply, bool> fits)
    {
        var taken = new List<PendingReply>();
        lock (_gate)
        {
            for (var place = 0; place < _used; place++)
                if (_places[place] is { } pending && fits(pending)) taken.Add(TakeUnderGate(place, pending.Token)!);
        }
        return taken;
    }

    /// <summary>The earliest deadline of all, or <see cref="long.MaxValue"/>.</summary>
    public long EarliestDeadline()
    {
        var earliest = long.MaxValue;
        lock (_gate)
        {
            for (var place = 0; place < _used; place++)
                if (_places[place] is { } pending) earliest = Math.Min(earliest, pending.Deadline);
        }
        return earliest;
    }

    private PendingReply? TakeUnderGate(int place, long token)
    {
        if (place >= _used || _places[place] is not { } pending || pending.Token != token) return null;
        _places[place] = null;
        _free.Push(place);
        return pending;
    }
}
