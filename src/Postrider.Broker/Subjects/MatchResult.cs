namespace Postrider.Broker.Subjects;

/// <summary>All items that match a subject. Immutable.</summary>
/// <param name="plain">The items without a queue group.</param>
/// <param name="groups">The queue groups, each with at least one member.</param>
internal sealed class MatchResult<T>(MatchedGroup<T> plain, MatchedGroup<T>[] groups)
    where T : class
{
    /// <summary>A result without items.</summary>
    public static readonly MatchResult<T> Empty = new(new MatchedGroup<T>([], 0, []), []);

    /// <summary>The items without a queue group.</summary>
    public readonly MatchedGroup<T> Plain = plain;

    /// <summary>The queue groups; one member of each has to be chosen.</summary>
    public readonly MatchedGroup<T>[] Groups = groups;

    /// <summary>Whether there are no items.</summary>
    public bool IsEmpty => Plain.Count == 0 && Groups.Length == 0;
}
