using System.Diagnostics;

namespace Postrider.Benchmarks.Flow;

/// <summary>Takes the cells of a row in turns.</summary>
internal static class FlowMeasurement
{
    // Long enough that a clock read and a switch to another process do not decide a round.
    private static readonly TimeSpan Round = TimeSpan.FromMilliseconds(4);

    public static List<FlowCell> Take(List<FlowRow> rows, bool quick)
    {
        var repeats = rows.ConvertAll(WarmUp);
        var waiting = rows[0].IsWaiting;
        var rounds = waiting ? (quick ? 3 : 5) : (quick ? 15 : 41);
        var times = rows.ConvertAll(_ => new List<double>());
        var bytes = rows.ConvertAll(_ => new List<double>());
        for (var round = 0; round < rounds; round++)
        {
            for (var i = 0; i < rows.Count; i++)
            {
                // Another one begins every round.
                var at = (i + round) % rows.Count;
                var (time, allocated) = Once(rows[at], repeats[at]);
                times[at].Add(time);
                bytes[at].Add(allocated);
            }
        }
        return [.. rows.Select((row, i) => new FlowCell(row, Median(times[i]), times[i].Min(), times[i].Max(), Median(bytes[i])))];
    }

    private static int WarmUp(FlowRow row)
    {
        if (row.IsWaiting)
        {
            row.Run().GetAwaiter().GetResult();
            return 1;
        }
        // Past the tiers of the compiler, then as many as fill a round.
        var begun = Stopwatch.GetTimestamp();
        var calls = 0;
        while (Stopwatch.GetElapsedTime(begun) < TimeSpan.FromMilliseconds(1_500) || calls < 50)
        {
            row.Run().GetAwaiter().GetResult();
            calls++;
        }
        begun = Stopwatch.GetTimestamp();
        row.Run().GetAwaiter().GetResult();
        return Math.Max(1, (int)(Round / Stopwatch.GetElapsedTime(begun)));
    }

    private static (double Time, double Bytes) Once(FlowRow row, int repeats)
    {
        var before = GC.GetTotalAllocatedBytes(precise: true);
        var begun = Stopwatch.GetTimestamp();
        for (var i = 0; i < repeats; i++)
            row.Run().GetAwaiter().GetResult();
        var elapsed = Stopwatch.GetElapsedTime(begun) / repeats;
        var allocated = GC.GetTotalAllocatedBytes(precise: true) - before;
        return (row.IsWaiting ? elapsed.TotalMilliseconds : elapsed.TotalNanoseconds / row.Items, (double)allocated / repeats / row.Items);
    }

    private static double Median(List<double> values)
    {
        var sorted = values.Order().ToList();
        return sorted[sorted.Count / 2];
    }
}
