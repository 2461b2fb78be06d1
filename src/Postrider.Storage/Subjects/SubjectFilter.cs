// Hot path: StoreQueries.TryFindNext -> this. Allocations: none after the first pass over new subjects.
using System.Runtime.CompilerServices;
using System.Text;

namespace Postrider.Storage.Subjects;

/// <summary>One or more subject filters of a consumer or a request, with a cache of the matching subject ids.</summary>
/// <remarks>
/// <para>Shape: literals are sorted and searched, wildcard filters are tried one by one; the result is cached in two bits per
/// id, so a scan over a block's ids compares no text. Bounded: ids beyond <see cref="CachedIds"/> are matched each time.</para>
/// <para>Not thread-safe; one filter serves one store.</para>
/// </remarks>
internal sealed class SubjectFilter
{
    // 64 KiB per filter: with more subjects than this a scan is bound by memory, not by matching.
    private const int CachedIds = 256 * 1024;

    // Up to this number matching one pattern after the other is faster than walking a tree.
    private const int FewWildcards = 8;

    private readonly byte[][] _literals;
    private readonly WildcardFilter[] _wildcards;
    private readonly FilterTree? _tree;
    private ulong[] _known = [];
    private SubjectTable? _table;
    private int _epoch;

    /// <summary>Creates a filter that matches everything that any of <paramref name="filters"/> matches; no filters, or an empty one,
    /// match everything.</summary>
    public SubjectFilter(params ReadOnlySpan<string> filters)
    {
        var literals = new List<byte[]>();
        var wildcards = new List<WildcardFilter>();
        foreach (var filter in filters)
        {
            if (filter is "" or ">")
            {
                IsAll = true;
            }

            var bytes = Encoding.UTF8.GetBytes(filter);
            if (SubjectPattern.HasWildcard(bytes))
            {
                wildcards.Add(new WildcardFilter(bytes));
            }
            else
            {
                literals.Add(bytes);
            }
        }

        IsAll |= filters.IsEmpty;
        _wildcards = [.. wildcards];
        if (_wildcards.Length > FewWildcards)
        {
            _tree = new FilterTree();
            foreach (var filter in filters)
            {
                var bytes = Encoding.UTF8.GetBytes(filter);
                if (SubjectPattern.HasWildcard(bytes))
                {
                    _tree.Add(bytes);
                }
            }
        }

        _literals = [.. literals];
        Array.Sort(_literals, (a, b) => a.AsSpan().SequenceCompareTo(b));
    }

    private SubjectFilter(byte[] literal) => (_literals, _wildcards) = ([literal], []);

    /// <summary>The filter that matches everything.</summary>
    public static SubjectFilter All { get; } = new();

    /// <summary>A filter that matches one subject, whatever its bytes are.</summary>
    public static SubjectFilter Literal(ReadOnlySpan<byte> subject) => new(subject.ToArray());

    /// <summary>Whether every subject matches.</summary>
    public bool IsAll { get; }

    /// <summary>The only literal, when the filter is one literal and nothing else.</summary>
    public ReadOnlySpan<byte> SingleLiteral => IsAll || _wildcards.Length > 0 || _literals.Length != 1 ? default : _literals[0];

    /// <summary>The literals, sorted; complete when <see cref="HasOnlyLiterals"/>.</summary>
    public ReadOnlySpan<byte[]> Literals => _literals;

    /// <summary>Whether there are no wildcards.</summary>
    public bool HasOnlyLiterals => !IsAll && _wildcards.Length == 0;

    /// <summary>Whether the subject matches.</summary>
    public bool Matches(ReadOnlySpan<byte> subject)
    {
        if (IsAll || FindLiteral(subject))
        {
            return true;
        }

        if (_tree is not null)
        {
            return _tree.IsMatch(subject);
        }

        foreach (var wildcard in _wildcards)
        {
            if (wildcard.IsMatch(subject))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Prepares for calls of <see cref="Matches(int)"/> with the same ids again and again: makes room for what it learns.</summary>
    public void Bind(SubjectTable table)
    {
        BindOnce(table);
        if (!IsAll && _known.Length * 32 < Math.Min(table.IdLimit, CachedIds))
        {
            Array.Resize(ref _known, Math.Min(CachedIds, Math.Max(64, table.IdLimit * 2)) / 32);
        }
    }

    /// <summary>Prepares for a call of <see cref="Matches(int)"/> with each id: what is known already is used, but no room is made
    /// for the answers. Clears the cache if ids have changed their meaning.</summary>
    public void BindOnce(SubjectTable table)
    {
        if (!ReferenceEquals(table, _table) || table.Epoch != _epoch)
        {
            _table = table;
            _epoch = table.Epoch;
            Array.Clear(_known);
        }
    }

    /// <summary>Whether an id of the last bound table matches.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Matches(int id)
    {
        var word = id >> 5;
        var known = _known;
        if ((uint)word < (uint)known.Length)
        {
            var state = (known[word] >> ((id & 31) * 2)) & 3;
            if (state != 0)
            {
                return state == 1;
            }
        }

        return Learn(id);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Learn(int id)
    {
        var matches = Matches(_table!.NameOf(id));
        var word = id >> 5;
        if (word < _known.Length)
        {
            _known[word] |= (matches ? 1UL : 2UL) << ((id & 31) * 2);
        }

        return matches;
    }

    private bool FindLiteral(ReadOnlySpan<byte> subject)
    {
        int low = 0, high = _literals.Length - 1;
        while (low <= high)
        {
            var middle = (low + high) >> 1;
            var order = _literals[middle].AsSpan().SequenceCompareTo(subject);
            if (order == 0)
            {
                return true;
            }

            if (order < 0)
            {
                low = middle + 1;
            }
            else
            {
                high = middle - 1;
            }
        }

        return false;
    }
}
