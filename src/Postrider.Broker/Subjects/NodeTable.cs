// Hot path: SubjectTree.Match -> this -> SubjectNode. Allocations: none when reading.
namespace Postrider.Broker.Subjects;

/// <summary>Nodes by key: open addressing, one writer, readers without a lock.</summary>
/// <remarks>A reader walks the array that it finds; growing and cleaning create a new array and publish it as a whole.</remarks>
internal sealed class NodeTable<T>
    where T : class
{
    private static readonly SubjectNode<T> Removed = new([], 0);

    private SubjectNode<T>?[] _slots = new SubjectNode<T>?[4];
    private int _used;

    /// <summary>The number of nodes.</summary>
    public int Count { get; private set; }

    /// <summary>The node with a key, or null.</summary>
    public SubjectNode<T>? Find(ReadOnlySpan<byte> key, ulong hash)
    {
        var slots = Volatile.Read(ref _slots);
        var mask = slots.Length - 1;
        for (var i = (int)hash & mask; ; i = (i + 1) & mask)
        {
            var node = slots[i];
            if (node is null) return null;
            if (node.Hash == hash && key.SequenceEqual(node.Key)) return node;
        }
    }

    /// <summary>The node of a key, created if it does not exist. Only called by the writer.</summary>
    public SubjectNode<T> GetOrAdd(ReadOnlySpan<byte> key, ulong hash) => Find(key, hash) ?? Add(new SubjectNode<T>(key.ToArray(), hash));

    /// <summary>The node of a key, created if it does not exist. Only called by the writer.</summary>
    /// <param name="key">A new node stores it without copying; must not change.</param>
    /// <param name="hash">The hash of the key.</param>
    public SubjectNode<T> GetOrAdd(byte[] key, ulong hash) => Find(key, hash) ?? Add(new SubjectNode<T>(key, hash));

    /// <summary>Adds a node; no other one has its key. Only called by the writer.</summary>
    public SubjectNode<T> Add(SubjectNode<T> node)
    {
        // Two thirds full at most, removed places included: a search always ends at an empty one.
        if ((_used + 1) * 3 > _slots.Length * 2) Rebuild();
        var mask = _slots.Length - 1;
        var place = (int)node.Hash & mask;
        while (_slots[place] is not null) place = (place + 1) & mask;
        Volatile.Write(ref _slots[place], node);
        _used++;
        Count++;
        return node;
    }

    /// <summary>Removes a node. Only called by the writer.</summary>
    public void Remove(SubjectNode<T> node)
    {
        var mask = _slots.Length - 1;
        for (var i = (int)node.Hash & mask; _slots[i] is { } found; i = (i + 1) & mask)
        {
            if (!ReferenceEquals(found, node)) continue;
            Volatile.Write(ref _slots[i], Removed);
            Count--;
            if (Count == 0 || (Count * 8 < _slots.Length && _slots.Length > 64)) Rebuild();
            return;
        }
    }

    /// <summary>The current nodes, in any order.</summary>
    public IEnumerable<SubjectNode<T>> Nodes()
    {
        foreach (var node in Volatile.Read(ref _slots))
            if (node is not null && !ReferenceEquals(node, Removed)) yield return node;
    }

    private void Rebuild()
    {
        var capacity = 4;
        while (capacity < (Count + 1) * 2) capacity *= 2;
        var slots = new SubjectNode<T>?[capacity];
        foreach (var node in Nodes())
        {
            var place = (int)node.Hash & (capacity - 1);
            while (slots[place] is not null) place = (place + 1) & (capacity - 1);
            slots[place] = node;
        }
        _used = Count;
        Volatile.Write(ref _slots, slots);
    }
}
