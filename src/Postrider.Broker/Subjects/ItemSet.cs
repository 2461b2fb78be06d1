namespace Postrider.Broker.Subjects;

/// <summary>Items of one subject, or of one queue group of it. Changed and copied out under the tree's lock.</summary>
/// <remarks>
/// Appending fills the array behind what earlier snapshots cover, removing makes a new array: whoever still walks a
/// snapshot sees what it was, without a lock.
/// </remarks>
internal sealed class ItemSet<T>(ReadOnlySpan<byte> queueGroup)
    where T : class
{
    private T[] _items = [];

    /// <summary>The queue group's name; empty for plain subscriptions.</summary>
    public byte[] QueueGroup { get; } = queueGroup.ToArray();

    /// <summary>How many items there are.</summary>
    public int Count { get; private set; }

    /// <summary>The items now: an array whose first <see cref="Count"/> do not change.</summary>
    public MatchedGroup<T> Snapshot() => new(_items, Count, QueueGroup);

    /// <summary>Adds an item. By the writer.</summary>
    public void Add(T item)
    {
        if (Count == _items.Length) Array.Resize(ref _items, Math.Max(1, Count * 2));
        _items[Count++] = item;
    }

    /// <summary>Removes an item. By the writer.</summary>
    /// <returns>False when it was not in the set.</returns>
    public bool Remove(T item)
    {
        var place = Array.IndexOf(_items, item, 0, Count);
        if (place < 0) return false;
        var rest = Count == 1 ? [] : new T[Count - 1];
        Array.Copy(_items, rest, place);
        Array.Copy(_items, place + 1, rest, place, rest.Length - place);
        _items = rest;
        Count = rest.Length;
        return true;
    }
}
