// Hot path: DeliveryTracker -> this, per delivery and acknowledgement. Allocations: none once it has grown.
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Storage.Consumers;

namespace Postrider.Broker.JetStream.Consumers.Delivery;

/// <summary>Orders open deliveries by the moment at which they are due again, without a timer of their own.</summary>
/// <remarks>
/// <para>Shape: a list per wait, since whoever enters a list later leaves it later, and a heap for delays that a client asked for.
/// Members are slots of a <see cref="PendingTable"/>; the next moment is the least of the lists' heads.</para>
/// <para>Units: nanoseconds since 1970. Not thread-safe.</para>
/// </remarks>
internal sealed class AckDeadlineQueue(PendingTable pending)
{
    private const int InNone = -1;
    private const int InHeap = -2;

    private readonly PriorityQueue<(int Slot, int Stamp), long> _delayed = new();
    private Member[] _members = [];
    private int[] _oldest = [];
    private int[] _newest = [];
    private RedeliverySettings _rules = new(AckPolicy.None, 0, [], 0, 0);

    /// <summary>Empties it and takes the waits of <paramref name="rules"/>.</summary>
    public void Reset(RedeliverySettings rules)
    {
        _rules = rules;
        _oldest = new int[rules.Lanes];
        _newest = new int[rules.Lanes];
        Array.Fill(_oldest, PendingTable.None);
        Array.Fill(_newest, PendingTable.None);
        _delayed.Clear();
        _members = [];
    }

    /// <summary>A delivery waits for its acknowledgement from its timestamp on.</summary>
    /// <param name="slot">Its slot; it may be queued already.</param>
    /// <param name="lane">Which wait.</param>
    public void Enter(int slot, int lane)
    {
        ref var member = ref MemberAt(slot);
        if (member.Lane != InNone)
        {
            Unlink(ref member);
        }

        if (_rules.WaitOf(lane) == 0)
        {
            member.Lane = InNone;
            return;
        }

        member.Lane = lane;
        member.Older = _newest[lane];
        member.Newer = PendingTable.None;
        if (_newest[lane] == PendingTable.None)
        {
            _oldest[lane] = slot;
        }
        else
        {
            _members[_newest[lane]].Newer = slot;
        }

        _newest[lane] = slot;
    }

    /// <summary>A delivery is due at a moment of its own.</summary>
    public void EnterAt(int slot, long due)
    {
        Leave(slot);
        ref var member = ref MemberAt(slot);
        member.Lane = InHeap;
        _delayed.Enqueue((slot, member.Stamp), due);
    }

    /// <summary>A delivery waits no more.</summary>
    public void Leave(int slot)
    {
        ref var member = ref MemberAt(slot);
        if (member.Lane != InNone)
        {
            Unlink(ref member);
            member.Lane = InNone;
        }
    }

    /// <summary>The next moment at which something is due; <see cref="long.MaxValue"/> when nothing is.</summary>
    public long NextDue()
    {
        var next = long.MaxValue;
        for (var lane = 0; lane < _oldest.Length; lane++)
        {
            if (_oldest[lane] != PendingTable.None)
            {
                next = Math.Min(next, DueOf(_oldest[lane], lane));
            }
        }

        return PeekDelayed(out _, out var due) ? Math.Min(next, due) : next;
    }

    /// <summary>Takes one delivery that is due.</summary>
    /// <param name="now">The moment.</param>
    /// <param name="slot">Its slot.</param>
    public bool TryTake(long now, out int slot)
    {
        for (var lane = 0; lane < _oldest.Length; lane++)
        {
            slot = _oldest[lane];
            if (slot != PendingTable.None && DueOf(slot, lane) <= now)
            {
                Leave(slot);
                return true;
            }
        }

        if (PeekDelayed(out slot, out var due) && due <= now)
        {
            Leave(slot);
            return true;
        }

        slot = PendingTable.None;
        return false;
    }

    private long DueOf(int slot, int lane)
    {
        var since = pending.TimestampAt(slot);
        var wait = _rules.WaitOf(lane);
        return since > long.MaxValue - wait ? long.MaxValue : since + wait;
    }

    private bool PeekDelayed(out int slot, out long due)
    {
        while (_delayed.TryPeek(out var entry, out due))
        {
            slot = entry.Slot;
            if (_members[slot].Lane == InHeap && _members[slot].Stamp == entry.Stamp)
            {
                return true;
            }

            // It left meanwhile.
            _delayed.Dequeue();
        }

        slot = PendingTable.None;
        return false;
    }

    private void Unlink(ref Member member)
    {
        member.Stamp++;
        var lane = member.Lane;
        if (lane < 0)
        {
            return;
        }

        if (member.Older == PendingTable.None)
        {
            _oldest[lane] = member.Newer;
        }
        else
        {
            _members[member.Older].Newer = member.Newer;
        }

        if (member.Newer == PendingTable.None)
        {
            _newest[lane] = member.Older;
        }
        else
        {
            _members[member.Newer].Older = member.Older;
        }
    }

    private ref Member MemberAt(int slot)
    {
        if (slot >= _members.Length)
        {
            Grow();
        }

        return ref _members[slot];
    }

    private void Grow()
    {
        var known = _members.Length;
        Array.Resize(ref _members, pending.Capacity);
        for (var i = known; i < _members.Length; i++)
        {
            _members[i].Lane = InNone;
        }
    }

    private struct Member
    {
        public int Lane;
        public int Older;
        public int Newer;

        // Counts departures: tells an entry of the heap from an earlier one of the same slot.
        public int Stamp;
    }
}
