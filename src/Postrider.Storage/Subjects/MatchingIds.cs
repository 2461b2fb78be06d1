namespace Postrider.Storage.Subjects;

/// <summary>The ids in use that a filter matches: by look-up for literals, else by a scan of the table.</summary>
internal ref struct MatchingIds
{
    private readonly SubjectTable _subjects;
    private readonly SubjectFilter _filter;
    private int _next;

    /// <summary>Prepares the scan.</summary>
    public MatchingIds(SubjectTable subjects, SubjectFilter filter)
    {
        filter.BindOnce(subjects);
        _subjects = subjects;
        _filter = filter;
        Current = -1;
    }

    /// <summary>The last id found.</summary>
    public int Current { get; private set; }

    /// <summary>The scan itself.</summary>
    public readonly MatchingIds GetEnumerator() => this;

    /// <summary>Finds the next id.</summary>
    public bool MoveNext()
    {
        if (_filter.HasOnlyLiterals)
        {
            var literals = _filter.Literals;
            while (_next < literals.Length)
            {
                var literal = literals[_next++];
                var repeated = _next > 1 && literals[_next - 2].AsSpan().SequenceEqual(literal);
                if (!repeated && _subjects.TryFind(literal, out var id))
                {
                    Current = id;
                    return true;
                }
            }

            return false;
        }

        while (_next < _subjects.IdLimit)
        {
            var id = _next++;
            if (_subjects.IsUsed(id) && (_filter.IsAll || _filter.Matches(id)))
            {
                Current = id;
                return true;
            }
        }

        return false;
    }
}
