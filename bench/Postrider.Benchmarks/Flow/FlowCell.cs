namespace Postrider.Benchmarks.Flow;

/// <summary>What was measured of one subject in one row.</summary>
/// <param name="Row">The subject and row.</param>
/// <param name="Median">The median of the rounds, in the row's unit.</param>
/// <param name="Least">The least.</param>
/// <param name="Most">The most.</param>
/// <param name="Rounds">Their number.</param>
/// <param name="BytesPerItem">Managed bytes allocated on all threads, per item; the median.</param>
/// <param name="Latency">The median of the row's own latency, in milliseconds, where it has one.</param>
public sealed record FlowCell(FlowRow Row, double Median, double Least, double Most, int Rounds, double BytesPerItem, double? Latency)
{
    /// <summary>ns an item, or ms an operation.</summary>
    public string Unit => Row.IsWaiting ? "ms" : "ns";
}
