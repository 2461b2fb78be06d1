using System.Diagnostics;

namespace Postrider.Benchmarks.Dispatch;

/// <summary>Measures one row in this process.</summary>
internal sealed record Cell(double MedianNanoseconds, double LeastNanoseconds, double Bytes)
{
    private const int Proofs = 100;

    internal static Cell Measure(BenchRow row, bool quick)
    {
        row.Setup();
        Prove(row);

        // Short runs first: methods reach the optimised tier after 30 calls. Slow rows make fewer operations a run, so that a
        // phase stays near 60 ms.
        var one = Stopwatch.GetTimestamp();
        row.Run(10);
        var perRun = Math.Clamp((int)(10 * 1e6 / Stopwatch.GetElapsedTime(one).TotalNanoseconds), 1, 50);
        Settling.Settle(() =>
        {
            for (var i = 0; i < 60; i++)
                row.Run(perRun);
        });

        var operations = Calibrate(row, quick ? 4 : 10);
        var times = new double[quick ? 15 : 31];
        var bytes = double.MaxValue;
        for (var i = 0; i < times.Length; i++)
        {
            var allocated = Allocated(row);
            var started = Stopwatch.GetTimestamp();
            row.Run(operations);
            times[i] = Stopwatch.GetElapsedTime(started).TotalNanoseconds / operations;
            bytes = Math.Min(bytes, (Allocated(row) - allocated) / (double)operations);
        }

        Array.Sort(times);
        return new Cell(times[times.Length / 2], times[0], Math.Round(bytes, 1));
    }

    /// <summary>The first invocation in this process, in nanoseconds; what comes before it (the container, the subject) is not
    /// part of it.</summary>
    internal static double MeasureCold(BenchRow row)
    {
        row.Setup();
        var started = Stopwatch.GetTimestamp();
        row.Run(1);
        var took = Stopwatch.GetElapsedTime(started).TotalNanoseconds;
        Prove(row);
        return took;
    }

    private static void Prove(BenchRow row)
    {
        var hits = Proof.Count(() => row.Run(Proofs));
        if (hits != (long)Proofs * row.HitsPerOperation)
        {
            throw new InvalidOperationException(
                $"{row.Row} / {row.Subject}: {hits} handlers and middleware ran in {Proofs} operations, expected {Proofs * row.HitsPerOperation}.");
        }
    }

    private static long Allocated(BenchRow row)
        => row.UsesThreads ? GC.GetTotalAllocatedBytes(precise: true) : GC.GetAllocatedBytesForCurrentThread();

    private static int Calibrate(BenchRow row, int milliseconds)
    {
        var operations = 64;
        while (true)
        {
            var started = Stopwatch.GetTimestamp();
            row.Run(operations);
            var took = Stopwatch.GetElapsedTime(started);
            if (took.TotalMilliseconds >= milliseconds || operations > 1 << 26)
                return operations;
            operations *= 2;
        }
    }
}
