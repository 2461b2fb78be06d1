// Hot path: Pump -> this. Allocations: none.
using Postrider.Resilience;

namespace Postrider.Flow.Pumps;

/// <summary>Who works on an operation: concurrency slots in use, references that keep it alive, and why it stopped.</summary>
/// <remarks>
/// <para>A slot is the right to have one item in flight; a reference is a promise to come back. A running pump and an
/// item in flight own one of each; an item in backoff, a pending read of the source and a parked pump own a reference
/// alone. Both counts are one 64-bit word, so that a transition is one interlocked operation, and an item that ends
/// hands slot and reference to the pump which its continuation becomes without touching the word.</para>
/// <para>The last reference may only leave when nothing is left to do (<see cref="CanFinish"/>); otherwise its owner
/// is told to continue pumping. Every lost wake-up is therefore repaired by the last owner instead of hanging.</para>
/// </remarks>
internal abstract class PumpState : IThreadPoolWorkItem
{
    private const long OneSlot = 1;
    private const long OneReference = 1L << 32;
    private const long OneOfEach = OneSlot | OneReference;
    private const int ParkedByWindow = 1;
    private const int ParkedByReader = 2;
    private const int GravestCause = 3;

    private readonly Lock _stopGate = new();   // guards the change of _stop and _stopException
    private long _state;
    private int _parked;
    private int _lifetime;
    private int _helpers;
    private volatile int _stop;             // written under _stopGate
    private volatile Exception? _stopException;
    private int _limit;
    private ConcurrencyLimit? _liveLimit;
    private Action? _onLimitRaised;
    private int _maxHelpers;
    private CancellationTokenSource? _cancellation;
    private CancellationTokenSource? _sourceCancellation;
    private CancellationTokenRegistration _callerRegistration;
    private ExecutionContext? _context;

    protected PumpSettings Settings { get; private set; } = null!;

    /// <summary>What bodies and the source are given.</summary>
    protected CancellationToken Token { get; private set; }

    internal bool IsStopped => _stop != 0;

    /// <summary>True when the operation stopped and items in flight end with it; draining lets them finish.</summary>
    internal bool IsCancelling => Rank(Cause) == GravestCause;

    internal StopCause Cause => (StopCause)_stop;

    internal Exception? StopException => _stopException;

    internal int Limit => _liveLimit is null ? _limit : _liveLimit.Value;

    internal int InFlight => (int)Volatile.Read(ref _state);

    /// <summary>True when bodies may run on the calling thread: it has no scheduler of its own that would wait for us.</summary>
    internal static bool MayRunInline => SynchronizationContext.Current is null && TaskScheduler.Current == TaskScheduler.Default;

    /// <summary>True when a lowered limit asks this pump to leave.</summary>
    protected bool IsOverLimit => _liveLimit is not null && InFlight > _liveLimit.Value;

    protected bool IsPaused => Settings.Control is { IsPaused: true } && !IsStopped;

    /// <summary>True when the source is at its end (or the operation stopped) and nothing waits in the queue.</summary>
    protected abstract bool CanFinish { get; }

    /// <summary>True when something waits in the queue.</summary>
    protected abstract bool HasQueued { get; }

    /// <summary>True when a parked pump would find something to do.</summary>
    protected abstract bool MayClaim { get; }

    /// <summary>Runs items on the calling thread until there is no slot or nothing to do.</summary>
    /// <param name="forReader">Stop after the first results: the reader of a stream is the caller.</param>
    /// <param name="first">An item whose wait has ended, to go on with; or null.</param>
    /// <remarks>The caller owns a slot and a reference; the callee takes both.</remarks>
    protected abstract void Work(bool forReader, object? first);

    /// <summary>Everything has ended: releases what the run holds and reports. Called exactly once per run.</summary>
    protected abstract void Finish();

    /// <summary>The run has ended and there is no reference to the object any more: it may serve another run.</summary>
    protected abstract void Recycle();

    /// <summary>A body has kept its pump for a while.</summary>
    protected abstract void Stalled();

    /// <summary>The operation has just stopped: wakes whatever sleeps.</summary>
    protected abstract void WakeAll();

    void IThreadPoolWorkItem.Execute()
    {
        if (TryReserve())
            RunOwned();
        Interlocked.Decrement(ref _helpers);
        ReleaseLifetime();
    }

