using System.Diagnostics;
using System.Text.Json;

namespace Postrider.Benchmarks.Flow;

/// <summary>The side of a cell that works: warms up, says so, and does a round whenever it is told.</summary>
internal static class CellWork
{
    public const string Ready = "ready";
    public const string Go = "go";

    // Long enough that a clock read and a switch to another process do not decide a round.
    private static readonly TimeSpan Round = TimeSpan.FromMilliseconds(4);

    // The compiler's tiers: 30 calls, its 100 ms timer, the loops replaced while they run, and all that once more.
    private static readonly TimeSpan WarmUpTime = TimeSpan.FromMilliseconds(1_200);

    // An operation that takes longer is not worth a second one before it is measured.
    private static readonly TimeSpan LongOperation = TimeSpan.FromSeconds(3);

    public static void Run(FlowRow row)
    {
        var repeats = WarmUp(row);
        Console.WriteLine(Ready);
        while (Console.ReadLine() == Go)
            Console.WriteLine(JsonSerializer.Serialize(Once(row, repeats)));
    }

    private static int WarmUp(FlowRow row)
    {
        var begun = Stopwatch.GetTimestamp();
        if (row.IsWaiting)
        {
            // The first call compiles; the next ones tell no more about a row that waits.
            Do(row);
            if (Stopwatch.GetElapsedTime(begun) < LongOperation / 10)
                Do(row);
            return 1;
        }
        var calls = 0;
        while (Stopwatch.GetElapsedTime(begun) < WarmUpTime || calls < 60)
        {
            Do(row);
            calls++;
        }
        begun = Stopwatch.GetTimestamp();
        Do(row);
        return Math.Max(1, (int)(Round / Stopwatch.GetElapsedTime(begun)));
    }

    private static FlowRound Once(FlowRow row, int repeats)
    {
        // The process has slept: its caches and threads come back before the clock starts.
        if (!row.IsWaiting)
            Do(row);
        var before = GC.GetTotalAllocatedBytes(precise: true);
        var begun = Stopwatch.GetTimestamp();
        for (var i = 0; i < repeats; i++)
            Do(row);
        var elapsed = Stopwatch.GetElapsedTime(begun) / repeats;
        var allocated = GC.GetTotalAllocatedBytes(precise: true) - before;
        return new FlowRound(
            row.IsWaiting ? elapsed.TotalMilliseconds : elapsed.TotalNanoseconds / row.Items, (double)allocated / repeats / row.Items, row.Latency?.Invoke());
    }

    private static void Do(FlowRow row)
    {
        var running = row.Run();
        var done = running.IsCompleted ? running.Result : running.AsTask().GetAwaiter().GetResult();
        if (done != row.Expected)
            throw new InvalidOperationException($"{row.Key}: {done} shows for work that must show {row.Expected}.");
    }
}
