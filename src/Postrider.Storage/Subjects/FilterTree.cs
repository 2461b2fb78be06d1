using System.Buffers;
using System.Text;

namespace Postrider.Storage.Subjects;

/// <summary>Patterns by their tokens: for consumers with so many that matching one after the other would block the stream.</summary>
/// <remarks>Matching a subject costs one look-up per token and pattern with the same beginning, not one per pattern. Thread-safe once it is
/// built. Bytes are stored as Latin-1 characters, one for one.</remarks>
internal sealed class FilterTree
{
    private const int MaxStackChars = 256;

    private readonly Node _root = new();

    /// <summary>Adds a pattern.</summary>
    public void Add(ReadOnlySpan<byte> filter)
    {
        var node = _root;
        while (true)
        {
            var dot = filter.IndexOf((byte)'.');
            var token = dot < 0 ? filter : filter[..dot];
            if (dot < 0 && token is [(byte)'>'])
            {
                node.HasTail = true;
                return;
            }

            node = token is [(byte)'*'] ? node.Star ??= new Node() : node.GetOrAdd(Encoding.Latin1.GetString(token));
            if (dot < 0)
            {
                node.Ends = true;
                return;
            }

            filter = filter[(dot + 1)..];
        }
    }

    /// <summary>Whether any pattern covers a subject.</summary>
    public bool IsMatch(ReadOnlySpan<byte> subject)
    {
        char[]? rented = null;
        var text = subject.Length <= MaxStackChars ? stackalloc char[MaxStackChars] : rented = ArrayPool<char>.Shared.Rent(subject.Length);
        text = text[..Encoding.Latin1.GetChars(subject, text)];
        var found = IsMatch(text);
        if (rented is not null)
        {
            ArrayPool<char>.Shared.Return(rented);
        }

        return found;
    }

    // Branches that are left for later are kept on a separate stack: a pattern may have more tokens than a thread's stack has frames.
    private bool IsMatch(ReadOnlySpan<char> subject)
    {
        Stack<(Node Node, int Start)>? later = null;
        var node = _root;
        var start = 0;
        while (true)
        {
            var rest = subject[start..];
            if (node.HasTail && !rest.IsEmpty)
            {
                return true;
            }

            var dot = rest.IndexOf('.');
            var child = node.Find(dot < 0 ? rest : rest[..dot]);
            if (dot < 0)
            {
                if (node.Star is { Ends: true } || child is { Ends: true })
                {
                    return true;
                }
            }
            else if ((node.Star ?? child) is { } next)
            {
                start += dot + 1;
                if (child is not null && !ReferenceEquals(child, next))
                {
                    (later ??= new()).Push((child, start));
                }

                node = next;
                continue;
            }

            if (later is null || !later.TryPop(out var branch))
            {
                return false;
            }

            (node, start) = branch;
        }
    }

    private sealed class Node
    {
        private Dictionary<string, Node>? _children;

        public Node? Star { get; set; }

        public bool HasTail { get; set; }

        public bool Ends { get; set; }

        public Node GetOrAdd(string token)
        {
            _children ??= new(StringComparer.Ordinal);
            if (!_children.TryGetValue(token, out var child))
            {
                _children.Add(token, child = new Node());
            }

            return child;
        }

        public Node? Find(ReadOnlySpan<char> token)
            => _children is not null && _children.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(token, out var child) ? child : null;
    }
}