    /// <summary>Asks the thread pool for another pump when bodies keep this one busy: by cascade up to the processors.</summary>
    internal void QueueHelper()
    {
        if (Volatile.Read(ref _helpers) < Math.Min(_maxHelpers, Environment.ProcessorCount - 1))
            QueueRun();
    }

    /// <summary>Asks for a pump in place of one that left because another was reading the source.</summary>
    internal void QueueWanted()
    {
        if (Volatile.Read(ref _helpers) < _maxHelpers && InFlight < Limit)
            QueueRun();
    }

    /// <summary>Called by <see cref="StallWatch"/> when a body has kept a pump for a millisecond: it may block.</summary>
    internal void HelpStalled()
    {
        if (!TryTakeLifetime())
            return;
        Stalled();
        if (!CanFinish && Volatile.Read(ref _helpers) < _maxHelpers && InFlight < Limit)
            QueueRun();
        ReleaseLifetime();
    }

    /// <summary>Stops taking items, cancels what is in flight unless it may end, and wakes what sleeps. The first cause counts,
    /// unless a graver one follows: an operation that drains can still fail or be cancelled.</summary>
    /// <returns>False when the operation had already stopped.</returns>
    internal bool Stop(StopCause cause, Exception? exception)
    {
        lock (_stopGate)
        {
            if (Rank(cause) <= Rank(Cause))
                return false;
            // The exception before the cause: a pump that sees the cause may finish the run at once.
            _stopException = exception;
            _stop = (int)cause;
        }
        try
        {
            // Draining lets the bodies finish, but does not wait for another item.
            _sourceCancellation?.Cancel();
            if (IsCancelling)
                _cancellation?.Cancel();
        }
        catch (AggregateException thrown)
        {
            AddToStop(thrown);
        }
        WakeAll();
        Unpark(onThisThread: true);
        return true;
    }

    /// <summary>Callbacks that bodies registered on a token threw: they end the operation, or end with it.</summary>
    internal void BreakFromCallbacks(AggregateException thrown)
    {
        if (!TryTakeLifetime())
            return;
        if (!Stop(StopCause.Broken, thrown))
            AddToStop(thrown);
        ReleaseLifetime();
    }

    /// <summary>Keeps the object from serving another run until <see cref="Unhold"/>. Before the run begins to pump, or with a reference.</summary>
    internal void Hold() => Interlocked.Increment(ref _lifetime);

    /// <summary>Ends a <see cref="Hold"/>.</summary>
    internal void Unhold() => ReleaseLifetime();

    /// <summary>Takes up a pump that was parked because a stream's window was full, a pause, or the reader's turn.</summary>
    internal void Unpark(bool onThisThread)
    {
        if (Volatile.Read(ref _parked) == 0 || Interlocked.Exchange(ref _parked, 0) == 0)
            return;
        if (onThisThread)
            ContinueWithReference();
        else
            ThreadPool.UnsafeQueueUserWorkItem(static pump => pump.ContinueWithReference(), this, preferLocal: false);
    }

    /// <summary>True when a pump waits for its reader, a resume or a free lane.</summary>
    internal bool IsParked => Volatile.Read(ref _parked) != 0;

    /// <summary>True when a pump waits for room in the window, a resume or a free lane.</summary>
    internal bool IsParkedForRoom => Volatile.Read(ref _parked) == ParkedByWindow;

    /// <summary>True when a pump waits for the reader to come back with nothing left to take.</summary>
    internal bool IsParkedForReader => Volatile.Read(ref _parked) == ParkedByReader;

    /// <summary>The reader of a stream found nothing: it pumps a little itself when no other thread does.</summary>
    internal void PumpForReader()
    {
        if (Volatile.Read(ref _parked) == 0 || Interlocked.Exchange(ref _parked, 0) == 0)
            return;
        if (TryTakeSlot() || !TryLeaveReference())
            RunOwned(forReader: true);
    }

    /// <summary>Enters as a pump from a timer, a read or an unparking: with a reference, without a slot.</summary>
    protected void ContinueWithReference()
    {
        if (TryTakeSlot() || !TryLeaveReference())
            RunOwned();
    }

