namespace Postrider.Benchmarks.Turns;

/// <summary>A round of one subject.</summary>
/// <param name="Median">The median, in microseconds an operation.</param>
/// <param name="Tail">The 95th percentile, in microseconds.</param>
/// <param name="Mean">The mean, in microseconds.</param>
/// <param name="Usage">What the collector had to do.</param>
/// <param name="Held">Bytes that a full collection afterwards left beyond what was there before; null where it is not measured.</param>
public sealed record TurnRound(double Median, double Tail, double Mean, HeapUse Usage, double? Held = null);
