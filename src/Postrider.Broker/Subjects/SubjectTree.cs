// Hot path: MatchCache (on a miss) -> this -> NodeTable. Allocations: none unless patterns of several nodes overlap.
using System.Runtime.CompilerServices;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Subjects;

/// <summary>Items by subject: literal subjects in one table, patterns in a tree of tokens.</summary>
/// <remarks>
/// Writers take a lock; readers take none. A published subject costs one look-up for all literal subscriptions and a
/// walk over the patterns. Each change raises the generation of the subjects that it can affect, by their first token:
/// a cached match is valid while the generation, read before the match was made, is unchanged.
/// </remarks>
internal sealed class SubjectTree<T>
    where T : class
{
    // First tokens share 256 generations: few enough to raise all when a pattern begins with a wildcard.
    private const int Generations = 256;

    // Maximum number of branches kept between two walks: 16 KiB per thread.
    private const int MaxKeptBranches = 1024;

    private static readonly byte[] AnyTokenKey = "*"u8.ToArray();
    private static readonly byte[] AnyTailKey = ">"u8.ToArray();

    [ThreadStatic]
    private static Stack<(SubjectNode<T> Node, int Start)>? _branches;

    private readonly long[] _generations = new long[Generations];
    private readonly NodeTable<T> _literals = new();
    private readonly SubjectNode<T> _patterns = new([], 0);

    // Guards every change of the tables, the tree and the counters.
    private readonly Lock _gate = new();
    private int _count;
    private long _inserts;
    private long _removes;
    private int _patternCount;
    private ISubjectTreeWatcher<T>? _watcher;

    /// <summary>The number of items.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The number of items ever added.</summary>
    public long Inserts => Volatile.Read(ref _inserts);

    /// <summary>The number of items ever removed.</summary>
    public long Removes => Volatile.Read(ref _removes);

    /// <summary>Makes the hashes of this tree's subjects differ from those of other trees.</summary>
    public ulong Salt { get; } = (ulong)Random.Shared.NextInt64();

    /// <summary>Whether items of queue groups represent different numbers of members. Set before there are such items, and never reset.</summary>
    public bool HasWeights { get; set; }

    /// <summary>Notified of changes, or null.</summary>
    public ISubjectTreeObserver? Observer { get; set; }

    /// <summary>The generation that a subject belongs to.</summary>
    /// <param name="subject">A literal subject.</param>
    /// <returns>An index for <see cref="GenerationAt"/>.</returns>
    public static int GenerationIndex(ReadOnlySpan<byte> subject)
    {
        var dot = subject.IndexOf((byte)'.');
        return (int)(ByteHash.Compute(dot < 0 ? subject : subject[..dot]) >> 40) & (Generations - 1);
    }

    /// <summary>The current generation: a match made at the same number is still valid.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long GenerationAt(int index) => Volatile.Read(ref _generations[index]);

    /// <summary>Adds an item.</summary>
    /// <param name="subject">A subject with or without wildcards.</param>
    /// <param name="queueGroup">Empty for a plain item.</param>
    /// <param name="item">The item.</param>
    /// <returns>False when the subject is not valid.</returns>
    public bool Add(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, T item) => Add(subject.ToArray(), queueGroup, item);

    /// <summary>Adds an item.</summary>
    /// <param name="subject">A subject with or without wildcards. Stored without copying; must not change.</param>
    /// <param name="queueGroup">Empty for a plain item.</param>
    /// <param name="item">The item.</param>
    /// <returns>False when the subject is not valid.</returns>
    public bool Add(byte[] subject, ReadOnlySpan<byte> queueGroup, T item)
    {
        if (!Subject.IsValid(subject)) return false;
        lock (_gate)
        {
            if (Subject.HasWildcard(subject))
            {
                AddPattern(subject).Add(queueGroup, item);
                _patternCount++;
            }
            else
            {
                _literals.GetOrAdd(subject, ByteHash.Compute(subject)).Add(queueGroup, item);
            }
            _count++;
            _inserts++;
            NotifyObserver(subject);
            _watcher?.Added(item);
        }
        Observer?.Changed(subject);
        return true;
    }

    /// <summary>Removes an item.</summary>
    /// <returns>False if it was not found.</returns>
    public bool Remove(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, T item)
    {
        lock (_gate)
        {
            var isPattern = Subject.HasWildcard(subject);
            var removed = isPattern
                ? RemovePattern(subject, queueGroup, item)
                : RemoveLiteral(subject, queueGroup, item);
            if (!removed) return false;
            if (isPattern) _patternCount--;
            _count--;
            _removes++;
            NotifyObserver(subject);
            _watcher?.Removed(item);
        }
        Observer?.Changed(subject);
        return true;
    }

    /// <summary>Finds all items that match a subject.</summary>
    /// <param name="subject">A published subject; its wildcards, if any, are tokens like others.</param>
    /// <returns>A result that is valid until the subject's generation changes.</returns>
    public MatchResult<T> Match(ReadOnlySpan<byte> subject) => Match(subject, out _);

    /// <summary>Finds all items that match a subject, and counts the steps.</summary>
    /// <param name="subject">A published subject; its wildcards, if any, are tokens like others.</param>
    /// <param name="steps">The number of visited nodes: with overlapping patterns, many more than the subject has tokens.</param>
    /// <returns>A result that is valid until the subject's generation changes.</returns>
    public MatchResult<T> Match(ReadOnlySpan<byte> subject, out int steps) => Match(subject, ByteHash.Compute(subject), out steps, out _);

    /// <summary>Finds all items that match a subject, and how much of it decides the match.</summary>
    /// <param name="subject">A published subject; its wildcards, if any, are tokens like others.</param>
    /// <param name="hash">Its hash.</param>
    /// <param name="steps">The number of visited nodes: with overlapping patterns, many more than the subject has tokens.</param>
    /// <param name="decisive">What decides the match: a subject that begins like this one and goes on as described has the same result,
    /// unless it is one of the literal subjects.</param>
    /// <returns>A result that is valid until the subject's generation changes.</returns>
    public MatchResult<T> Match(ReadOnlySpan<byte> subject, ulong hash, out int steps, out DecisiveBeginning decisive)
    {
        (steps, decisive) = (1, default);
        var literal = _literals.Find(subject, hash)?.Result();
        if (Volatile.Read(ref _patternCount) == 0) return literal ?? MatchResult<T>.Empty;
        var found = new MatchBuilder<T>(literal);
        var isValid = Walk(_patterns, subject, ref found, ref steps, ref decisive);
        if (!isValid || literal is not null) decisive = default;
        return isValid ? found.ToResult() : MatchResult<T>.Empty;
    }

    /// <summary>Whether a subject has the same result as another one with the same decisive beginning.</summary>
    /// <param name="subject">A subject that begins like the other one.</param>
    /// <param name="hash">Its hash.</param>
    /// <param name="decisive">What decided the match of the other one.</param>
    public bool IsDecided(ReadOnlySpan<byte> subject, ulong hash, DecisiveBeginning decisive)
    {
        var rest = subject[decisive.Bytes..];
        var goesOn = decisive.IsBeforeLast ? !rest.IsEmpty && !rest.Contains((byte)'.') : HasNoEmptyToken(rest);
        return goesOn && _literals.Find(subject, hash) is null;
    }

    /// <summary>Sets the watcher that is notified of every item that is added or removed.</summary>
    /// <param name="watcher">Called under the tree's lock; null for none.</param>
    public void SetWatcher(ISubjectTreeWatcher<T>? watcher)
    {
        lock (_gate) _watcher = watcher;
    }

    /// <summary>Runs an action while no item can be added or removed.</summary>
    /// <typeparam name="TState">The argument of the action, to avoid a closure.</typeparam>
    /// <param name="state">The argument of the action.</param>
    /// <param name="action">Runs under the tree's lock; must be short, and must not change any tree.</param>
    public void Hold<TState>(TState state, Action<TState> action)
    {
        lock (_gate) action(state);
    }

    /// <summary>Every item, in any order.</summary>
    public IEnumerable<T> Items()
    {
        foreach (var node in _literals.Nodes().Concat(Descendants(_patterns)))
        {
            var result = node.Result();
            for (var i = 0; i < result.Plain.Count; i++) yield return result.Plain.Items[i];
            foreach (var group in result.Groups)
                for (var i = 0; i < group.Count; i++) yield return group.Items[i];
        }
    }

    // False for a subject with an empty token, which matches nothing. Branches that are left for later are kept on a separate
    // stack: a control line of megabytes contains more tokens than the thread's stack has frames.
    private bool Walk(SubjectNode<T> node, ReadOnlySpan<byte> subject, ref MatchBuilder<T> found, ref int steps, ref DecisiveBeginning decisive)
    {
        Stack<(SubjectNode<T> Node, int Start)>? later = null;
        var rest = subject;
        while (true)
        {
            steps++;
            var dot = rest.IndexOf((byte)'.');
            var token = dot < 0 ? rest : rest[..dot];
            if (token.IsEmpty) break;
            if (node.AnyTail is { } tail) found.Add(tail.Result());
            var any = node.AnyToken;
            var child = node.FindChild(token);
            if (later is null && child is null)
            {
                var start = subject.Length - rest.Length;
                if (!node.HasChildren && (dot < 0 || any is null)) decisive = new DecisiveBeginning(start, IsBeforeLast: any is not null);
                else if (dot >= 0 && any is null) decisive = new DecisiveBeginning(start + dot + 1, IsBeforeLast: false);
            }
            if (dot < 0)
            {
                if (any is not null) found.Add(any.Result());
                if (child is not null) found.Add(child.Result());
            }
            else
            {
                rest = rest[(dot + 1)..];
                if (any is not null && child is not null) (later ??= Branches()).Push((child, subject.Length - rest.Length));
                if ((any ?? child) is { } next)
                {
                    node = next;
                    continue;
                }
                if (!HasNoEmptyToken(rest)) break;
            }
            if (later is null || !later.TryPop(out var branch)) return true;
            node = branch.Node;
            rest = subject[branch.Start..];
        }
        later?.Clear();
        return false;
    }

    // One per thread, empty between two walks; one that grew for a very large subject is not kept.
    private static Stack<(SubjectNode<T> Node, int Start)> Branches()
        => _branches is { Capacity: <= MaxKeptBranches } kept ? kept : _branches = new();

    private static bool HasNoEmptyToken(ReadOnlySpan<byte> rest)
        => !rest.IsEmpty && rest[0] != '.' && rest[^1] != '.' && rest.IndexOf(".."u8) < 0;

    private SubjectNode<T> AddPattern(ReadOnlySpan<byte> subject)
    {
        var node = _patterns;
        while (true)
        {
            var dot = subject.IndexOf((byte)'.');
            var token = dot < 0 ? subject : subject[..dot];
            node = token switch
            {
                [(byte)'*'] => node.AnyToken ??= new SubjectNode<T>(AnyTokenKey, 0),
                [(byte)'>'] => node.AnyTail ??= new SubjectNode<T>(AnyTailKey, 0),
                _ => node.GetOrAddChild(token),
            };
            if (dot < 0) return node;
            subject = subject[(dot + 1)..];
        }
    }

    private bool RemovePattern(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, T item)
    {
        var path = new List<SubjectNode<T>> { _patterns };
        while (true)
        {
            var dot = subject.IndexOf((byte)'.');
            var token = dot < 0 ? subject : subject[..dot];
            var node = path[^1];
            var next = token switch
            {
                [(byte)'*'] => node.AnyToken,
                [(byte)'>'] => node.AnyTail,
                _ => node.FindChild(token),
            };
            if (next is null) return false;
            path.Add(next);
            if (dot < 0) break;
            subject = subject[(dot + 1)..];
        }
        var removed = path[^1].Remove(queueGroup, item);
        for (var i = path.Count - 1; i > 0 && path[i].IsEmpty; i--) Prune(path[i - 1], path[i]);
        return removed;
    }

    private static void Prune(SubjectNode<T> node, SubjectNode<T> empty)
    {
        if (ReferenceEquals(empty, node.AnyToken)) node.AnyToken = null;
        else if (ReferenceEquals(empty, node.AnyTail)) node.AnyTail = null;
        else node.RemoveChild(empty);
    }

    private bool RemoveLiteral(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, T item)
    {
        if (_literals.Find(subject, ByteHash.Compute(subject)) is not { } node || !node.Remove(queueGroup, item)) return false;
        if (node.HasNoItems) _literals.Remove(node);
        return true;
    }

    private void NotifyObserver(ReadOnlySpan<byte> subject)
    {
        if (subject[0] is (byte)'*' or (byte)'>' && (subject.Length == 1 || subject[1] == '.'))
        {
            for (var i = 0; i < Generations; i++) Volatile.Write(ref _generations[i], _generations[i] + 1);
            return;
        }
        ref var generation = ref _generations[GenerationIndex(subject)];
        Volatile.Write(ref generation, generation + 1);
    }

    private static IEnumerable<SubjectNode<T>> Descendants(SubjectNode<T> node)
    {
        var open = new Stack<SubjectNode<T>>([node]);
        while (open.TryPop(out var next))
        {
            yield return next;
            if (next.AnyToken is { } any) open.Push(any);
            if (next.AnyTail is { } tail) open.Push(tail);
            foreach (var child in next.Children()) open.Push(child);
        }
    }
}
