namespace Postrider.Broker.Subjects;

/// <summary>The queue groups of one subject, by their names. Changed and copied out under the node's lock.</summary>
internal sealed class QueueGroups<T>
    where T : class
{
    // Up to this size a search is as fast as a look-up, and most subjects have one group.
    private const int MaxSearched = 8;

    private readonly List<ItemSet<T>> _groups = new(1);

    // The index of each group; only while there are many.
    private Dictionary<byte[], int>? _places;

    /// <summary>The number of groups.</summary>
    public int Count => _groups.Count;

    /// <summary>The current members of each group.</summary>
    public MatchedGroup<T>[] Snapshot()
    {
        var matched = new MatchedGroup<T>[_groups.Count];
        for (var i = 0; i < matched.Length; i++) matched[i] = _groups[i].Snapshot();
        return matched;
    }

    /// <summary>The group with a name, created if it does not exist. Only called by the writer.</summary>
    public ItemSet<T> GetOrAdd(ReadOnlySpan<byte> queueGroup)
    {
        var place = Find(queueGroup);
        if (place >= 0) return _groups[place];
        var added = new ItemSet<T>(queueGroup);
        if (_groups.Count == MaxSearched && _places is null) Index();
        _places?.Add(added.QueueGroup, _groups.Count);
        _groups.Add(added);
        return added;
    }

    /// <summary>Removes an item, and its group with the last one. Only called by the writer.</summary>
    /// <returns>False when the group does not have it.</returns>
    public bool Remove(ReadOnlySpan<byte> queueGroup, T item)
    {
        var place = Find(queueGroup);
        if (place < 0 || !_groups[place].Remove(item)) return false;
        if (_groups[place].Count > 0) return true;
        // The last group moves to the free slot.
        _places?.Remove(_groups[place].QueueGroup);
        var last = _groups.Count - 1;
        if (place < last)
        {
            _groups[place] = _groups[last];
            if (_places is not null) _places[_groups[place].QueueGroup] = place;
        }
        _groups.RemoveAt(last);
        if (last <= MaxSearched / 2) _places = null;
        return true;
    }

    private int Find(ReadOnlySpan<byte> queueGroup)
    {
        if (_places is not null)
            return _places.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(queueGroup, out var place) ? place : -1;
        for (var i = 0; i < _groups.Count; i++)
            if (queueGroup.SequenceEqual(_groups[i].QueueGroup)) return i;
        return -1;
    }

    private void Index()
    {
        _places = new Dictionary<byte[], int>(ByteKeyComparer.Instance);
        for (var i = 0; i < _groups.Count; i++) _places.Add(_groups[i].QueueGroup, i);
    }
}
