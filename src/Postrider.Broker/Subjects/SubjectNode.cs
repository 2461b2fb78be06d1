namespace Postrider.Broker.Subjects;

/// <summary>The items of one subject or pattern, and in the pattern tree the tokens that may follow.</summary>
/// <remarks>Changed under the tree's lock; readers see each reference before or after a change.</remarks>
internal sealed class SubjectNode<T>(ReadOnlySpan<byte> key, ulong hash)
    where T : class
{
    private ItemSet<T>? _plain;
    private QueueGroups<T>? _groups;
    private volatile MatchResult<T>? _result;

    /// <summary>The whole literal subject, or one token of a pattern.</summary>
    public byte[] Key { get; } = key.ToArray();

    /// <summary>The hash of <see cref="Key"/>.</summary>
    public ulong Hash { get; } = hash;

    /// <summary>Literal tokens that may follow; null when there are none.</summary>
    public NodeTable<T>? Children { get; set; }

    /// <summary>The node of a following <c>*</c>.</summary>
    public SubjectNode<T>? AnyToken { get; set; }

    /// <summary>The node of a following <c>&gt;</c>.</summary>
    public SubjectNode<T>? AnyTail { get; set; }

    /// <summary>Whether the node has no items.</summary>
    public bool HasNoItems => _plain is null && _groups is null;

    /// <summary>Whether the node has neither items nor followers.</summary>
    public bool IsEmpty => HasNoItems && AnyToken is null && AnyTail is null && (Children is null || Children.Count == 0);

    /// <summary>The match of this node alone, cached until its items change.</summary>
    /// <param name="writers">The writers' lock: taken only to build the match again.</param>
    public MatchResult<T> ResultUnder(Lock writers)
    {
        if (_result is { } known) return known;
        lock (writers) return _result ??= HasNoItems ? MatchResult<T>.Empty : Build();
    }

    /// <summary>Adds an item. Only called by the writer.</summary>
    public void Add(ReadOnlySpan<byte> queueGroup, T item)
    {
        if (queueGroup.IsEmpty) (_plain ??= new ItemSet<T>([])).Add(item);
        else (_groups ??= new QueueGroups<T>()).GetOrAdd(queueGroup).Add(item);
        _result = null;
    }

    /// <summary>Removes an item. Only called by the writer.</summary>
    /// <returns>False when the node does not have it.</returns>
    public bool Remove(ReadOnlySpan<byte> queueGroup, T item)
    {
        var removed = (queueGroup.IsEmpty ? _plain?.Remove(item) : _groups?.Remove(queueGroup, item)) == true;
        if (_plain?.Count == 0) _plain = null;
        if (_groups?.Count == 0) _groups = null;
        _result = null;
        return removed;
    }

    private MatchResult<T> Build() => new(_plain?.Snapshot() ?? MatchResult<T>.Empty.Plain, _groups?.Snapshot() ?? []);
}
