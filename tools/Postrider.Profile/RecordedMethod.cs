namespace Postrider.Profile;

/// <summary>What the runtime counted in one method while its instrumented code ran.</summary>
/// <param name="Name">The full name of its type, a dot and its own name, as the runtime writes it: <c>A.B`1[System.__Canon].Get</c>.</param>
/// <param name="Signature">Its signature, as the runtime writes it.</param>
/// <param name="BodySize">The size of its IL in bytes.</param>
/// <param name="Counters">In the order of the runtime's file.</param>
public sealed record RecordedMethod(string Name, string Signature, int BodySize, IReadOnlyList<RecordedCounter> Counters)
{
    /// <summary>Whether the method itself has type parameters.</summary>
    public bool IsGeneric => Signature.StartsWith("generic ", StringComparison.Ordinal) || Signature.StartsWith("instance generic ", StringComparison.Ordinal);

    /// <summary>The calls and jumps that were counted: which of two recordings of a method says more.</summary>
    public long Total => Counters.Sum(counter => counter.Numbers.Sum());

    /// <summary>The sum of two recordings of the same method.</summary>
    /// <param name="other">Of a method with the same name and signature.</param>
    /// <returns>The sum of both, or the one that counted more if their counters differ (the method was instrumented in two ways).</returns>
    public RecordedMethod Add(RecordedMethod other)
    {
        if (BodySize != other.BodySize || !Counters.Select(counter => counter.Place).SequenceEqual(other.Counters.Select(counter => counter.Place)))
            return Total >= other.Total ? this : other;
        return this with { Counters = [.. Counters.Zip(other.Counters, (one, two) => one.Add(two))] };
    }
}
