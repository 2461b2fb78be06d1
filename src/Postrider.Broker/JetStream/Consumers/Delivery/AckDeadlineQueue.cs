// Hot path: DeliveryTracker -> this, per delivery and acknowledgement. Allocations: none once it has grown.
using System.Runtime.CompilerServices;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.Routing;
using Postrider.Storage.Consumers;

namespace Postrider.Broker.JetStream.Consumers.Delivery;

/// <summary>Orders open deliveries by the time of their redelivery, without a timer for each.</summary>
/// <remarks>
/// <para>Shape: one list per ack wait, in which entries expire in the order of their insertion, and a heap for delays that clients set.
/// Members are slots of a <see cref="PendingTable"/>; the next deadline is the earliest of the lists' heads.</para>
/// <para>Units: nanoseconds since 1970. Not thread-safe.</para>
/// </remarks>
internal sealed class AckDeadlineQueue(PendingTable pending)
{
    private const int InNone = -1;
    private const int InHeap = -2;

    // Outdated entries are dropped when they become due, or when most entries are outdated.
    private readonly PriorityQueue<(int Slot, int Stamp), long> _delayed = new();
    private Member[] _members = [];
    private int[] _oldest = [];
    private int[] _newest = [];
    private RedeliverySettings _settings = new(AckPolicy.None, 0, [], 0, 0);

    /// <summary>The number of entries with individual deadlines, outdated ones included.</summary>
    public int DelayedEntries => _delayed.Count;

    /// <summary>Clears the queue and applies the waits of <paramref name="settings"/>.</summary>
    public void Reset(RedeliverySettings settings)
    {
        _settings = settings;
        _oldest = new int[settings.Buckets];
        _newest = new int[settings.Buckets];
        Array.Fill(_oldest, PendingTable.None);
        Array.Fill(_newest, PendingTable.None);
        _delayed.Clear();
        _members = [];
    }

    /// <summary>Queues a delivery that waits for its acknowledgement from its timestamp on.</summary>
    /// <param name="slot">Its slot; it may be queued already.</param>
    /// <param name="bucket">The index of its ack wait.</param>
    public void Enqueue(int slot, int bucket)
    {
        ref var member = ref MemberAt(slot);
        if (member.Bucket != InNone)
        {
            Unlink(ref member);
        }

        if (_settings.WaitOf(bucket) == 0)
        {
            member.Bucket = InNone;
            return;
        }

        if (_newest[bucket] != PendingTable.None && pending.TimestampAt(_newest[bucket]) > pending.TimestampAt(slot))
        {
            // The list's newest entry is due later: a client delayed it, or the clock was set back.
            member.Bucket = InNone;
            EnqueueAt(slot, DueOf(slot, bucket));
            return;
        }

        member.Bucket = bucket;
        member.Older = _newest[bucket];
        member.Newer = PendingTable.None;
        if (_newest[bucket] == PendingTable.None)
        {
            _oldest[bucket] = slot;
        }
        else
        {
            _members[_newest[bucket]].Newer = slot;
        }

        _newest[bucket] = slot;
    }

    /// <summary>Queues a delivery with an individual deadline.</summary>
    public void EnqueueAt(int slot, long due)
    {
        Remove(slot);
        ref var member = ref MemberAt(slot);
        member.Bucket = InHeap;
        _delayed.Enqueue((slot, member.Stamp), due);
        if (OutdatedEntries.Prevail(_delayed.Count, pending.Count))
        {
            var current = _delayed.UnorderedItems.Where(item => IsCurrent(item.Element)).ToArray();
            _delayed.Clear();
            _delayed.EnqueueRange(current);
        }
    }

    /// <summary>Removes a delivery.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Remove(int slot)
    {
        ref var member = ref MemberAt(slot);
        if (member.Bucket != InNone)
        {
            Unlink(ref member);
            member.Bucket = InNone;
        }
    }

    /// <summary>The next deadline; <see cref="long.MaxValue"/> when the queue is empty.</summary>
    public long NextDue()
    {
        var next = long.MaxValue;
        for (var bucket = 0; bucket < _oldest.Length; bucket++)
        {
            if (_oldest[bucket] != PendingTable.None)
            {
                next = Math.Min(next, DueOf(_oldest[bucket], bucket));
            }
        }

        return PeekDelayed(out _, out var due) ? Math.Min(next, due) : next;
    }

    /// <summary>Dequeues one delivery that is due.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="slot">Its slot.</param>
    public bool TryDequeue(long now, out int slot)
    {
        for (var bucket = 0; bucket < _oldest.Length; bucket++)
        {
            slot = _oldest[bucket];
            if (slot != PendingTable.None && DueOf(slot, bucket) <= now)
            {
                Remove(slot);
                return true;
            }
        }

        if (PeekDelayed(out slot, out var due) && due <= now)
        {
            Remove(slot);
            return true;
        }

        slot = PendingTable.None;
        return false;
    }

    private long DueOf(int slot, int bucket)
    {
        var since = pending.TimestampAt(slot);
        var wait = _settings.WaitOf(bucket);
        return since > long.MaxValue - wait ? long.MaxValue : since + wait;
    }

    private bool PeekDelayed(out int slot, out long due)
    {
        while (_delayed.TryPeek(out var entry, out due))
        {
            slot = entry.Slot;
            if (IsCurrent(entry))
            {
                return true;
            }

            // The entry was removed or replaced meanwhile.
            _delayed.Dequeue();
        }

        slot = PendingTable.None;
        return false;
    }

    private bool IsCurrent((int Slot, int Stamp) entry) => _members[entry.Slot].Bucket == InHeap && _members[entry.Slot].Stamp == entry.Stamp;

    private void Unlink(ref Member member)
    {
        member.Stamp++;
        var bucket = member.Bucket;
        if (bucket < 0)
        {
            return;
        }

        if (member.Older == PendingTable.None)
        {
            _oldest[bucket] = member.Newer;
        }
        else
        {
            _members[member.Older].Newer = member.Newer;
        }

        if (member.Newer == PendingTable.None)
        {
            _newest[bucket] = member.Older;
        }
        else
        {
            _members[member.Newer].Older = member.Older;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
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
            _members[i].Bucket = InNone;
        }
    }

    private struct Member
    {
        public int Bucket;
        public int Older;
        public int Newer;

        // Counts removals, to tell an entry of the heap from an earlier one of the same slot.
        public int Stamp;
    }
}
