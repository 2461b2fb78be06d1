namespace Postrider.Benchmarks.Flow;

/// <summary>What a row of ours must reach.</summary>
/// <param name="Row">The row.</param>
/// <param name="Kind">What is compared.</param>
/// <param name="Most">The most it may be.</param>
/// <param name="Peer">The subject that is compared with; null: ours.</param>
/// <param name="Base">The row that is compared with; null: the same.</param>
internal sealed record FlowTarget(string Row, TargetKind Kind, double Most, string? Peer = null, string? Base = null)
{
    /// <summary>With <see cref="TargetKind.IncrementRatio"/>: the peer's row without the features, whose increment is compared, with its subject.</summary>
    public (string Row, string Subject)? PeerBase { get; init; }

    /// <summary>With <see cref="TargetKind.IncrementRatio"/>: whom the increment belongs to, in words; otherwise the peer or the row.</summary>
    public string Name => Kind switch
    {
        TargetKind.IncrementRatio => $"{Peer}'s increment",
        TargetKind.BytesRatio => $"{Peer ?? Base}'s bytes",
        TargetKind.LatencyRatio => $"latency {Peer}",
        TargetKind.OverheadBytes => "B an operation beyond the result",
        TargetKind.BytesDifference => $"B an item on '{Base}'",
        TargetKind.Difference => $"ns on '{Base}'",
        _ => Peer ?? $"'{Base}'",
    };
}
