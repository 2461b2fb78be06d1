namespace Postrider.Benchmarks.Flow;

/// <summary>What a row of ours must reach.</summary>
/// <param name="Row">The row.</param>
/// <param name="Peer">Against whom; null: against <paramref name="BaseRow"/> of ours.</param>
/// <param name="Most">Our time over the peer's at most; with a base row, our nanoseconds over that row's at most.</param>
/// <param name="BaseRow">The row of ours that is the base.</param>
/// <param name="IsRatio">False: <paramref name="Most"/> is a difference in nanoseconds.</param>
public sealed record FlowTarget(string Row, string? Peer, double Most, string? BaseRow = null, bool IsRatio = true);
