using System.Globalization;

namespace Postrider.Benchmarks.Flow;

/// <summary>A target and what was reached.</summary>
/// <param name="Target">The target.</param>
/// <param name="Reached">The figure; null when the peer was absent.</param>
internal sealed record Verdict(FlowTarget Target, double? Reached)
{
    public bool? Holds => Reached is { } reached ? reached <= Target.Most : null;

    public override string ToString() => Reached is { } reached
        ? string.Create(CultureInfo.InvariantCulture, $"{reached:0.###} {Unit} (<= {Target.Most:0.###}) {(Holds == true ? "held" : "MISSED")}")
        : $"{Target.Name}: peer absent";

    /// <summary>What the figure counts, with the one it is compared with.</summary>
    public string Unit => Target.Kind is TargetKind.Difference or TargetKind.BytesDifference or TargetKind.OverheadBytes ? Target.Name : $"of {Target.Name}";

    /// <summary>Every target of a cell of ours against the cells of the run.</summary>
    public static IReadOnlyList<Verdict> Of(FlowCell cell, IReadOnlyList<FlowCell> all)
        => cell.Row.Subject != FlowRow.Ours ? [] : [.. FlowTargets.All.Where(target => target.Row == cell.Row.Row).Select(target => new Verdict(target, Reach(target, cell, all)))];

    private static double? Reach(FlowTarget target, FlowCell cell, IReadOnlyList<FlowCell> all)
    {
        if (target.Kind == TargetKind.OverheadBytes)
            return Math.Round((cell.BytesPerItem * cell.Row.Items) - cell.Row.ResultBytes!.Value, 1);
        if (target.Kind == TargetKind.IncrementRatio)
        {
            return Find(target.Row, target.Peer!) is { } full && Find(target.PeerBase!.Value.Row, target.PeerBase.Value.Subject) is { } bare && Find(target.Base!, FlowRow.Ours) is { } plain
                ? cell.Over(plain) / full.Over(bare)
                : null;
        }
        if (Find(target.Base ?? target.Row, target.Peer ?? FlowRow.Ours) is not { } other)
            return null;
        return target.Kind switch
        {
            TargetKind.Difference => cell.Over(other),
            TargetKind.BytesDifference => cell.BytesPerItem - other.BytesPerItem,
            TargetKind.BytesRatio => cell.BytesPerItem / other.BytesPerItem,
            TargetKind.LatencyRatio => cell.Latency / other.Latency,
            _ => cell.Median / other.Median,
        };

        FlowCell? Find(string row, string subject) => all.FirstOrDefault(one => one.Row.Row == row && one.Row.Subject == subject);
    }
}
