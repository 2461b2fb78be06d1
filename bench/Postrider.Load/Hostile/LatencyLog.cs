using Postrider.Load.Runs;

namespace Postrider.Load.Hostile;

/// <summary>Latencies of one lane of the victim.</summary>
/// <remarks>One thread adds, another one takes.</remarks>
internal sealed class LatencyLog
{
    // Guards _ticks.
    private readonly Lock _lock = new();
    private List<long> _ticks = [];

    public void Add(long ticks)
    {
        lock (_lock)
            _ticks.Add(ticks);
    }

    /// <summary>What was added since the last call.</summary>
    public LatencyFigures Take()
    {
        List<long> ticks;
        lock (_lock)
            (ticks, _ticks) = (_ticks, []);

        var all = ticks.ToArray();
        return all.Length == 0
            ? new(0, double.NaN, double.NaN, double.NaN)
            : new(all.Length, Percentiles.Microseconds(all, 0.5), Percentiles.Microseconds(all, 0.99), Percentiles.Microseconds(all, 1));
    }
}
