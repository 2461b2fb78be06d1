namespace Postrider.BenchReport;

/// <summary>The regression gate: a new run's figures against the committed ones.</summary>
public static class Comparison
{
    // Repeats that happen to agree do not make a quiet machine: two runs of the same build differed by up to this much.
    private const double LeastNoise = 0.05;

    /// <summary>Judges every committed figure of ours.</summary>
    /// <param name="committed">The figures in the repository.</param>
    /// <param name="fresh">The figures of the new run.</param>
    /// <returns>One finding per committed figure, in their order. A peer's own figures are not judged: they only tell
    /// a slower machine from slower code.</returns>
    public static IReadOnlyList<Finding> Of(IEnumerable<BenchFigure> committed, IEnumerable<BenchFigure> fresh)
    {
        ArgumentNullException.ThrowIfNull(committed);
        ArgumentNullException.ThrowIfNull(fresh);
        BenchFigure[] before = [.. committed];
        HashSet<string?> peers = [.. before.Select(figure => figure.Peer).Where(peer => peer is not null)];
        var after = new Dictionary<(string, string, string, string, int?), BenchFigure>();
        foreach (var figure in fresh)
            after[figure.Key] = figure;

        return [.. before.Where(figure => !peers.Contains(figure.Subject)).Select(figure => Judge(figure, after.GetValueOrDefault(figure.Key)))];
    }

    private static Finding Judge(BenchFigure before, BenchFigure? after)
    {
        if (after is null)
            return new Finding(before, null, 0, Verdict.Missing);

        var noise = Math.Max(LeastNoise, Math.Max(before.Spread, after.Spread));
        var loss = Loss(before.Value, after.Value, before.HigherIsBetter);
        var verdict = loss > noise ? Verdict.Worse : -loss > noise ? Verdict.Better : Verdict.Same;
        if (verdict == Verdict.Worse && before.PeerValue is > 0 && after.PeerValue is > 0
            && Loss(before.Value / before.PeerValue.Value, after.Value / after.PeerValue.Value, before.HigherIsBetter) <= noise)
        {
            verdict = Verdict.SlowerMachine;
        }

        return new Finding(before, after, noise, verdict);
    }

    // The share by which the new value is worse; negative when it is better.
    private static double Loss(double before, double after, bool higherIsBetter)
    {
        if (before == 0)
            return after == 0 ? 0 : higherIsBetter ? -1 : 1;

        return higherIsBetter ? 1 - (after / before) : (after / before) - 1;
    }
}
