using System.Diagnostics;
using Postrider.Load.Native;

namespace Postrider.Load.Hostile;

/// <summary>Says when messages of a steady load are due and from when their latency counts.</summary>
/// <remarks>A message that had to wait because the server did not take the one before counts from the moment at which it
/// was due; otherwise it counts from its sending, so that the generator's own rest between two turns is not measured.</remarks>
internal sealed class Pacer(double perSecond)
{
    private readonly long _start = Stopwatch.GetTimestamp();
    private readonly double _interval = Stopwatch.Frequency / perSecond;
    private long _sent;
    private long _blockedUntil;

    /// <summary>Waits until a message is due.</summary>
    /// <returns>How many are due, at least 1 and at most <paramref name="most"/>.</returns>
    public int Await(int most)
    {
        while (true)
        {
            var due = (long)((Stopwatch.GetTimestamp() - _start) / _interval) - _sent;
            if (due > 0)
                return (int)Math.Min(due, most);
            Pause.Milliseconds(1);
        }
    }

    /// <summary>The next message is sent.</summary>
    public long Stamp()
    {
        var due = _start + (long)(++_sent * _interval);
        return due < _blockedUntil ? due : Stopwatch.GetTimestamp();
    }

    /// <summary>A send or a wait for the server ended.</summary>
    /// <param name="since">When it began.</param>
    public void Blocked(long since)
    {
        var now = Stopwatch.GetTimestamp();
        if (now - since > Stopwatch.Frequency / 1000)
            _blockedUntil = now;
    }
}
