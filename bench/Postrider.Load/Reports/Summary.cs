namespace Postrider.Load.Reports;

/// <summary>What remains of the repetitions of one figure.</summary>
/// <param name="Median">The middle value; the mean of the two middle ones of an even number.</param>
/// <param name="Min">The smallest.</param>
/// <param name="Max">The largest.</param>
/// <param name="Count">How many repetitions.</param>
internal readonly record struct Summary(double Median, double Min, double Max, int Count)
{
    /// <summary>(max - min) / median: how far to trust a difference.</summary>
    public double Spread => Median == 0 ? 0 : (Max - Min) / Median;

    public static Summary Of(IEnumerable<double> values)
    {
        var sorted = values.Order().ToArray();
        if (sorted.Length == 0)
            throw new ArgumentException("No repetition, no summary.", nameof(values));

        var middle = sorted.Length / 2;
        var median = sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Summary(median, sorted[0], sorted[^1], sorted.Length);
    }
}
