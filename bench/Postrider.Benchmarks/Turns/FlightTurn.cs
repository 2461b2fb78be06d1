using System.Diagnostics;

namespace Postrider.Benchmarks.Turns;

/// <summary>So many callers at once, each of which calls again when it was answered: the time is the round's, divided by the
/// calls; the 95th percentile is that of single calls.</summary>
/// <param name="subject">Who.</param>
/// <param name="callers">How many are in flight.</param>
/// <param name="run">One call.</param>
internal sealed class FlightTurn(string subject, int callers, Func<ValueTask> run) : Turn(subject)
{
    private const int MostSamples = 200_000;

    private readonly double[] _latencies = new double[MostSamples];

    internal override async ValueTask WarmUpAsync(TimeSpan time) => await RoundAsync(time);

    internal override async ValueTask<TurnRound> RoundAsync(TimeSpan time)
    {
        var count = 0;
        var pending = new Task[callers];
        var began = Stopwatch.GetTimestamp();
        var before = HeapUse.Now();
        for (var i = 0; i < callers; i++)
            pending[i] = CallAsync();
        await Task.WhenAll(pending);
        var microseconds = Stopwatch.GetElapsedTime(began).TotalMicroseconds / count;
        var use = before.Until(HeapUse.Now(), count);
        var kept = Math.Min(count, MostSamples);
        Array.Sort(_latencies, 0, kept);
        return new(microseconds, _latencies[(int)(kept * 0.95)], microseconds, use);

        async Task CallAsync()
        {
            // A caller that is alone among quick answers would never let the others begin.
            await Task.Yield();
            do
            {
                var start = Stopwatch.GetTimestamp();
                await run();
                var at = Interlocked.Increment(ref count) - 1;
                if (at < MostSamples)
                    _latencies[at] = Stopwatch.GetElapsedTime(start).TotalMicroseconds;
            }
            while (Stopwatch.GetElapsedTime(began) < time);
        }
    }
}
