namespace Postrider.Benchmarks.Flow;

/// <summary>The targets of the tables.</summary>
internal static class FlowTargets
{
    // Nothing an item: a timer and its reporter for 10,000 of them are 0.1 B each, one object in a hundred items would be 0.24.
    private const double BytesOfOperation = 0.2;

    public static IReadOnlyList<FlowTarget> All { get; } =
    [
        Ratio("select, instant body", 1 / 2.0, "Parallel.ForAsync"),
        Ratio("select, instant body", 1 / 20.0, "Rivulet"),
        Ratio("for-each, instant body", 1 / 5.0, "Parallel.ForEachAsync"),
        Ratio("for-each, instant body", 1 / 40.0, "Rivulet"),
        Ratio("stream of an async source, instant body", 1 / 2.0, "Channels pool"),
        Ratio("stream of an async source, instant body", 1 / 4.0, "Rivulet"),
        new("stream in order, instant body", TargetKind.Ratio, 1.15, Base: "stream, instant body"),
        new("select, instant body, 100,000 items", TargetKind.OverheadBytes, 256),
        new("for-each, instant body, 100,000 items", TargetKind.OverheadBytes, 256),
        new("stream, instant body, 100,000 items", TargetKind.OverheadBytes, 256),
        new("select, 1 ms at 32", TargetKind.BytesRatio, 0.3, "Rivulet"),
        new("stream, 1 ms at 32", TargetKind.BytesRatio, 1, "Channels pool"),
        new("stream, 1 ms at 32", TargetKind.BytesRatio, 0.3, "Rivulet"),
        new("for-each, 1 ms at 32", TargetKind.BytesRatio, 0.3, "Rivulet"),
        .. FeatureRows.Cheap.Select(static feature => new FlowTarget($"instant, {feature}", TargetKind.Difference, 2, Base: "instant, none")),
        .. FeatureRows.Clocked.Select(static feature => new FlowTarget($"instant, {feature}", TargetKind.Difference, 5, Base: "instant, one clock read")),
        .. FeatureRows.Cheap.Concat(FeatureRows.Clocked).Append("all").Select(static feature => new FlowTarget($"instant, {feature}", TargetKind.BytesDifference, BytesOfOperation, Base: "instant, none")),
        new("instant, all", TargetKind.IncrementRatio, 1 / 10.0, "Polly in ForAsync", "instant, none") { PeerBase = ("instant, none", "Parallel.ForAsync") },
        new("instant, all", TargetKind.IncrementRatio, 1 / 2.0, "Rivulet", "instant, none") { PeerBase = ("instant, none", "Rivulet") },
        .. AdaptiveRows.Services.SelectMany(static service => new[]
        {
            Ratio($"adaptive, {service.Name}", 1.2, $"fixed at {service.Best}"),
            new FlowTarget($"adaptive, {service.Name}", TargetKind.LatencyRatio, 1.5, $"fixed at {service.Best}"),
        }),
        Ratio("batches of 100, no work", 1 / 3.0, "Chunk + ForEachAsync"),
        Ratio("batches of 100, no work", 1 / 10.0, "Rivulet"),
        Ratio("10 % failing once", 1 / 4.0, "Polly in ForAsync"),
        Ratio("10 % failing once", 1 / 4.0, "Rivulet"),
        .. ScalingRows.Limits.Select(static limit => Ratio(ScalingRows.Name(limit), 1.03, "Channels pool")),
    ];

    private static FlowTarget Ratio(string row, double most, string peer) => new(row, TargetKind.Ratio, most, peer);
}
