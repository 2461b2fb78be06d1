using System.Diagnostics;

namespace Postrider.Benchmarks.Turns;

/// <summary>Takes the cells of a row in turns, in one process: round after round, so that a busy moment meets all of them.</summary>
internal static class TurnTaking
{
    // A sample is at least this long, so that reading the clock does not show: short operations are timed several at a time.
    private const double LeastSampleMicroseconds = 5;

    private const int MostSamples = 5_000;

    public static async Task<IReadOnlyList<TurnCell>> TakeAsync(IReadOnlyList<Turn> turns, bool quick)
    {
        var roundTime = TimeSpan.FromMilliseconds(quick ? 40 : 120);
        var rounds = quick ? 7 : 15;
        var batches = new int[turns.Count];
        for (var i = 0; i < turns.Count; i++)
            batches[i] = await WarmUpAsync(turns[i], quick ? 300 : 1000);
        var taken = turns.Select(_ => new List<(double Median, double Tail, double Bytes)>()).ToList();
        for (var round = 0; round < rounds; round++)
        {
            for (var i = 0; i < turns.Count; i++)
            {
                var at = (i + round) % turns.Count;
                taken[at].Add(await RoundAsync(turns[at], batches[at], roundTime));
            }
        }

        return [.. turns.Select((turn, i) => new TurnCell(
            turn.Subject, [.. taken[i].Select(r => r.Median)], [.. taken[i].Select(r => r.Tail)], taken[i].Min(r => r.Bytes)))];
    }

    private static async Task<int> WarmUpAsync(Turn turn, int milliseconds)
    {
        var watch = Stopwatch.StartNew();
        var count = 0;
        while (watch.ElapsedMilliseconds < milliseconds || count < 20)
        {
            await turn.Run();
            count++;
        }

        var microseconds = watch.Elapsed.TotalMicroseconds / count;
        return microseconds >= LeastSampleMicroseconds ? 1 : (int)Math.Ceiling(LeastSampleMicroseconds * 4 / microseconds);
    }

    private static async Task<(double Median, double Tail, double Bytes)> RoundAsync(Turn turn, int batch, TimeSpan time)
    {
        var samples = new List<double>(MostSamples);
        var began = Stopwatch.GetTimestamp();
        var before = GC.GetTotalAllocatedBytes();
        while (samples.Count < 5 || (samples.Count < MostSamples && Stopwatch.GetElapsedTime(began) < time))
        {
            var start = Stopwatch.GetTimestamp();
            for (var i = 0; i < batch; i++)
                await turn.Run();
            samples.Add(Stopwatch.GetElapsedTime(start).TotalMicroseconds / batch);
        }

        var bytes = (GC.GetTotalAllocatedBytes() - before) / (double)(samples.Count * batch);
        samples.Sort();
        return (samples[samples.Count / 2], samples[(int)(samples.Count * 0.95)], bytes);
    }
}
