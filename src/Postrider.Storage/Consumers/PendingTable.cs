// Hot path: ConsumerState -> this, per delivery and acknowledgement. Allocations: none once it has grown.
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Postrider.Storage.Consumers;

/// <summary>Open deliveries: found by stream sequence, walked in the order of their first delivery.</summary>
/// <remarks>
/// <para>Shape: entries in one array, chained into buckets, and linked from the oldest to the newest. A delivery keeps its slot
/// while it is open, so that owners can store more about it in parallel arrays. First deliveries are added in
/// ascending sequence, therefore the oldest entry also has the lowest one.</para>
/// <para>Not thread-safe.</para>
/// </remarks>
internal sealed class PendingTable
{
    /// <summary>No slot.</summary>
    public const int None = -1;

    private const int MinCapacity = 16;

    // 2^64 divided by the golden ratio: neighbours get distant values.
    private const ulong HashFactor = 0x9E3779B97F4A7C15;

    private Entry[] _entries = [];
    private int[] _buckets = [];
    private int _shift = 64;
    private int _used;
    private int _free = None;
    private int _oldest = None;
    private int _newest = None;

    /// <summary>The number of open deliveries.</summary>
    public int Count { get; private set; }

    /// <summary>All slots are below this number.</summary>
    public int Capacity => _entries.Length;

    /// <summary>The slot of the oldest delivery, or <see cref="None"/>.</summary>
    public int Oldest => _oldest;

    /// <summary>The slot of the next newer delivery, or <see cref="None"/>.</summary>
    public int NextOf(int slot) => _entries[slot].Newer;

    /// <summary>The delivery in a slot.</summary>
    public PendingDelivery At(int slot)
    {
        ref var entry = ref _entries[slot];
        return new PendingDelivery(entry.StreamSequence, entry.ConsumerSequence, entry.Timestamp);
    }

    /// <summary>The stream sequence in a slot.</summary>
    public ulong StreamSequenceAt(int slot) => _entries[slot].StreamSequence;

    /// <summary>When the wait for the acknowledgement of the delivery in a slot began.</summary>
    public ref long TimestampAt(int slot) => ref _entries[slot].Timestamp;

    /// <summary>The slot of a stream sequence, or <see cref="None"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Find(ulong streamSequence)
    {
        if (Count == 0)
        {
            return None;
        }

        var slot = _buckets[BucketOf(streamSequence)] - 1;
        while (slot != None && _entries[slot].StreamSequence != streamSequence)
        {
            slot = _entries[slot].Chain;
        }

        return slot;
    }

    /// <summary>Whether a stream sequence is open.</summary>
    public bool Contains(ulong streamSequence) => Find(streamSequence) != None;

    /// <summary>Finds a delivery.</summary>
    public bool TryGet(ulong streamSequence, [MaybeNullWhen(false)] out PendingDelivery delivery)
    {
        var slot = Find(streamSequence);
        delivery = slot == None ? default : At(slot);
        return slot != None;
    }

    /// <summary>Adds a delivery as the newest one.</summary>
    /// <param name="delivery">Its stream sequence is not in the table.</param>
    /// <returns>Its slot.</returns>
    public int Add(PendingDelivery delivery)
    {
        if (_free == None && _used == _entries.Length)
        {
            Grow();
        }

        int slot;
        if (_free != None)
        {
            slot = _free;
            _free = _entries[slot].Chain;
        }
        else
        {
            slot = _used++;
        }

        ref var entry = ref _entries[slot];
        ref var bucket = ref _buckets[BucketOf(delivery.StreamSequence)];
        entry.StreamSequence = delivery.StreamSequence;
        entry.ConsumerSequence = delivery.ConsumerSequence;
        entry.Timestamp = delivery.Timestamp;
        entry.Chain = bucket - 1;
        bucket = slot + 1;
        entry.Older = _newest;
        entry.Newer = None;
        if (_newest == None)
        {
            _oldest = slot;
        }
        else
        {
            _entries[_newest].Newer = slot;
        }

        _newest = slot;
        Count++;
        return slot;
    }

    /// <summary>Removes the delivery in a slot.</summary>
    public void RemoveAt(int slot)
    {
        ref var entry = ref _entries[slot];
        ref var bucket = ref _buckets[BucketOf(entry.StreamSequence)];
        if (bucket - 1 == slot)
        {
            bucket = entry.Chain + 1;
        }
        else
        {
            var before = bucket - 1;
            while (_entries[before].Chain != slot)
            {
                before = _entries[before].Chain;
            }

            _entries[before].Chain = entry.Chain;
        }

        if (entry.Older == None)
        {
            _oldest = entry.Newer;
        }
        else
        {
            _entries[entry.Older].Newer = entry.Newer;
        }

        if (entry.Newer == None)
        {
            _newest = entry.Older;
        }
        else
        {
            _entries[entry.Newer].Older = entry.Older;
        }

        entry.Chain = _free;
        _free = slot;
        Count--;
    }

    /// <summary>Removes all deliveries.</summary>
    public void Clear()
    {
        Array.Clear(_buckets);
        (_used, _free, _oldest, _newest, Count) = (0, None, None, None, 0);
    }

    /// <summary>Every delivery, from the oldest; for tests and snapshots.</summary>
    public IEnumerable<PendingDelivery> All()
    {
        for (var slot = _oldest; slot != None; slot = NextOf(slot))
        {
            yield return At(slot);
        }
    }

    private int BucketOf(ulong streamSequence) => (int)((streamSequence * HashFactor) >> _shift);

    private void Grow()
    {
        var capacity = Math.Max(MinCapacity, _entries.Length * 2);
        Array.Resize(ref _entries, capacity);
        _buckets = new int[capacity];
        _shift = 64 - BitOperations.Log2((uint)capacity);
        for (var slot = _oldest; slot != None; slot = _entries[slot].Newer)
        {
            ref var bucket = ref _buckets[BucketOf(_entries[slot].StreamSequence)];
            _entries[slot].Chain = bucket - 1;
            bucket = slot + 1;
        }
    }

    private struct Entry
    {
        public ulong StreamSequence;
        public ulong ConsumerSequence;
        public long Timestamp;
        public int Older;
        public int Newer;

        // The next entry of the bucket; for a free slot, the next free one.
        public int Chain;
    }
}
