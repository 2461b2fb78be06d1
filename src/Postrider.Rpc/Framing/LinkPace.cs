// Hot path: LinkPoller -> this. Allocations: none.
using System.Diagnostics;

namespace Postrider.Rpc.Framing;

/// <summary>How long a link's events take, and whether the next one is handled on the spot; the poller's alone.</summary>
internal struct LinkPace
{
    // Above so many microseconds on average handing an event over costs less than it holds others up.
    private const int MostMicroseconds = 100;

    private const int LeastDetour = 16;
    private const int MostDetour = 1024;

    // An event weighs a quarter in the average, and one of more than so many times the most no more than that: a thread that was
    // held up by the system says nothing of the next event.
    private const int Weight = 4;
    private const int MostTimes = 3;

    private static readonly long s_most = Stopwatch.Frequency * MostMicroseconds / 1_000_000;

    private long _average;
    private int _detour;
    private int _lastDetour;

    /// <summary>Whether the next event is handled on the spot.</summary>
    public bool IsQuick()
    {
        if (_detour == 0)
            return true;
        _detour--;
        return false;
    }

    /// <summary>An event was handled on the spot.</summary>
    /// <param name="ticks">What it took, in the units of <see cref="Stopwatch"/>.</param>
    public void Note(long ticks)
    {
        _average += (Math.Min(ticks, s_most * MostTimes) - _average) / Weight;
        if (_average > s_most)
        {
            _detour = _lastDetour = Math.Clamp(_lastDetour * 2, LeastDetour, MostDetour);
            // Near enough for one more that is slow to say so.
            _average = s_most / 2;
        }
        else if (ticks < s_most)
        {
            _lastDetour /= 2;
        }
    }
}
