using System.Runtime.InteropServices;

namespace Postrider.Flow.Gates;

/// <summary>Lanes over a typed key. A key is in the table while one of its items runs.</summary>
internal sealed class Lanes<TItem, TKey>(Func<TItem, TKey> selector, IEqualityComparer<TKey>? comparer) : Lanes<TItem>
    where TKey : notnull
{
    private readonly Lock _gate = new();   // guards _lanes and the queues in it
    private readonly Dictionary<TKey, Queue<(TItem Item, long Index)>?> _lanes = new(comparer);

    public override bool TryEnter(TItem item, long index)
    {
        var key = selector(item);
        lock (_gate)
        {
            ref var queue = ref CollectionsMarshal.GetValueRefOrAddDefault(_lanes, key, out var busy);
            if (!busy)
                return true;
            (queue ??= new Queue<(TItem, long)>()).Enqueue((item, index));
        }
        Count(1);
        return false;
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
}
