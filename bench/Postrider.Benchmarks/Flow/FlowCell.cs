namespace Postrider.Benchmarks.Flow;

/// <summary>What was measured of one subject in one row.</summary>
/// <param name="Row">The subject and row.</param>
/// <param name="Times">The rounds in their order, in the row's unit.</param>
/// <param name="BytesPerItem">Managed bytes allocated on all threads, per item; the median.</param>
/// <param name="Latency">The median of the row's own latency, in milliseconds, where it has one.</param>
public sealed record FlowCell(FlowRow Row, IReadOnlyList<double> Times, double BytesPerItem, double? Latency)
{
    /// <summary>The median of the rounds.</summary>
    public double Median { get; } = MedianOf(Times);

    /// <summary>The least.</summary>
    public double Least => Times.Min();

    /// <summary>The most.</summary>
    public double Most => Times.Max();

    /// <summary>ns an item, or ms an operation.</summary>
    public string Unit => Row.IsWaiting ? "ms" : "ns";

    /// <summary>How much more this cell takes than another of its group: the median of the rounds' differences, so that a
    /// moment in which everything was slow counts for both.</summary>
    public double Over(FlowCell other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return MedianOf(Times.Zip(other.Times, static (ours, theirs) => ours - theirs));
    }

    internal static double MedianOf(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return sorted[sorted.Length / 2];
    }
}
