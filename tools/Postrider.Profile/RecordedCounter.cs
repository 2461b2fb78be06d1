namespace Postrider.Profile;

/// <summary>One counter or sample of a method.</summary>
/// <param name="Place">What was counted and where.</param>
/// <param name="Numbers">The counts, if it is a counter.</param>
/// <param name="Names">The types or methods that were seen, once for each time, if it is a sample; null stands for one that cannot be named.</param>
public sealed record RecordedCounter(CounterPlace Place, IReadOnlyList<long> Numbers, IReadOnlyList<string?> Names)
{
    /// <summary>The sum of two counters of the same place: numbers are added, samples are joined.</summary>
    /// <param name="other">The counter of the same place.</param>
    /// <returns>The sum.</returns>
    public RecordedCounter Add(RecordedCounter other) =>
        this with { Numbers = [.. Numbers.Zip(other.Numbers, (one, two) => one + two)], Names = [.. Names, .. other.Names] };
}
