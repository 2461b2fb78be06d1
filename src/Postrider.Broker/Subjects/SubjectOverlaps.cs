using System.Diagnostics.CodeAnalysis;

namespace Postrider.Broker.Subjects;

/// <summary>Subjects by their tokens, to find overlapping ones without comparing all pairs.</summary>
/// <remarks>
/// For literal subjects, even twenty thousand, each token costs one look-up. Wildcards may branch; their total cost is bounded, and a list
/// that exceeds it counts as overlapping: see <see cref="IsTooCostly"/>. Subjects need not be valid: a token is compared as text unless it is
/// <c>*</c>, or <c>&gt;</c> at the end. Not thread-safe.
/// </remarks>
internal sealed class SubjectOverlaps
{
    // Visiting a node takes some 30 ns: all queries together take less than half a second.
    private const int MaxSteps = 10_000_000;

    private readonly Node _root = new();
    private readonly Stack<(Node Node, int Start, bool IsOwn)> _open = new();
    private int _steps;

    /// <summary>Creates a set.</summary>
    public SubjectOverlaps(IEnumerable<string> subjects)
    {
        foreach (var subject in subjects) Add(subject);
    }

    /// <summary>Whether the queries have exceeded the limit; from then on every result is true.</summary>
    public bool IsTooCostly => _steps > MaxSteps;

    /// <summary>Whether a subject and one of the set can match a common literal subject.</summary>
    public bool Collides(string subject) => Find(subject, covers: false, isOwn: false);

    /// <summary>Whether a subject of the set and another one of it can match a common literal subject.</summary>
    public bool CollidesWithOther(string subject) => Find(subject, covers: false, isOwn: true);

    /// <summary>Whether another subject of the set covers everything that this subject of the set matches.</summary>
    public bool IsCoveredByOther(string subject) => Find(subject, covers: true, isOwn: true);

    private static ReadOnlySpan<char> TokenAt(string subject, int start, out bool isLast)
    {
        var rest = subject.AsSpan(start);
        var dot = rest.IndexOf('.');
        isLast = dot < 0;
        return isLast ? rest : rest[..dot];
    }

    private void Add(string subject)
    {
        var node = _root;
        for (var start = 0; ;)
        {
            node.Total++;
            var token = TokenAt(subject, start, out var isLast);
            node = token is "*" ? node.Star ??= new Node() : token is ">" && isLast ? node.Tail ??= new Node() : node.GetOrAdd(token);
            if (isLast) break;
            start += token.Length + 1;
        }
        node.Total++;
        node.Ends++;
    }

    // Branches are kept on a separate stack: a subject may have more tokens than the thread's stack has frames.
    private bool Find(string subject, bool covers, bool isOwn)
    {
        _open.Clear();
        _open.Push((_root, 0, isOwn));
        while (_open.TryPop(out var at))
        {
            if (++_steps > MaxSteps) return true;
            var token = TokenAt(subject, at.Start, out var isLast);
            var isTail = isLast && token is ">";
            if (at.Node.Tail is { } tail && tail.Ends > (at.IsOwn && isTail ? 1 : 0)) return true;
            if (isTail)
            {
                // It matches everything that continues from here.
                if (!covers && at.Node.Total - at.Node.Ends > (at.IsOwn ? 1 : 0)) return true;
                continue;
            }
            var next = at.Start + token.Length + 1;
            var isAny = token is "*";
            if (at.Node.Star is { } star && Reaches(star, next, at.IsOwn && isAny, isLast)) return true;
            if (!isAny)
            {
                if (at.Node.TryGet(token, out var child) && Reaches(child, next, at.IsOwn, isLast)) return true;
            }
            else if (!covers)
            {
                foreach (var child in at.Node.Children())
                {
                    if (++_steps > MaxSteps || Reaches(child, next, isOwn: false, isLast)) return true;
                }
            }
        }
        return false;
    }

    private bool Reaches(Node node, int next, bool isOwn, bool isLast)
    {
        if (isLast) return node.Ends > (isOwn ? 1 : 0);
        _open.Push((node, next, isOwn));
        return false;
    }

    private sealed class Node
    {
        // Most nodes have one child: a table is created for the second.
        private string? _token;
        private Node? _child;
        private Dictionary<string, Node>? _more;

        /// <summary>The number of subjects that end here.</summary>
        public int Ends { get; set; }

        /// <summary>The number of subjects that end here or continue.</summary>
        public int Total { get; set; }

        public Node? Star { get; set; }

        public Node? Tail { get; set; }

        public Node GetOrAdd(ReadOnlySpan<char> token)
        {
            if (TryGet(token, out var known)) return known;
            var added = new Node();
            if (_child is null) (_token, _child) = (token.ToString(), added);
            else (_more ??= new(StringComparer.Ordinal)).Add(token.ToString(), added);
            return added;
        }

        public bool TryGet(ReadOnlySpan<char> token, [NotNullWhen(true)] out Node? child)
        {
            child = _child;
            if (child is not null && token.SequenceEqual(_token)) return true;
            child = null;
            return _more is not null && _more.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(token, out child);
        }

        public IEnumerable<Node> Children()
        {
            if (_child is not null) yield return _child;
            if (_more is null) yield break;
            foreach (var child in _more.Values) yield return child;
        }
    }
}
