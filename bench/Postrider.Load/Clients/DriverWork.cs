using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Runs;

namespace Postrider.Load.Clients;

/// <summary>What the drivers of all .NET clients do alike: warm up, measure, repeat until the time is over.</summary>
internal static class DriverWork
{
    private const int PublishBatch = 1000;

    /// <summary>Runs the work for a second and then measured; prints the line that <see cref="DriverProcess"/> reads.</summary>
    public static async Task MeasureAsync(Func<double, Task<DriverResult>> work, double seconds)
    {
        await work(1);
        var cpu = ProcessClock.OwnCpuNanoseconds();
        var started = Stopwatch.GetTimestamp();
        var result = await work(seconds);
        Console.WriteLine((result with
        {
            Seconds = Stopwatch.GetElapsedTime(started).TotalSeconds,
            CpuNs = ProcessClock.OwnCpuNanoseconds() - cpu,
        }).ToJson());
    }

    /// <summary>Publishes for so long.</summary>
    /// <param name="publish">Publishes so many messages: the loop is the client's own, nothing stands between its calls.</param>
    /// <param name="flush">Returns when the server has them all.</param>
    /// <param name="seconds">How long.</param>
    public static async Task<DriverResult> PublishAsync(Func<int, Task> publish, Func<Task> flush, double seconds)
    {
        var deadline = Deadline(seconds);
        var count = 0L;
        do
        {
            await publish(PublishBatch);
            count += PublishBatch;
        }
        while (Stopwatch.GetTimestamp() < deadline);

        await flush();
        return new DriverResult { Messages = count };
    }

    /// <summary>Asks for so long.</summary>
    /// <param name="ask">One request; gives the bytes of its reply.</param>
    /// <param name="expected">The bytes a reply has.</param>
    /// <param name="inFlight">Requests under way at a time.</param>
    /// <param name="seconds">How long.</param>
    /// <exception cref="LoadException">A reply was of another size.</exception>
    public static async Task<DriverResult> RequestAsync(Func<ValueTask<int>> ask, int expected, int inFlight, double seconds)
    {
        var deadline = Deadline(seconds);
        var latencies = await Task.WhenAll(Enumerable.Range(0, inFlight).Select(_ => AskAsync(ask, expected, deadline)));
        long[] all = [.. latencies.SelectMany(own => own)];
        return new DriverResult
        {
            Messages = all.Length,
            P50Us = Percentiles.Microseconds(all, 0.50),
            P99Us = Percentiles.Microseconds(all, 0.99),
        };
    }

    private static async Task<List<long>> AskAsync(Func<ValueTask<int>> ask, int expected, long deadline)
    {
        var latencies = new List<long>(1 << 16);
        for (var now = Stopwatch.GetTimestamp(); now < deadline;)
        {
            var received = await ask();
            if (received != expected)
                throw new LoadException($"A reply of {received} bytes.");

            var then = Stopwatch.GetTimestamp();
            latencies.Add(then - now);
            now = then;
        }

        return latencies;
    }

    private static long Deadline(double seconds) => Stopwatch.GetTimestamp() + (long)(seconds * Stopwatch.Frequency);
}
