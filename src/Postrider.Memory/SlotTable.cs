// Hot path: EpollLoop, EpollReactor, PendingCalls, SubscriptionTable, ReplySlots, PublishWindow -> this. Allocations: none once grown.
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Postrider.Memory;

/// <summary>A generational slot map: values by an id, which consists of an array index and the number of previous uses of that slot. A stale
/// id finds its slot empty or reused, and returns nothing.</summary>
/// <typeparam name="T">The values.</typeparam>
/// <remarks>
/// Shape of an id: the generation above <c>placeBits</c> bits of index. Slot 0 is never used, so that no id is 0; the first use of
/// a slot has generation 0, so that ids written as text stay short. A generation that has used up its bits starts again at 0.
/// The owner's lock guards everything but <see cref="Find"/>, which any thread may call at any time. A mutable struct: keep it in a field
/// that is not readonly. Source: the generational arena ("slot map") of game engines.
/// </remarks>
internal struct SlotTable<T>
    where T : class
{
    private const int FirstPlaces = 16;

    private readonly int _placeBits;
    private readonly uint _generationMask;
    private readonly int _capacity;
    private Slot[] _slots;
    private int _end = 1;
    private int _free;
    private int _count;

    /// <summary>Creates an empty table.</summary>
    /// <param name="placeBits">Bits of an id for the index, 1 to 32.</param>
    /// <param name="generationBits">Bits of an id for the generation, 1 to 32; ids have at most 63 bits.</param>
    /// <param name="capacity">Maximum number of values; at most 2 to the power of <paramref name="placeBits"/>, less one.</param>
    public SlotTable(int placeBits, int generationBits, int capacity = int.MaxValue)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(generationBits, 63 - placeBits);
        _placeBits = placeBits;
        _generationMask = uint.MaxValue >> (32 - generationBits);
        _capacity = (int)Math.Min(capacity, Math.Min(Array.MaxLength, 1L << placeBits) - 1);
        _slots = new Slot[(int)Math.Min(FirstPlaces, _capacity + 1L)];
    }

    /// <summary>How many values there are.</summary>
    public readonly int Count => Volatile.Read(in _count);

    /// <summary>One more than the highest index ever used: the end of a loop over <see cref="At"/>, which starts at 1.</summary>
    public readonly int End => _end;

    /// <summary>Adds a value.</summary>
    /// <param name="value">The value.</param>
    /// <param name="id">Its id; above 0.</param>
    /// <returns>False when the table is full.</returns>
    public bool TryAdd(T value, out long id)
    {
        var place = _free;
        if (place != 0)
        {
            _free = _slots[place].Next;
        }
        else if (!TryTakeNew(out place))
        {
            id = 0;
            return false;
        }

        ref var slot = ref _slots[place];
        Volatile.Write(ref slot.Value, value);
        _count++;
        id = IdOf(place, slot.Generation);
        return true;
    }

    /// <summary>The value of an id, or null when it was removed. Any thread, without the owner's lock.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly T? Find(long id)
    {
        var slots = Volatile.Read(in _slots);
        var place = (uint)PlaceOf(id);
        if (place >= (uint)slots.Length)
            return null;
        ref var slot = ref slots[place];
        // The value first: a reused slot gets its generation before its value.
        var value = Volatile.Read(ref slot.Value);
        return slot.Generation == (ulong)id >> _placeBits ? value : null;
    }

    /// <summary>The value at an index, or null.</summary>
    /// <param name="place">From 1 to <see cref="End"/>, not included.</param>
    public readonly T? At(int place) => _slots[place].Value;

    /// <summary>Removes a value. The caller that receives it disposes of it.</summary>
    /// <returns>False when no value has this id any more.</returns>
    public bool TryRemove(long id, [NotNullWhen(true)] out T? value)
    {
        value = Find(id);
        if (value is null)
            return false;
        Free(PlaceOf(id));
        return true;
    }

    /// <summary>Gives a value another id, so that its previous id finds nothing.</summary>
    /// <returns>False when no value has this id any more.</returns>
    public readonly bool TryRenew(long id, out long renewed)
    {
        if (Find(id) is null)
        {
            renewed = 0;
            return false;
        }

        var place = PlaceOf(id);
        ref var slot = ref _slots[place];
        Volatile.Write(ref slot.Generation, (slot.Generation + 1) & _generationMask);
        renewed = IdOf(place, slot.Generation);
        return true;
    }

    /// <summary>Removes every value.</summary>
    /// <returns>The values, by index.</returns>
    public List<T> Clear()
    {
        var removed = new List<T>(_count);
        for (var place = 1; place < _end; place++)
        {
            if (At(place) is not { } value)
                continue;
            removed.Add(value);
            Free(place);
        }

        return removed;
    }

    private readonly long IdOf(int place, uint generation) => ((long)generation << _placeBits) | (uint)place;

    private readonly int PlaceOf(long id) => (int)((ulong)id & ~(ulong.MaxValue << _placeBits));

    private void Free(int place)
    {
        ref var slot = ref _slots[place];
        slot.Value = null;
        Volatile.Write(ref slot.Generation, (slot.Generation + 1) & _generationMask);
        slot.Next = _free;
        _free = place;
        _count--;
    }

    private bool TryTakeNew(out int place)
    {
        place = _end;
        if (place > _capacity)
            return false;
        if (place == _slots.Length)
        {
            // Find reads the array without a lock: the copy is complete before it is published.
            var grown = new Slot[(int)Math.Min(place * 2L, _capacity + 1L)];
            _slots.CopyTo(grown, 0);
            Volatile.Write(ref _slots, grown);
        }

        _end++;
        return true;
    }

    private struct Slot
    {
        public T? Value;
        public uint Generation;
        public int Next;
    }
}
