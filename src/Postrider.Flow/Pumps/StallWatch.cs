namespace Postrider.Flow.Pumps;

/// <summary>Notices within about a millisecond that a body keeps its pump, and gets the operation another one.</summary>
/// <remarks>
/// A pump runs bodies one after the other on the thread it was started on. As long as they return at once that is the
/// fastest there is; one that computes or blocks would hold up the others. Waking a second thread for every operation
/// costs more than a thousand quick items do (microseconds), so instead every pump leaves its name in its thread's cell, and a
/// timer, armed only while pumps run, compares the cells with what it saw a tick ago.
/// </remarks>
internal static class StallWatch
{
    private const int TickMilliseconds = 1;

    // A timer that is re-armed wakes the timer thread; it therefore stays on over short gaps between operations.
    private const int IdleTicksBeforeRest = 16;

    private static readonly Lock Gate = new();   // guards Cells, Ticker and arming
    private static readonly List<WeakReference<Cell>> Cells = [];
    private static readonly Timer Ticker = new(static _ => Tick(), null, Timeout.Infinite, Timeout.Infinite);
    private static int _armed;
    private static int _idleTicks;

    [ThreadStatic]
    private static Cell? _mine;

    /// <summary>Says that a pump begins on this thread.</summary>
    /// <returns>Call <see cref="Visit.Leave"/> at its end.</returns>
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
            var busy = false;
            for (var i = Cells.Count - 1; i >= 0; i--)
            {
                if (!Cells[i].TryGetTarget(out var cell))
                {
                    Cells.RemoveAt(i);
                    continue;
                }
                var pump = Volatile.Read(ref cell.Pump);
                if (pump is null)
                    continue;
                busy = true;
                var visits = cell.Visits;
                if (cell.SeenVisits == visits)
                    pump.HelpStalled();
                cell.SeenVisits = visits;
            }
            _idleTicks = busy ? 0 : _idleTicks + 1;
            if (_idleTicks < IdleTicksBeforeRest)
                return;
            Ticker.Change(Timeout.Infinite, Timeout.Infinite);
            Volatile.Write(ref _armed, 0);
        }
    }

    /// <summary>One pump's stay on a thread.</summary>
    public readonly struct Visit(Cell cell, PumpState? outer)
    {
        /// <summary>The pump ends; the one whose body started it goes on.</summary>
        public void Leave() => Volatile.Write(ref cell.Pump, outer);
    }

    /// <summary>What one thread works on. Written by that thread, read by the ticker.</summary>
    internal sealed class Cell
    {
        internal PumpState? Pump;
        internal int Visits;
        internal int SeenVisits;
    }
}
