namespace Postrider.Flow.Pumps;

/// <summary>Detects within about a millisecond that a body occupies its pump, and starts another pump for the operation.</summary>
/// <remarks>
/// A pump runs bodies in sequence on the thread on which it was started. As long as they return immediately, that is the
/// fastest way; one that computes or blocks would delay the others. Waking a second thread for every operation
/// costs more than a thousand short items (microseconds), so instead every pump records itself in its thread's cell, and a
/// timer, armed only while pumps run, compares the cells with those of the previous tick.
/// </remarks>
internal static class StallWatch
{
    private const int TickMilliseconds = 1;

    // A timer that is re-armed wakes the timer thread; it therefore stays active over short gaps between operations.
    private const int IdleTicksBeforeRest = 16;

    private static readonly Lock Gate = new();   // guards Cells, Ticker and arming
    private static readonly List<WeakReference<Cell>> Cells = [];
    private static readonly Timer Ticker = new(static _ => Tick(), null, Timeout.Infinite, Timeout.Infinite);
    private static readonly List<PumpState> Stalled = [];                  // only used by the ticker
    private static int _armed;
    private static int _idleTicks;
    private static bool _ticking;

    [ThreadStatic]
    private static Cell? _mine;

    /// <summary>Records that a pump starts on this thread.</summary>
    /// <returns>Call <see cref="Visit.Leave"/> when the pump ends.</returns>
    public static Visit Enter(PumpState pump)
    {
        var cell = _mine ?? MakeCell();
        var visit = new Visit(cell, cell.Pump);
        cell.Visits++;
        Volatile.Write(ref cell.Pump, pump);
        if (Volatile.Read(ref _armed) == 0)
            Arm();
        return visit;
    }

    /// <summary>True when the innermost pump on this thread is the given one.</summary>
    public static bool IsRunningHere(PumpState pump) => ReferenceEquals(_mine?.Pump, pump);

    private static Cell MakeCell()
    {
        var cell = new Cell();
        _mine = cell;
        lock (Gate)
            Cells.Add(new WeakReference<Cell>(cell));
        return cell;
    }

    private static void Arm()
    {
        lock (Gate)
        {
            if (_armed != 0)
                return;
            _idleTicks = 0;
            Volatile.Write(ref _armed, 1);
            Ticker.Change(TickMilliseconds, TickMilliseconds);
        }
    }

    private static void Tick()
    {
        lock (Gate)
        {
            if (_ticking)
                return;
            _ticking = true;
            var busy = Look();
            _idleTicks = busy ? 0 : _idleTicks + 1;
            if (_idleTicks >= IdleTicksBeforeRest)
            {
                Ticker.Change(Timeout.Infinite, Timeout.Infinite);
                Volatile.Write(ref _armed, 0);
            }
        }
        // Helping may cancel calls that exceed their time limit, and so run callbacks: not under the lock.
        foreach (var pump in Stalled)
            pump.HelpStalled();
        Stalled.Clear();
        Volatile.Write(ref _ticking, false);
    }

    private static bool Look()
    {
        var busy = false;
        for (var i = Cells.Count - 1; i >= 0; i--)
        {
            if (!Cells[i].TryGetTarget(out var cell))
            {
                Cells.RemoveAt(i);
                continue;
            }
            if (Volatile.Read(ref cell.Pump) is not { } pump)
                continue;
            busy = true;
            var visits = cell.Visits;
            if (cell.SeenVisits == visits)
                Stalled.Add(pump);
            cell.SeenVisits = visits;
        }
        return busy;
    }

    /// <summary>The time that a pump spends on a thread.</summary>
    public readonly struct Visit(Cell cell, PumpState? outer)
    {
        /// <summary>Records the end of the pump; the one whose body started it continues.</summary>
        public void Leave() => Volatile.Write(ref cell.Pump, outer);
    }

    /// <summary>The current work of one thread. Written by that thread, read by the ticker.</summary>
    internal sealed class Cell
    {
        internal PumpState? Pump;
        internal int Visits;
        internal int SeenVisits;
    }
}
