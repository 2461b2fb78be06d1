namespace Postrider.Benchmarks.Turns;

/// <summary>What was measured of one subject.</summary>
/// <param name="Subject">Who.</param>
/// <param name="Rounds">The median of each round, in microseconds an operation.</param>
/// <param name="Tails">The 95th percentile of each round, in microseconds.</param>
/// <param name="Bytes">Managed bytes allocated an operation on all threads; the least of the rounds.</param>
public sealed record TurnCell(string Subject, IReadOnlyList<double> Rounds, IReadOnlyList<double> Tails, double Bytes)
{
    /// <summary>The middle round's median.</summary>
    public double Median => Rounds.Order().ElementAt(Rounds.Count / 2);

    /// <summary>The best round's median: what the machine gives when nobody else asks for it.</summary>
    public double Least => Rounds.Min();

    /// <summary>The 95th percentile of that round.</summary>
    public double Tail => Tails[Rounds.Index().MinBy(round => round.Item).Index];

    /// <summary>How far the rounds lie apart.</summary>
    public double Spread => (Rounds.Max() - Rounds.Min()) / Median;
}
