using System.Runtime.InteropServices;

namespace Postrider.Flow.Gates;

/// <summary>Lanes over a typed key. A key is in the table while one of its items runs.</summary>
internal sealed class Lanes<TItem, TKey>(Func<TItem, TKey> selector, IEqualityComparer<TKey>? comparer) : Lanes<TItem>
    where TKey : notnull
{
    private readonly Lock _gate = new();   // guards every field below and the queues in _lanes; _next and _freedCount are read outside it
    private readonly Dictionary<TKey, Queue<(TItem Item, long Index)>?> _lanes = new(comparer);
    private readonly Dictionary<long, Early> _early = [];
    private readonly Queue<(TItem Item, long Index)> _freed = new();
    private long _next;
    private volatile int _freedCount;

    public override bool TryEnter(TItem item, long index)
    {
        if (index < Volatile.Read(ref _next))
            return true;
        TKey key;
        try
        {
            key = selector(item) ?? throw new InvalidOperationException($"FlowOptions.Key returned null for item {index}; a key must not be null.");
        }
        catch
        {
            // The item fails outside the lanes; those after it continue.
            lock (_gate)
                Pass(index);
            throw;
        }
        lock (_gate)
        {
            if (index > _next)
            {
                _early.Add(index, new Early(item, key, Runs: true));
                Count(1);
                return false;
            }
            try
            {
                if (TryTakeLane(item, key, index))
                    return true;
                Count(1);
                return false;
            }
            finally
            {
                Pass(index);
            }
        }
    }

    public override bool TryNext(TItem ended, out TItem next, out long index)
    {
        var key = selector(ended);
        (next, index) = (default!, 0);
        lock (_gate)
        {
            if (!_lanes.TryGetValue(key, out var queue) || queue is null || queue.Count == 0)
            {
                _lanes.Remove(key);
                return false;
            }
            (next, index) = queue.Dequeue();
        }
        Count(-1);
        return true;
    }

    public override bool TryTakeFreed(out TItem item, out long index)
    {
        (item, index) = (default!, 0);
        if (_freedCount == 0)
            return false;
        lock (_gate)
        {
            if (!_freed.TryDequeue(out var freed))
                return false;
            (item, index) = freed;
            _freedCount = _freed.Count;
        }
        Count(-1);
        return true;
    }

    private bool TryTakeLane(TItem item, TKey key, long index)
    {
        ref var queue = ref CollectionsMarshal.GetValueRefOrAddDefault(_lanes, key, out var busy);
        if (!busy)
            return true;
        (queue ??= new Queue<(TItem, long)>()).Enqueue((item, index));
        return false;
    }

    // Completes an index, and with it the following ones that have already arrived.
    private void Pass(long index)
    {
        if (index > _next)
        {
            _early.Add(index, default);
            return;
        }
        _next++;
        while (_early.Remove(_next, out var early))
        {
            if (early.Runs && IsFree(early, _next))
            {
                _freed.Enqueue((early.Item, _next));
                _freedCount = _freed.Count;
            }
            _next++;
        }
    }

    private bool IsFree(in Early early, long index)
    {
        try
        {
            return TryTakeLane(early.Item, early.Key, index);
        }
        catch (Exception)
        {
            // The comparer threw: it throws again when the item has ended, and that ends the operation.
            return true;
        }
    }

    // Runs is false for an item without a key: its index is complete, and it fails elsewhere.
    private readonly record struct Early(TItem Item, TKey Key, bool Runs);
}
