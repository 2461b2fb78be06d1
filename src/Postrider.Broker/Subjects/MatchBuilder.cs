// Hot path: SubjectTree.Match -> this -> MatchResult. Allocations: only where several nodes match.
namespace Postrider.Broker.Subjects;

/// <summary>The results of the nodes that match a subject, joined at the end.</summary>
internal struct MatchBuilder<T>
    where T : class
{
    private MatchResult<T>? _first;
    private List<MatchResult<T>>? _more;

    /// <summary>Starts with the result of the literal subject, if there is one.</summary>
    public MatchBuilder(MatchResult<T>? first) => _first = first is { IsEmpty: false } ? first : null;

    /// <summary>Adds a node's result.</summary>
    public void Add(MatchResult<T> result)
    {
        if (result.IsEmpty) return;
        if (_first is null) _first = result;
        else (_more ??= []).Add(result);
    }

    /// <summary>Joins the results: a group that occurs in several nodes becomes one group.</summary>
    public readonly MatchResult<T> ToResult()
    {
        if (_first is null) return MatchResult<T>.Empty;
        if (_more is null) return _first;
        var plain = new List<T>(_first.Plain.Span.ToArray());
        var groups = new List<MatchedGroup<T>>(_first.Groups);
        foreach (var result in _more)
        {
            plain.AddRange(result.Plain.Span);
            foreach (var group in result.Groups) Join(groups, group);
        }
        return new MatchResult<T>(new MatchedGroup<T>([.. plain], plain.Count, []), [.. groups]);
    }

    private static void Join(List<MatchedGroup<T>> groups, MatchedGroup<T> added)
    {
        for (var i = 0; i < groups.Count; i++)
        {
            if (!groups[i].QueueGroup.AsSpan().SequenceEqual(added.QueueGroup)) continue;
            T[] joined = [.. groups[i].Span, .. added.Span];
            groups[i] = new MatchedGroup<T>(joined, joined.Length, added.QueueGroup);
            return;
        }
        groups.Add(added);
    }
}