    protected void Begin(PumpSettings settings, bool parked)
    {
        Settings = settings;
        _stop = 0;
        _stopException = null;
        var limit = settings.Adaptive ?? settings.Limit;
        _limit = limit.Value;
        _liveLimit = limit.IsFixed ? null : limit;
        _maxHelpers = Math.Max(0, (settings.MaxThreads ?? int.MaxValue) - 1);
        _cancellation = new CancellationTokenSource();
        Token = _cancellation.Token;
        _context = ExecutionContext.Capture();
        _parked = parked ? ParkedByReader : 0;
        _helpers = 0;
        _lifetime = 1;
        if (_liveLimit is not null)
            _liveLimit.Raised += _onLimitRaised ??= OnLimitRaised;
        Volatile.Write(ref _state, parked ? OneReference : OneOfEach);
    }

    /// <summary>A token of the source's own: cancelled when no further item is wanted, though bodies may go on.</summary>
    protected CancellationToken BeginReading()
    {
        _sourceCancellation = new CancellationTokenSource();
        return _sourceCancellation.Token;
    }

    /// <summary>Hears the caller's token. The caller of this owns a reference.</summary>
    protected void ListenTo(CancellationToken ct)
    {
        if (ct.CanBeCanceled)
            _callerRegistration = ct.UnsafeRegister(static (state, token) => ((PumpState)state!).CallerCancelled(token), this);
    }

    /// <summary>Releases what <see cref="Begin"/> and <see cref="ListenTo"/> took.</summary>
    /// <returns>True when no callback can reach the object any more, so that it may serve another run.</returns>
    protected bool End()
    {
        var unreachable = !IsStopped;
        // A call of OnLimitRaised that is under way finds no run, or helps the next one: either is harmless.
        if (_liveLimit is not null)
            _liveLimit.Raised -= _onLimitRaised;
        if (_callerRegistration.Token.CanBeCanceled)
            unreachable &= _callerRegistration.Unregister();
        _callerRegistration = default;
        // Not disposed: a body that outlives its item may still look at the token; without a timer there is nothing to free.
        _cancellation = null;
        _sourceCancellation = null;
        _context = null;
        return unreachable;
    }

    protected void RunOwned(bool forReader = false, object? first = null)
    {
        var context = _context;
        var outer = ExecutionContext.Capture();
        // Bodies see the ambient values of the operation's start, not those of whichever item's completion runs us.
        var foreign = context is not null && !ReferenceEquals(outer, context);
        if (foreign)
            ExecutionContext.Restore(context!);
        var watch = StallWatch.Enter(this);
        try
        {
            Work(forReader, first);
        }
        finally
        {
            watch.Leave();
            // Nor does our caller see what bodies that are no async methods have changed.
            if (outer is not null && !ReferenceEquals(ExecutionContext.Capture(), outer))
                ExecutionContext.Restore(outer);
        }
    }

    /// <summary>Takes a slot and a reference when the limit allows.</summary>
    protected bool TryReserve()
    {
        var limit = Limit;
        var state = Volatile.Read(ref _state);
        while ((int)state < limit && state >= OneReference)
        {
            var seen = Interlocked.CompareExchange(ref _state, state + OneOfEach, state);
            if (seen == state)
                return true;
            state = seen;
        }
        return false;
    }

    protected void AddReference() => Interlocked.Add(ref _state, OneReference);

    /// <summary>Takes a reference as long as another one exists.</summary>
    protected bool TryAddReference()
    {
        var state = Volatile.Read(ref _state);
        while (state >= OneReference)
        {
            var seen = Interlocked.CompareExchange(ref _state, state + OneReference, state);
            if (seen == state)
                return true;
            state = seen;
        }
        return false;
    }

    /// <summary>Gives slot and reference back.</summary>
    /// <returns>True when the caller must go on: it still (or again) owns both.</returns>
    protected bool Leave()
    {
        var state = Volatile.Read(ref _state);
        while (true)
        {
            var last = state < 2 * OneReference;
            if (last && !CanFinish)
                return true;
            var seen = Interlocked.CompareExchange(ref _state, state - OneOfEach, state);
            if (seen != state)
            {
                state = seen;
                continue;
            }
            if (last)
                Finish();
            else if (HasQueued && !IsPaused)
                QueueRun();
            return false;
        }
    }

    /// <summary>Gives slot and reference back when more slots are in use than a lowered limit has.</summary>
    protected bool TryShrink()
    {
        if (_liveLimit is null)
            return false;
        var state = Volatile.Read(ref _state);
        while ((int)state > _liveLimit.Value)
        {
            var seen = Interlocked.CompareExchange(ref _state, state - OneOfEach, state);
            if (seen == state)
                return true;
            state = seen;
        }
        return false;
    }

