// Hot path: Requester -> this; ServerConnection -> ReplyInbox -> this. Allocations: none once grown.
using Postrider.Memory;

namespace Postrider.Client.Requests;

/// <summary>The requests that wait for replies, by token.</summary>
/// <remarks>Thread-safe. Only the caller that removes a request completes it, so a reply, a timeout and a cancellation never conflict.</remarks>
internal sealed class ReplySlots
{
    private const int PlaceBits = 20;

    // Guards the table.
    private readonly Lock _gate = new();
    private SlotTable<PendingReply> _pending = new(PlaceBits, 32);

    /// <summary>Adds a request and assigns its token.</summary>
    public void Add(PendingReply pending)
    {
        lock (_gate)
        {
            if (!_pending.TryAdd(pending, out var token)) throw new InvalidOperationException($"More than {_pending.Count} requests are waiting for replies.");
            pending.Token = token;
        }
    }

    /// <summary>Removes a request.</summary>
    /// <returns>Null when another caller has removed it.</returns>
    public PendingReply? Take(long token)
    {
        lock (_gate) return _pending.TryRemove(token, out var pending) ? pending : null;
    }

    /// <summary>Removes every matching request.</summary>
    public List<PendingReply> TakeWhere(Func<PendingReply, bool> fits)
    {
        var taken = new List<PendingReply>();
        lock (_gate)
        {
            for (var place = 1; place < _pending.End; place++)
                if (_pending.At(place) is { } pending && fits(pending) && _pending.TryRemove(pending.Token, out _)) taken.Add(pending);
        }
        return taken;
    }

    /// <summary>The earliest deadline of all, or <see cref="long.MaxValue"/>.</summary>
    public long EarliestDeadline()
    {
        var earliest = long.MaxValue;
        lock (_gate)
        {
            for (var place = 1; place < _pending.End; place++)
                if (_pending.At(place) is { } pending) earliest = Math.Min(earliest, pending.Deadline);
        }
        return earliest;
    }
}
