using Postrider.Benchmarks.Turns;

namespace Postrider.Benchmarks.Routing;

/// <summary>Targets of the rows of routing.</summary>
internal static class RoutingTargets
{
    // What the clock and the loop add varies by this much from round to round.
    private const double BytesOfMeasuring = 1;

    public static TurnTarget NanosecondsOver(TurnCell ours, TurnCell floor, double most) => new("ns over " + floor.Subject, (ours.Value - floor.Value) * 1000, most);

    public static TurnTarget BytesOver(TurnCell ours, TurnCell floor, double most) => new("B over " + floor.Subject, ours.Bytes - floor.Bytes, most + BytesOfMeasuring);

    public static TurnTarget Bytes(TurnCell ours, int messages, double most) => new("B a message", ours.Bytes / messages, most + BytesOfMeasuring);

    /// <summary>None where the other one is not there.</summary>
    public static IEnumerable<TurnTarget> Of(TurnCell ours, IEnumerable<TurnCell> all, string other, double most)
        => all.Where(cell => cell.Subject == other).Select(cell => TurnTarget.Of(ours, cell, most));
}
