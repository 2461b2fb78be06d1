using System.Diagnostics;
using Postrider.Benchmarks.Turns;

namespace Postrider.Routing;

/// <summary>So many messages a round: the time is a message's, and the processor's time of this process is noted.</summary>
/// <param name="subject">Who.</param>
/// <param name="messages">How many.</param>
/// <param name="run">Sends them and waits until all are handled.</param>
/// <param name="prepare">Comes before each round and is not measured; null for nothing.</param>
internal sealed class RateTurn(string subject, int messages, Func<ValueTask> run, Func<ValueTask>? prepare = null) : Turn(subject)
{
    private readonly Process _process = Process.GetCurrentProcess();

    /// <summary>Microseconds of all processors a message; the least of the rounds.</summary>
    public double CpuMicroseconds { get; private set; } = double.MaxValue;

    internal override async ValueTask WarmUpAsync(TimeSpan time)
    {
        var watch = Stopwatch.StartNew();
        do
        {
            await PrepareAsync();
            await run();
        }
        while (watch.Elapsed < time);
    }

    internal override async ValueTask<TurnRound> RoundAsync(TimeSpan time)
    {
        await PrepareAsync();
        _process.Refresh();
        var cpu = _process.TotalProcessorTime;
        var before = HeapUse.Now();
        var start = Stopwatch.GetTimestamp();
        await run();
        var microseconds = Stopwatch.GetElapsedTime(start).TotalMicroseconds / messages;
        var use = before.Until(HeapUse.Now(), messages);
        _process.Refresh();
        CpuMicroseconds = Math.Min(CpuMicroseconds, (_process.TotalProcessorTime - cpu).TotalMicroseconds / messages);
        return new(microseconds, microseconds, microseconds, use);
    }

    private ValueTask PrepareAsync() => prepare?.Invoke() ?? default;
}
