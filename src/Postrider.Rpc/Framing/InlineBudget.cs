// Hot path: EpollReactor -> this. Allocations: none.
using System.Diagnostics;

namespace Postrider.Rpc.Framing;

/// <summary>Measures how long the events of a transport take and decides whether the next one is handled inline. Used by the reactor
/// only.</summary>
internal struct InlineBudget
{
    // Above this average, handing an event over costs less than the delay it causes for others.
    private const int MaxMicroseconds = 100;

    private const int MinBackoff = 16;
    private const int MaxBackoff = 1024;

    // Each event has a weight of a quarter in the average, and its duration is capped: a thread that
    // was preempted by the system says nothing about the next event.
    private const int Weight = 4;
    private const int MaxOutlier = 3;

    private static readonly long s_max = Stopwatch.Frequency * MaxMicroseconds / 1_000_000;

    private long _average;
    private int _backoff;
    private int _lastBackoff;

    /// <summary>Whether to handle the next event inline.</summary>
    public bool RunsInline()
    {
        if (_backoff == 0)
            return true;
        _backoff--;
        return false;
    }

    /// <summary>Records an event that was handled inline.</summary>
    /// <param name="ticks">Its duration, in the units of <see cref="Stopwatch"/>.</param>
    public void Record(long ticks)
    {
        _average += (Math.Min(ticks, s_max * MaxOutlier) - _average) / Weight;
        if (_average > s_max)
        {
            _backoff = _lastBackoff = Math.Clamp(_lastBackoff * 2, MinBackoff, MaxBackoff);
            // Close enough to the limit that one more slow event exceeds it.
            _average = s_max / 2;
        }
        else if (ticks < s_max)
        {
            _lastBackoff /= 2;
        }
    }
}
