namespace Postrider.Broker.Subjects;

/// <summary>Items of one subject, or of one queue group of it. Changed and copied out under the node's lock.</summary>
/// <remarks>
/// Appending fills the array after the part that earlier snapshots cover; the first removal after a snapshot creates a new array:
/// a reader of a snapshot sees its content unchanged, without a lock. The cost of consecutive removals does not depend
/// on the number of items, since a client may leave with a hundred thousand subscriptions to one subject.
/// </remarks>
internal sealed class ItemSet<T>(ReadOnlySpan<byte> queueGroup)
    where T : class
{
    // Up to this size a search is as fast as a look-up, and most subjects have few subscriptions.
    private const int MaxSearched = 16;

    private T[] _items = [];

    // The index of each item; only while there are many.
    private Dictionary<T, int>? _places;

    // Whether a snapshot covers the array.
    private bool _isShared;

    /// <summary>The queue group's name; empty for plain subscriptions.</summary>
    public byte[] QueueGroup { get; } = queueGroup.ToArray();

    /// <summary>The number of items.</summary>
    public int Count { get; private set; }

    /// <summary>The current items: an array whose first <see cref="Count"/> entries do not change.</summary>
    public MatchedGroup<T> Snapshot()
    {
        _isShared = true;
        return new(_items, Count, QueueGroup);
    }

    /// <summary>Adds an item. Only called by the writer.</summary>
    public void Add(T item)
    {
        if (Count == _items.Length) Renew(Math.Max(1, Count * 2));
        if (Count == MaxSearched && _places is null) Index();
        _places?.Add(item, Count);
        _items[Count++] = item;
    }

    /// <summary>Removes an item. Only called by the writer.</summary>
    /// <returns>False when it was not in the set.</returns>
    public bool Remove(T item)
    {
        var place = _places is null ? Array.IndexOf(_items, item, 0, Count) : _places.GetValueOrDefault(item, -1);
        if (place < 0) return false;
        var last = Count - 1;
        var moved = _items[last];
        if (_isShared || last <= _items.Length / 4) Renew(last);
        // The last item moves to the free slot.
        _places?.Remove(item);
        if (place < last)
        {
            _items[place] = moved;
            if (_places is not null) _places[moved] = place;
        }
        if (last < _items.Length) _items[last] = null!;
        Count = last;
        if (Count <= MaxSearched / 2) _places = null;
        return true;
    }

    private void Renew(int length)
    {
        var items = length == 0 ? [] : new T[length];
        Array.Copy(_items, items, Math.Min(Count, length));
        _items = items;
        _isShared = false;
    }

    private void Index()
    {
        _places = new Dictionary<T, int>(ReferenceEqualityComparer.Instance);
        for (var i = 0; i < Count; i++) _places.Add(_items[i], i);
    }
}
