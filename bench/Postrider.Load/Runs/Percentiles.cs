using System.Diagnostics;

namespace Postrider.Load.Runs;

/// <summary>Medians and percentiles.</summary>
internal static class Percentiles
{
    /// <summary>The smallest value that at least the given share of all values do not exceed.</summary>
    /// <param name="ticks">Durations in ticks of <see cref="Stopwatch"/>, in any order; not changed.</param>
    /// <param name="share">Between 0 and 1: 0.99 for the 99th percentile.</param>
    /// <returns>Microseconds.</returns>
    public static double Microseconds(ReadOnlySpan<long> ticks, double share)
    {
        if (ticks.Length == 0)
            throw new ArgumentException("No value, no percentile.", nameof(ticks));

        var sorted = ticks.ToArray();
        Array.Sort(sorted);
        var rank = Math.Clamp((int)Math.Ceiling(share * sorted.Length) - 1, 0, sorted.Length - 1);
        return sorted[rank] * 1e6 / Stopwatch.Frequency;
    }
}
