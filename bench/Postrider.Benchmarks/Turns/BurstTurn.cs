using System.Diagnostics;

namespace Postrider.Benchmarks.Turns;

/// <summary>One long operation a round, from a collected heap.</summary>
/// <param name="subject">Who.</param>
/// <param name="run">The operation.</param>
internal sealed class BurstTurn(string subject, Func<ValueTask> run) : Turn(subject)
{
    internal override bool IsByMedian => true;

    internal override async ValueTask WarmUpAsync(TimeSpan time)
    {
        var watch = Stopwatch.StartNew();
        do
            await run();
        while (watch.Elapsed < time);
    }

    internal override async ValueTask<TurnRound> RoundAsync(TimeSpan time)
    {
        var held = GC.GetTotalMemory(forceFullCollection: true);
        var before = HeapUse.Now();
        var start = Stopwatch.GetTimestamp();
        await run();
        var microseconds = Stopwatch.GetElapsedTime(start).TotalMicroseconds;
        var use = before.Until(HeapUse.Now(), 1);
        return new(microseconds, microseconds, microseconds, use, GC.GetTotalMemory(forceFullCollection: true) - held);
    }
}
