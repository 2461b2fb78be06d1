using System.Runtime.CompilerServices;
using Postrider.Broker.Routing;
using Postrider.Storage.Consumers;

namespace Postrider.Broker.JetStream.Consumers.Delivery;

/// <summary>Open deliveries that are to be redelivered, in the order in which they became due.</summary>
/// <remarks>Shape: a queue of slots and a mark per slot; an entry whose mark is gone is skipped, and dropped when most entries are outdated.
/// Not thread-safe.</remarks>
internal sealed class RedeliveryQueue(PendingTable pending)
{
    private readonly Queue<int> _slots = new();
    private bool[] _marks = [];

    /// <summary>The number of deliveries.</summary>
    public int Count { get; private set; }

    /// <summary>The number of entries, outdated ones included.</summary>
    public int Entries => _slots.Count;

    /// <summary>Whether it contains a delivery.</summary>
    public bool Contains(int slot) => slot < _marks.Length && _marks[slot];

    /// <summary>Adds a delivery that is not contained yet.</summary>
    public void Add(int slot)
    {
        if (slot >= _marks.Length)
        {
            Array.Resize(ref _marks, pending.Capacity);
        }

        if (Count == 0)
        {
            _slots.Clear();
        }

        _marks[slot] = true;
        _slots.Enqueue(slot);
        Count++;
        if (OutdatedEntries.Prevail(_slots.Count, Count))
        {
            DropOutdated();
        }
    }

    /// <summary>Removes a delivery.</summary>
    /// <returns>False when it was not contained.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Remove(int slot)
    {
        if (!Contains(slot))
        {
            return false;
        }

        _marks[slot] = false;
        Count--;
        return true;
    }

    /// <summary>The first delivery, which is not removed.</summary>
    public bool TryPeek(out int slot)
    {
        while (_slots.TryPeek(out slot))
        {
            if (_marks[slot])
            {
                return true;
            }

            _slots.Dequeue();
        }

        slot = PendingTable.None;
        return false;
    }

    /// <summary>Removes all deliveries.</summary>
    public void Clear()
    {
        _slots.Clear();
        Array.Clear(_marks);
        Count = 0;
    }

    private void DropOutdated()
    {
        for (var left = _slots.Count; left > 0; left--)
        {
            var slot = _slots.Dequeue();
            if (_marks[slot])
            {
                // A delivery that was removed and added again is in the queue twice.
                _marks[slot] = false;
                _slots.Enqueue(slot);
            }
        }

        foreach (var slot in _slots)
        {
            _marks[slot] = true;
        }
    }
}
