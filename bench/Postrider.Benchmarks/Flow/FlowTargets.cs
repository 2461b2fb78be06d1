namespace Postrider.Benchmarks.Flow;

/// <summary>The targets of the tables.</summary>
internal static class FlowTargets
{
    public static IReadOnlyList<FlowTarget> All { get; } =
    [
        new("select, instant body", "Parallel.ForAsync", 1 / 2.0),
        new("select, instant body", "Rivulet", 1 / 20.0),
        new("for-each, instant body", "Parallel.ForEachAsync", 1 / 5.0),
        new("for-each, instant body", "Rivulet", 1 / 40.0),
        new("stream of an async source, instant body", "Channels pool", 1 / 2.0),
        new("stream of an async source, instant body", "Rivulet", 1 / 4.0),
        new("stream in order, instant body", null, 1.15, "stream, instant body"),
        .. FeatureRows.Cheap.Select(feature => new FlowTarget($"instant, {feature}", null, 2, "instant, none", IsRatio: false)),
        .. FeatureRows.Clocked.Select(feature => new FlowTarget($"instant, {feature}", null, 5, "instant, one clock read", IsRatio: false)),
        new("instant, all", "Polly in ForAsync", 1 / 10.0),
        new("instant, all", "Rivulet", 1 / 2.0),
        new("adaptive, service of 16 slots", "fixed at 16", 1.2),
        new("adaptive, free service", "fixed at 64", 1.2),
        new("batches of 100, no work", "Chunk + ForEachAsync", 1 / 3.0),
        new("batches of 100, no work", "Rivulet", 1 / 10.0),
        new("10 % failing once", "Polly in ForAsync", 1 / 4.0),
        new("10 % failing once", "Rivulet", 1 / 4.0),
        .. ScalingRows.Limits.Select(limit => new FlowTarget(ScalingRows.Name(limit), "Channels pool", 1.03)),
    ];

    /// <summary>The peer that stands in a row's JSON line: the first one with a target.</summary>
    public static string? PeerOf(string row) => All.FirstOrDefault(target => target.Row == row && target.Peer is not null)?.Peer;
}