    /// <summary>Keeps the reference and gives the slot back until <see cref="Unpark"/>.</summary>
    /// <param name="untilReaderReturns">Parked because the reader has results; it comes back by itself.</param>
    /// <returns>True when the caller must go on: it still (or again) owns slot and reference.</returns>
    protected bool Park(bool untilReaderReturns)
    {
        // The slot goes first: who unparks takes one. With two references we cannot be the last to leave.
        AddReference();
        _ = Leave();
        if (untilReaderReturns)
            return Interlocked.CompareExchange(ref _parked, ParkedByReader, 0) != 0 && !TryLeaveReference();
        // Once it is parked, another thread may take the pump up and end the run: until we have looked again at what could have
        // been missed, the object must neither lose its source and sink nor serve another run.
        Hold();
        var goesOn = ParkForRoom();
        Unhold();
        return goesOn;
    }

    private bool ParkForRoom()
    {
        if (Interlocked.CompareExchange(ref _parked, ParkedByWindow, 0) != 0)
            return !TryLeaveReference();
        if (IsPaused || !(MayClaim || HasQueued || IsStopped))
            return false;
        if (Interlocked.Exchange(ref _parked, 0) == 0)
            return false;
        return TryTakeSlot() || !TryLeaveReference();
    }

    /// <summary>Takes the place of a parked pump. The caller owns a slot and a reference.</summary>
    protected bool TryAbsorbParked()
    {
        if (Interlocked.Exchange(ref _parked, 0) == 0)
            return false;
        Interlocked.Add(ref _state, -OneReference);
        return true;
    }

    /// <summary>Takes a slot beside the reference the caller owns.</summary>
    protected bool TryTakeSlot()
    {
        var limit = Limit;
        var state = Volatile.Read(ref _state);
        while ((int)state < limit)
        {
            var seen = Interlocked.CompareExchange(ref _state, state + OneSlot, state);
            if (seen == state)
                return true;
            state = seen;
        }
        return false;
    }

    /// <summary>Gives a reference without a slot back.</summary>
    /// <returns>False when the caller must go on as a pump: it now owns a slot too.</returns>
    protected bool TryLeaveReference()
    {
        var state = Volatile.Read(ref _state);
        while (true)
        {
            var last = state < 2 * OneReference;
            // The last owner has no competitor for the slot; a limit cannot be below one.
            var next = last && !CanFinish ? state + OneSlot : state - OneReference;
            var seen = Interlocked.CompareExchange(ref _state, next, state);
            if (seen != state)
            {
                state = seen;
                continue;
            }
            if (next > state)
                return false;
            if (last)
                Finish();
            else if (HasQueued && !IsPaused)
                QueueRun();
            return true;
        }
    }

    protected void ReleaseLifetime()
    {
        if (Interlocked.Decrement(ref _lifetime) == 0)
            Recycle();
    }

    protected bool TryTakeLifetime()
    {
        var lifetime = Volatile.Read(ref _lifetime);
        while (lifetime > 0)
        {
            var seen = Interlocked.CompareExchange(ref _lifetime, lifetime + 1, lifetime);
            if (seen == lifetime)
                return true;
            lifetime = seen;
        }
        return false;
    }

    private static int Rank(StopCause cause) => cause switch
    {
        StopCause.None => 0,
        StopCause.Drained => 1,
        StopCause.SourceFailed => 2,
        _ => GravestCause,
    };

    private void AddToStop(AggregateException thrown)
    {
        lock (_stopGate)
            _stopException = _stopException is { } before ? new AggregateException([before, .. thrown.InnerExceptions]) : thrown;
    }

    // From here on others may have finished the run, and the object may even serve another one: then the work item
    // finds no slot or helps that other run, and either is harmless.
    private void QueueRun()
    {
        if (!TryTakeLifetime())
            return;
        Interlocked.Increment(ref _helpers);
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private void CallerCancelled(CancellationToken token)
    {
        if (TryTakeLifetime())
        {
            Stop(StopCause.Cancelled, new OperationCanceledException(token));
            ReleaseLifetime();
        }
    }

    private void OnLimitRaised()
    {
        // A pump that raised the limit itself, by what it told the limit, is awake and uses it.
        if (!StallWatch.IsRunningHere(this) && TryTakeLifetime())
        {
            QueueRun();
            ReleaseLifetime();
        }
    }
}
