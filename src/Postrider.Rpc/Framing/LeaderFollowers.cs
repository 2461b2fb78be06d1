// Hot path: EpollReactor -> this. Allocations: none.
using System.Diagnostics.CodeAnalysis;

namespace Postrider.Rpc.Framing;

/// <summary>Ensures that one thread is always polling: if the leader is blocked by the code it runs, another thread takes over.</summary>
/// <remarks>The turn counter is odd while the leader runs a handler. A watchdog thread checks every <see cref="TickMilliseconds"/>
/// whether the counter has changed; it sleeps while nothing happens. A replaced leader finds out when its handler returns; it then waits
/// as a follower and exits after a while.</remarks>
[SuppressMessage("Design", "CA1001", Justification = "It lives as long as the process.")]
internal sealed class LeaderFollowers
{
    /// <summary>The check interval in milliseconds: blocking code delays others by one to two intervals.</summary>
    private const int TickMilliseconds = 2;

    // After this many checks without a change, the watchdog sleeps until it is woken.
    private const int QuietTicks = 50;
    private const int SpareMilliseconds = 20_000;

    private readonly Action<long> _lead;
    private readonly ManualResetEventSlim _wake = new(false, 0);

    // Guards the count of missing leaders and the threads that wait to lead.
    private readonly object _gate = new();
    private int _places;
    private int _spares;
    private long _turn;
    private bool _isAsleep;

    /// <summary>Starts the first leader and the watchdog.</summary>
    /// <param name="lead">Leads from a turn on, until <see cref="End"/> reports that another thread leads; the first turn is 0.</param>
    public LeaderFollowers(Action<long> lead)
    {
        _lead = lead;
        Promote();
        Start(Watch, "Postrider epoll watchdog");
    }

    /// <summary>Called by the leader before it runs a handler.</summary>
    /// <param name="turn">The leader's turn number; advanced to the next one.</param>
    public void Begin(ref long turn)
    {
        turn++;
        Interlocked.Exchange(ref _turn, turn);
        if (Volatile.Read(ref _isAsleep))
            _wake.Set();
    }

    /// <summary>Called by the leader after its handler has returned.</summary>
    /// <param name="turn">The number set by <see cref="Begin"/>; advanced to the next one.</param>
    /// <returns>False if another thread leads now.</returns>
    public bool End(ref long turn) => Interlocked.CompareExchange(ref _turn, turn + 1, turn) == turn++;

    private static void Start(ThreadStart run, string name)
    {
        // The execution context of the caller that opens the first connection must not flow into other callers' calls.
        new Thread(run) { IsBackground = true, Name = name }.UnsafeStart();
    }

    private void Watch()
    {
        long seen = 0;
        var quiet = 0;
        while (true)
        {
            if (quiet < QuietTicks)
            {
                _wake.Wait(TickMilliseconds);
            }
            else
            {
                Volatile.Write(ref _isAsleep, true);
                Interlocked.MemoryBarrier();
                if (Volatile.Read(ref _turn) == seen)
                    _wake.Wait();
                Volatile.Write(ref _isAsleep, false);
            }

            _wake.Reset();
            var turn = Volatile.Read(ref _turn);
            quiet = turn == seen ? quiet + 1 : 0;
            if (turn == seen && (turn & 1) != 0)
            {
                if (Interlocked.CompareExchange(ref _turn, turn + 1, turn) == turn)
                    Promote();
                quiet = 0;
            }

            seen = turn;
        }
    }

    private void Promote()
    {
        lock (_gate)
        {
            _places++;
            if (_spares > 0)
            {
                Monitor.Pulse(_gate);
                return;
            }
        }

        Start(Serve, "Postrider epoll");
    }

    private void Serve()
    {
        while (TryTakePlace())
            _lead(Volatile.Read(ref _turn));
    }

    private bool TryTakePlace()
    {
        lock (_gate)
        {
            _spares++;
            while (_places == 0)
            {
                if (!Monitor.Wait(_gate, SpareMilliseconds) && _places == 0)
                {
                    _spares--;
                    return false;
                }
            }

            _spares--;
            _places--;
            return true;
        }
    }
}
