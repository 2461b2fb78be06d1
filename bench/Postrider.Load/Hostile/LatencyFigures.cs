namespace Postrider.Load.Hostile;

/// <summary>Latencies of one lane in one phase.</summary>
/// <param name="Count">How many were measured.</param>
/// <param name="P50">Median in microseconds.</param>
/// <param name="P99">99th percentile in microseconds.</param>
/// <param name="Max">The longest in microseconds.</param>
internal readonly record struct LatencyFigures(int Count, double P50, double P99, double Max);
