namespace Postrider.Broker.Subjects;

/// <summary>The items of one subject or pattern, and in the pattern tree the tokens that may follow.</summary>
/// <remarks>Changed under the tree's lock and its own; readers see each reference before or after a change.</remarks>
/// <param name="key">Stored without copying; must not change.</param>
/// <param name="hash">The hash of the key.</param>
internal sealed class SubjectNode<T>(byte[] key, ulong hash)
    where T : class
{
    // The only item, or an ItemSet of several items: a client may have a hundred thousand subscriptions to different subjects.
    private object? _plain;
    private QueueGroups<T>? _groups;
    private volatile MatchResult<T>? _result;

    // The only literal token that may follow, or a table of several: most tokens of deep patterns have one successor.
    private volatile object? _children;

    /// <summary>The whole literal subject, or one token of a pattern.</summary>
    public byte[] Key { get; } = key;

    /// <summary>The hash of <see cref="Key"/>.</summary>
    public ulong Hash { get; } = hash;

    /// <summary>The node of a following <c>*</c>.</summary>
    public SubjectNode<T>? AnyToken { get; set; }

    /// <summary>The node of a following <c>&gt;</c>.</summary>
    public SubjectNode<T>? AnyTail { get; set; }

    /// <summary>Whether the node has no items.</summary>
    public bool HasNoItems => _plain is null && _groups is null;

    /// <summary>Whether the node has neither items nor followers.</summary>
    public bool IsEmpty => HasNoItems && AnyToken is null && AnyTail is null && _children is null;

    /// <summary>Whether literal tokens may follow.</summary>
    public bool HasChildren => _children is not null;

    /// <summary>The node of a literal token that may follow, or null.</summary>
    public SubjectNode<T>? FindChild(ReadOnlySpan<byte> token) => _children switch
    {
        NodeTable<T> several => several.Find(token, ByteHash.Compute(token)),
        SubjectNode<T> only when token.SequenceEqual(only.Key) => only,
        _ => null,
    };

    /// <summary>The node of a literal token that may follow, created if it does not exist. Only called by the writer.</summary>
    public SubjectNode<T> GetOrAddChild(ReadOnlySpan<byte> token)
    {
        switch (_children)
        {
            case NodeTable<T> several:
                return several.GetOrAdd(token, ByteHash.Compute(token));
            case SubjectNode<T> only when token.SequenceEqual(only.Key):
                return only;
            case SubjectNode<T> only:
                var table = new NodeTable<T>();
                table.Add(only);
                var second = table.GetOrAdd(token, ByteHash.Compute(token));
                _children = table;
                return second;
            default:
                var first = new SubjectNode<T>(token.ToArray(), ByteHash.Compute(token));
                _children = first;
                return first;
        }
    }

    /// <summary>Removes the node of a literal token. Only called by the writer.</summary>
    public void RemoveChild(SubjectNode<T> child)
    {
        if (_children is NodeTable<T> several)
        {
            several.Remove(child);
            if (several.Count == 0) _children = null;
        }
        else if (ReferenceEquals(_children, child))
        {
            _children = null;
        }
    }

    /// <summary>The nodes of the literal tokens that may follow, in any order.</summary>
    public IEnumerable<SubjectNode<T>> Children() => _children switch
    {
        NodeTable<T> several => several.Nodes(),
        SubjectNode<T> only => [only],
        _ => [],
    };

    /// <summary>The match of this node alone, cached until its items change. Thread-safe.</summary>
    /// <remarks>Building it takes the node's own lock only: a reader does not wait for writers of other nodes.</remarks>
    public MatchResult<T> Result()
    {
        if (_result is { } known) return known;
        lock (this) return _result ??= HasNoItems ? MatchResult<T>.Empty : Build();
    }

    /// <summary>Adds an item. Only called by the writer.</summary>
    public void Add(ReadOnlySpan<byte> queueGroup, T item)
    {
        lock (this)
        {
            if (queueGroup.IsEmpty) AddPlain(item);
            else (_groups ??= new QueueGroups<T>()).GetOrAdd(queueGroup).Add(item);
            _result = null;
        }
    }

    /// <summary>Removes an item. Only called by the writer.</summary>
    /// <returns>False when the node does not have it.</returns>
    public bool Remove(ReadOnlySpan<byte> queueGroup, T item)
    {
        lock (this)
        {
            var removed = queueGroup.IsEmpty ? RemovePlain(item) : _groups?.Remove(queueGroup, item) == true;
            if (_groups?.Count == 0) _groups = null;
            _result = null;
            return removed;
        }
    }

    private void AddPlain(T item)
    {
        switch (_plain)
        {
            case null:
                _plain = item;
                break;
            case ItemSet<T> several:
                several.Add(item);
                break;
            case var only:
                var set = new ItemSet<T>([]);
                set.Add((T)only);
                set.Add(item);
                _plain = set;
                break;
        }
    }

    private bool RemovePlain(T item)
    {
        if (_plain is ItemSet<T> several)
        {
            var removed = several.Remove(item);
            if (several.Count == 0) _plain = null;
            return removed;
        }
        if (!ReferenceEquals(_plain, item)) return false;
        _plain = null;
        return true;
    }

    private MatchResult<T> Build() => new(BuildPlain(), _groups?.Snapshot() ?? []);

    private MatchedGroup<T> BuildPlain() => _plain switch
    {
        null => MatchResult<T>.Empty.Plain,
        ItemSet<T> several => several.Snapshot(),
        var only => new MatchedGroup<T>([(T)only], 1, []),
    };
}
