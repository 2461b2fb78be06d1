namespace Postrider.Broker.Subjects;

/// <summary>Some items of a match: the plain ones, or the members of one queue group.</summary>
/// <param name="items">An array whose first <paramref name="count"/> entries belong to the group.</param>
/// <param name="count">The number of entries, 0 or more.</param>
/// <param name="queueGroup">The group's name; empty for plain items.</param>
internal readonly struct MatchedGroup<T>(T[] items, int count, byte[] queueGroup)
    where T : class
{
    /// <summary>The array; only the first <see cref="Count"/> entries are valid.</summary>
    public readonly T[] Items = items;

    /// <summary>The number of valid entries.</summary>
    public readonly int Count = count;

    /// <summary>The group's name; empty for plain items.</summary>
    public readonly byte[] QueueGroup = queueGroup;

    /// <summary>The valid entries.</summary>
    public ReadOnlySpan<T> Span => Items.AsSpan(0, Count);
}
