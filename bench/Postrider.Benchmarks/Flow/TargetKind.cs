namespace Postrider.Benchmarks.Flow;

/// <summary>What a target compares.</summary>
internal enum TargetKind
{
    /// <summary>Our time over the other's.</summary>
    Ratio,

    /// <summary>Our nanoseconds less the other's.</summary>
    Difference,

    /// <summary>What the features add to ours over what they add to the peer's.</summary>
    IncrementRatio,

    /// <summary>Our bytes an item over the other's.</summary>
    BytesRatio,

    /// <summary>Our bytes an item less the other's.</summary>
    BytesDifference,

    /// <summary>Our mean latency over the other's.</summary>
    LatencyRatio,

    /// <summary>Bytes of an operation beyond its result.</summary>
    OverheadBytes,
}
