// Hot path: Pump, ItemPump -> this. Allocations: none once made; runs are reused within and between operations.
using System.Runtime.CompilerServices;
using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;

namespace Postrider.Flow.Pumps;

/// <summary>One item in flight: what it waits for and its previous attempts.</summary>
/// <remarks>Owned by the thread that advances it; the timer, the timeout watch and Stop reach it through interlocked fields only.</remarks>
internal sealed class ItemRun<TItem, TResult, TPending>
    where TPending : struct, IPending<TResult>
{
    // Values of _callStarted besides the timestamp of the running call.
    private const long NotRunning = 0;
    private const long Expired = -1;
    private const long Unstamped = long.MaxValue;

    private readonly QueuedPump<TItem, TResult, TPending> _pump;
    private readonly Action _resume;
    private long _callStarted;
    private int _sleeping;
    private volatile bool _expiryTaken;
    private CancellationTokenSource? _timeout;
    private ITimer? _timer;

    public ItemRun(QueuedPump<TItem, TResult, TPending> pump)
    {
        _pump = pump;
        _resume = Resume;
    }

    public TItem Item = default!;
    public long Index;
    public TPending Pending;
    public ItemPhase Phase;
    public ItemWait Wait;
    public int Attempt;
    public long FirstStarted;
    public long CallStarted;
    public bool Released;
    public CircuitBreakerTicket Ticket;
    public CircuitBreaker? CircuitBreaker;
    public RateLimiter? Limiter;
    public int Cost;
    public long Weight;
    public bool HoldsWeight;
    public bool HasLane;
    public bool TookLimit;
    public TimeSpan Delay;
    public TimeSpan PreviousDelay;
    public Exception? Failure;
    public OutcomeReason Reason;
    public ValueTask Gate;
    public ValueTask<bool> Verdict;
    public bool HasVerdict;
    public bool GateIsHook;
    public ItemRun<TItem, TResult, TPending>? Next;

    /// <summary>Releases the item, so that a pooled run keeps nothing alive.</summary>
    public void Clear()
    {
        Item = default!;
        Pending = default;
        Failure = null;
        CircuitBreaker = null;
        Limiter = null;
        Gate = default;
        Verdict = default;
        Wait = ItemWait.None;
        Next = null;
    }

    public void Begin(TItem item, long index)
    {
        Item = item;
        Index = index;
        Phase = ItemPhase.Start;
        Attempt = 0;
        Released = false;
        Ticket = default;
        HoldsWeight = false;
        HasLane = false;
        TookLimit = false;
        HasVerdict = false;
        PreviousDelay = TimeSpan.Zero;
        Failure = null;
    }

    /// <summary>Arms the wait of the item. Afterwards it may already run elsewhere: the caller must not use it any more.</summary>
    public void Arm()
    {
        try
        {
            switch (Wait)
            {
                case ItemWait.Body:
                    Pending.OnCompleted(_resume);
                    break;
                case ItemWait.Gate when HasVerdict:
                    Verdict.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(_resume);
                    break;
                case ItemWait.Gate:
                    Gate.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(_resume);
                    break;
                default:
                    ArmTimer();
                    break;
            }
        }
        catch (Exception)
        {
            // A value task that was awaited twice throws; its result is read on a separate thread and fails the item.
            ThreadPool.UnsafeQueueUserWorkItem(static run => run.Resume(), this, preferLocal: false);
        }
    }

    /// <summary>Wakes the item if it waits for a timer, and cancels its own token.</summary>
    public void Stop()
    {
        Cancel(Volatile.Read(ref _timeout));
        if (Interlocked.CompareExchange(ref _sleeping, 0, 1) == 1)
            Resume();
    }

    /// <summary>Starts a call with a time limit.</summary>
    /// <returns>The token of the call.</returns>
    public CancellationToken BeginTimeout(long now)
    {
        var timeout = _timeout ?? MakeTimeout();
        Volatile.Write(ref _callStarted, Math.Max(1, now));
        return timeout.Token;
    }

    /// <summary>The same without a clock read, for a call that will probably complete synchronously. A reader that finds it running
    /// stamps it: <see cref="Stamp"/> when it suspends, or the watch after a millisecond or two. Never early.</summary>
    public CancellationToken BeginTimeoutUnstamped()
    {
        var timeout = _timeout ?? MakeTimeout();
        Volatile.Write(ref _callStarted, Unstamped);
        return timeout.Token;
    }

    /// <summary>Gives this timestamp to a call without one.</summary>
    /// <returns>When the call started.</returns>
    public long Stamp(long now)
    {
        var seen = Interlocked.CompareExchange(ref _callStarted, now, Unstamped);
        return seen is Unstamped or NotRunning or Expired ? now : seen;
    }

    /// <summary>Ends the call.</summary>
    /// <returns>True if it exceeded its time limit.</returns>
    public bool EndTimeout()
    {
        if (Interlocked.Exchange(ref _callStarted, NotRunning) > NotRunning)
        {
            // Registrations that the body left behind must not affect the next item.
            if (!_timeout!.TryReset())
                Volatile.Write(ref _timeout, null);
            return false;
        }
        // The watch is between marking the call and taking its source: a few instructions.
        var spin = default(SpinWait);
        while (!_expiryTaken)
            spin.SpinOnce();
        _expiryTaken = false;
        Volatile.Write(ref _timeout, null);
        return true;
    }

    /// <summary>Cancels the call if it started at or before a point in time.</summary>
    /// <returns>When the running call started; 0 if none is running or it was cancelled now.</returns>
    public long ExpireIfBegunBy(long moment, long now)
    {
        var started = Volatile.Read(ref _callStarted);
        if (started <= NotRunning)
            return 0;
        if (started == Unstamped)
            return Stamp(now);
        if (started > moment)
            return started;
        if (Interlocked.CompareExchange(ref _callStarted, Expired, started) != started)
            return 0;
        var timeout = _timeout;
        _expiryTaken = true;
        Cancel(timeout);
        return 0;
    }

    public void DisposeTimer()
    {
        _timer?.Dispose();
        _timer = null;
    }

    private CancellationTokenSource MakeTimeout()
    {
        var made = new CancellationTokenSource();
        Volatile.Write(ref _timeout, made);
        Interlocked.MemoryBarrier();
        // Stop either finds the new source when it enumerates the runs, or is seen here.
        if (_pump.IsCancelling)
            made.Cancel();
        return made;
    }

    // Callbacks that a body registered on its token may throw, on a timer's thread or on the thread that cancels.
    private void Cancel(CancellationTokenSource? timeout)
    {
        try
        {
            timeout?.Cancel();
        }
        catch (AggregateException thrown)
        {
            _pump.BreakFromCallbacks(thrown);
        }
    }

    private void ArmTimer()
    {
        _timer ??= _pump.MakeTimer(static state => ((ItemRun<TItem, TResult, TPending>)state!).TimerFired(), this);
        Volatile.Write(ref _sleeping, 1);
        Interlocked.MemoryBarrier();
        // Stop either finds this item waiting when it enumerates the runs, or is seen here.
        if (_pump.IsCancelling)
            TimerFired();
        else
            _timer.Change(NextDue(), Timeout.InfiniteTimeSpan);
    }

    // Timers count whole milliseconds and round down, and a permit or backoff must not end early; they also support
    // at most 49 days: a longer wait uses several.
    private TimeSpan NextDue()
    {
        var due = Delay < Timers.MaxDelay ? Delay : Timers.MaxDelay;
        Delay -= due;
        return TimeSpan.FromMilliseconds(Math.Ceiling(due.TotalMilliseconds));
    }

    private void TimerFired()
    {
        if (Interlocked.CompareExchange(ref _sleeping, 0, 1) != 1)
            return;
        if (Delay > TimeSpan.Zero && !_pump.IsCancelling)
            ArmTimer();
        else
            Resume();
    }

    // A body may complete inside another one, and that inside a third: this limits the stack depth.
    private void Resume()
    {
        if (RuntimeHelpers.TryEnsureSufficientExecutionStack())
            _pump.Resume(this);
        else
            ThreadPool.UnsafeQueueUserWorkItem(static run => run._pump.Resume(run), this, preferLocal: false);
    }
}
