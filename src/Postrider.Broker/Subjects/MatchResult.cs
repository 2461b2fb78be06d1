namespace Postrider.Broker.Subjects;

/// <summary>Everything that a subject reaches. Never changed once made.</summary>
/// <param name="plain">The items without a queue group.</param>
/// <param name="groups">The queue groups, each with at least one member.</param>
internal sealed class MatchResult<T>(MatchedGroup<T> plain, MatchedGroup<T>[] groups)
    where T : class
{
    /// <summary>A result that reaches nothing.</summary>
    public static readonly MatchResult<T> Empty = new(new MatchedGroup<T>([], 0, []), []);

    /// <summary>The items without a queue group.</summary>
    public readonly MatchedGroup<T> Plain = plain;

    /// <summary>The queue groups; one member of each is to be chosen.</summary>
    public readonly MatchedGroup<T>[] Groups = groups;

    /// <summary>Whether it reaches nothing.</summary>
    public bool IsEmpty => Plain.Count == 0 && Groups.Length == 0;
}
