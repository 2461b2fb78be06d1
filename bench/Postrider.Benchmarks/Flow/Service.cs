using System.Diagnostics;

namespace Postrider.Benchmarks.Flow;

/// <summary>Something that answers after 2 ms and lets so many in at once; the others queue.</summary>
#pragma warning disable CA1001 // It lives as long as its process.
internal sealed class Service(int slots)
{
    private readonly SemaphoreSlim _slots = new(slots);
    private readonly int[] _done = new int[AdaptiveRows.Items];
    private long _ticks;

    public int[] Source { get; } = [.. Enumerable.Range(0, AdaptiveRows.Items)];

    /// <summary>From a call's start to its end, over the calls of the last operation.</summary>
    public TimeSpan MeanLatency => Stopwatch.GetElapsedTime(0, _ticks / AdaptiveRows.Items);

    public async ValueTask CallAsync(int i, CancellationToken ct)
    {
        var begun = Stopwatch.GetTimestamp();
        await _slots.WaitAsync(ct);
        await Task.Delay(2, ct);
        _slots.Release();
        _done[i]++;
        Interlocked.Add(ref _ticks, Stopwatch.GetTimestamp() - begun);
    }

    public async ValueTask<long> CountAsync(Func<Task> run)
    {
        Array.Clear(_done);
        _ticks = 0;
        await run();
        return _done.Sum();
    }
}
