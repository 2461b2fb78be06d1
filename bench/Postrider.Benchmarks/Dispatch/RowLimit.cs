namespace Postrider.Benchmarks.Dispatch;

/// <summary>A target: at most this share of what another row of bare code took in the same run.</summary>
/// <param name="Row">The other row.</param>
/// <param name="Ratio">The share.</param>
public sealed record RowLimit(string Row, double Ratio);
