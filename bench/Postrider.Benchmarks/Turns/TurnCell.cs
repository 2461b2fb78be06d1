namespace Postrider.Benchmarks.Turns;

/// <summary>What was measured of one subject.</summary>
/// <param name="Row">The row it stands in.</param>
/// <param name="Subject">Who.</param>
/// <param name="Rounds">The rounds.</param>
/// <param name="IsByMedian">Whether the middle round is the figure, and not the best.</param>
public sealed record TurnCell(string Row, string Subject, IReadOnlyList<TurnRound> Rounds, bool IsByMedian = false)
{
    /// <summary>Whether it is a subject of ours.</summary>
    public bool IsOurs => Subject.StartsWith(Turn.Ours, StringComparison.Ordinal);

    /// <summary>The figure of the row: the best round's median, which is what the machine gives when nobody else asks for it, or
    /// the middle one of long operations.</summary>
    public double Value => IsByMedian ? Median : Best.Median;

    /// <summary>The middle round's median; of an even number the mean of the two in the middle.</summary>
    public double Median
    {
        get
        {
            double[] medians = [.. Rounds.Select(round => round.Median).Order()];
            return (medians[(medians.Length - 1) / 2] + medians[medians.Length / 2]) / 2;
        }
    }

    /// <summary>The 95th percentile, the least of the rounds, as the median is.</summary>
    public double Tail => Rounds.Min(round => round.Tail);

    /// <summary>The mean of the best round, or of all of them where the middle one counts.</summary>
    public double Mean => IsByMedian ? Rounds.Average(round => round.Mean) : Best.Mean;

    /// <summary>Managed bytes allocated an operation on all threads; the least of the rounds.</summary>
    public double Bytes => Rounds.Min(round => round.Usage.BytesPerOperation);

    /// <summary>Of all rounds together.</summary>
    public HeapUse Usage => Rounds.Aggregate(default(HeapUse), (sum, round) => sum + round.Usage);

    /// <summary>Bytes held after the last round, where that is measured.</summary>
    public double? Held => Rounds[^1].Held;

    /// <summary>How far the rounds lie apart.</summary>
    public double Spread => (Rounds.Max(round => round.Median) - Rounds.Min(round => round.Median)) / Median;

    private TurnRound Best => Rounds.MinBy(round => round.Median)!;
}
