// Hot path: Pump -> this. Allocations: none.
using Postrider.Resilience;

namespace Postrider.Flow.Pumps;

/// <summary>The threads of an operation: concurrency slots in use, references that keep it alive, and why it stopped.</summary>
/// <remarks>
/// <para>A slot is the right to have one item in flight; a reference is a promise to return. A running pump and an
/// item in flight own one of each; an item in backoff, a pending read of the source and a parked pump own a reference
/// only. Both counts are one 64-bit word, so that a transition is one interlocked operation, and an item that ends
/// passes slot and reference to the pump that its continuation becomes, without changing the word.</para>
/// <para>The last reference may only be released when nothing is left to do (<see cref="CanFinish"/>); otherwise its owner
/// has to continue pumping. A lost wake-up is therefore repaired by the last owner instead of causing a hang.</para>
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

    /// <summary>The token for bodies and the source.</summary>
    protected CancellationToken Token { get; private set; }

    internal bool IsStopped => _stop != 0;

    /// <summary>True if the operation stopped and cancels the items in flight; draining lets them finish.</summary>
    internal bool IsCancelling => Rank(Cause) == GravestCause;

    internal StopCause Cause => (StopCause)_stop;

    internal Exception? StopException => _stopException;

    internal int Limit => _liveLimit is null ? _limit : _liveLimit.Value;

    internal int InFlight => (int)Volatile.Read(ref _state);

    /// <summary>True when bodies may run on the calling thread: it has no scheduler of its own that would wait for us.</summary>
    internal static bool MayRunInline => SynchronizationContext.Current is null && TaskScheduler.Current == TaskScheduler.Default;

    /// <summary>True if this pump has to leave because the limit was lowered.</summary>
    protected bool IsOverLimit => _liveLimit is not null && InFlight > _liveLimit.Value;

    protected bool IsPaused => Settings.Control is { IsPaused: true } && !IsStopped;

    /// <summary>True if the source is at its end (or the operation stopped) and the queue is empty.</summary>
    protected abstract bool CanFinish { get; }

    /// <summary>True if the queue is not empty.</summary>
    protected abstract bool HasQueued { get; }

    /// <summary>True if a parked pump would find work.</summary>
    protected abstract bool MayClaim { get; }

    /// <summary>Runs items on the calling thread until there is no slot or no work.</summary>
    /// <param name="forReader">Stop after the first results: the reader of a stream is the caller.</param>
    /// <param name="first">An item whose wait has ended, to continue with; or null.</param>
    /// <remarks>The caller owns a slot and a reference; the callee takes both.</remarks>
    protected abstract void Work(bool forReader, object? first);

    /// <summary>Everything has ended: releases what the run holds and reports. Called exactly once per run.</summary>
    protected abstract void Finish();

    /// <summary>The run has ended and nothing references the object any more: it may be used for another run.</summary>
    protected abstract void Recycle();

    /// <summary>Called when a body has occupied its pump for a while.</summary>
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

    /// <summary>Requests another pump from the thread pool if bodies keep this one busy: by cascade up to the number of processors.</summary>
    internal void QueueHelper()
    {
        if (Volatile.Read(ref _helpers) < Math.Min(_maxHelpers, Environment.ProcessorCount - 1))
            QueueRun();
    }

    /// <summary>Requests a pump in place of one that left because another was reading the source.</summary>
    internal void QueueWanted()
    {
        if (Volatile.Read(ref _helpers) < _maxHelpers && InFlight < Limit)
            QueueRun();
    }

    /// <summary>Called by <see cref="StallWatch"/> if a body has occupied a pump for a millisecond: it may block.</summary>
    internal void HelpStalled()
    {
        if (!TryTakeLifetime())
            return;
        Stalled();
        if (!CanFinish && Volatile.Read(ref _helpers) < _maxHelpers && InFlight < Limit)
            QueueRun();
        ReleaseLifetime();
    }

    /// <summary>Stops taking items, cancels the items in flight unless they may finish, and wakes waiting ones. The first cause counts,
    /// unless a more severe one follows: an operation that drains can still fail or be cancelled.</summary>
    /// <returns>False when the operation had already stopped.</returns>
    internal bool Stop(StopCause cause, Exception? exception)
    {
        lock (_stopGate)
        {
            if (Rank(cause) <= Rank(Cause))
                return false;
            // The exception before the cause: a pump that sees the cause may finish the run immediately.
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

    /// <summary>Handles exceptions of callbacks that bodies registered on a token: they end the operation, or are added to its end.</summary>
    internal void BreakFromCallbacks(AggregateException thrown)
    {
        if (!TryTakeLifetime())
            return;
        if (!Stop(StopCause.Broken, thrown))
            AddToStop(thrown);
        ReleaseLifetime();
    }

    /// <summary>Prevents reuse for another run until <see cref="Unhold"/>. Before the run starts to pump, or with a reference.</summary>
    internal void Hold() => Interlocked.Increment(ref _lifetime);

    /// <summary>Ends a <see cref="Hold"/>.</summary>
    internal void Unhold() => ReleaseLifetime();

    /// <summary>Resumes a pump that was parked because a stream's window was full, because of a pause, or because it is the reader's turn.</summary>
    internal void Unpark(bool onThisThread)
    {
        if (Volatile.Read(ref _parked) == 0 || Interlocked.Exchange(ref _parked, 0) == 0)
            return;
        if (onThisThread)
            ContinueWithReference();
        else
            ThreadPool.UnsafeQueueUserWorkItem(static pump => pump.ContinueWithReference(), this, preferLocal: false);
    }

    /// <summary>True if a pump waits for its reader, a resume or a free lane.</summary>
    internal bool IsParked => Volatile.Read(ref _parked) != 0;

    /// <summary>True if a pump waits for room in the window, a resume or a free lane.</summary>
    internal bool IsParkedForRoom => Volatile.Read(ref _parked) == ParkedByWindow;

    /// <summary>True if a pump waits for the reader to return after taking all results.</summary>
    internal bool IsParkedForReader => Volatile.Read(ref _parked) == ParkedByReader;

    /// <summary>The reader of a stream found no result: it pumps itself if no other thread does.</summary>
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

    /// <summary>A separate token for the source: cancelled when no further item is needed, although bodies may continue.</summary>
    protected CancellationToken BeginReading()
    {
        _sourceCancellation = new CancellationTokenSource();
        return _sourceCancellation.Token;
    }

    /// <summary>Registers with the caller's token. The caller of this owns a reference.</summary>
    protected void ListenTo(CancellationToken ct)
    {
        if (ct.CanBeCanceled)
            _callerRegistration = ct.UnsafeRegister(static (state, token) => ((PumpState)state!).CallerCancelled(token), this);
    }

    /// <summary>Releases the registrations of <see cref="Begin"/> and <see cref="ListenTo"/>.</summary>
    /// <returns>True if no callback can reach the object any more, so that it may be used for another run.</returns>
    protected bool End()
    {
        var unreachable = !IsStopped;
        // A running call of OnLimitRaised finds no run, or helps the next one: both are harmless.
        if (_liveLimit is not null)
            _liveLimit.Raised -= _onLimitRaised;
        if (_callerRegistration.Token.CanBeCanceled)
            unreachable &= _callerRegistration.Unregister();
        _callerRegistration = default;
        // Not disposed: a body that outlives its item may still use the token; without a timer there is nothing to free.
        _cancellation = null;
        _sourceCancellation = null;
        _context = null;
        return unreachable;
    }

    protected void RunOwned(bool forReader = false, object? first = null)
    {
        var context = _context;
        var outer = ExecutionContext.Capture();
        // Bodies see the ambient values of the operation's start, not those of the item whose completion runs this code.
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
            // The caller must not see changes made by bodies that are not async methods.
            if (outer is not null && !ReferenceEquals(ExecutionContext.Capture(), outer))
                ExecutionContext.Restore(outer);
        }
    }

    /// <summary>Takes a slot and a reference if the limit allows it.</summary>
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

    /// <summary>Takes a reference while another one exists.</summary>
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

    /// <summary>Returns slot and reference.</summary>
    /// <returns>True if the caller must continue: it still (or again) owns both.</returns>
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

    /// <summary>Returns slot and reference if more slots are in use than a lowered limit allows.</summary>
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

    /// <summary>Keeps the reference and returns the slot until <see cref="Unpark"/>.</summary>
    /// <param name="untilReaderReturns">Whether it is parked because the reader has results; the reader returns by itself.</param>
    /// <returns>True if the caller must continue: it still (or again) owns slot and reference.</returns>
    protected bool Park(bool untilReaderReturns)
    {
        // The slot first: the thread that unparks takes one. With two references this thread cannot be the last to leave.
        AddReference();
        _ = Leave();
        if (untilReaderReturns)
            return Interlocked.CompareExchange(ref _parked, ParkedByReader, 0) != 0 && !TryLeaveReference();
        // Once it is parked, another thread may resume the pump and end the run: until this thread has checked again for missed
        // work, the object must neither lose its source and sink nor be used for another run.
        Hold();
        var goesOn = ParkForRoom();
        Unhold();
        return goesOn;
    }

    private bool ParkForRoom()
    {
        var parked = Interlocked.CompareExchange(ref _parked, ParkedByWindow, 0);
        if (IsPaused || !(MayClaim || HasQueued || IsStopped))
            return parked != 0 && !TryLeaveReference();
        if (Interlocked.CompareExchange(ref _parked, 0, ParkedByWindow) != ParkedByWindow)
        {
            // Another thread resumed the pump that this one had parked; or one waits for the reader, which returns by itself.
            if (parked == 0)
                return false;
        }
        else if (parked != 0)
        {
            // Another pump is parked, and this one has made room since its last claim: it continues in place of both.
            Interlocked.Add(ref _state, -OneReference);
        }
        return TryTakeSlot() || !TryLeaveReference();
    }

    /// <summary>Takes over a parked pump. The caller owns a slot and a reference.</summary>
    protected bool TryAbsorbParked()
    {
        if (Interlocked.Exchange(ref _parked, 0) == 0)
            return false;
        Interlocked.Add(ref _state, -OneReference);
        return true;
    }

    /// <summary>Takes a slot in addition to the reference that the caller owns.</summary>
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

    /// <summary>Returns a reference without a slot.</summary>
    /// <returns>False if the caller must continue as a pump: it now owns a slot too.</returns>
    protected bool TryLeaveReference()
    {
        var state = Volatile.Read(ref _state);
        while (true)
        {
            var last = state < 2 * OneReference;
            // The last owner has no competition for the slot; a limit cannot be below one.
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

    // From here on other threads may have finished the run, and the object may even be used for another one: then the work item
    // finds no slot or helps that other run; both are harmless.
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
        // A pump that raised the limit itself, with its own measurements, is awake and uses it.
        if (!StallWatch.IsRunningHere(this) && TryTakeLifetime())
        {
            QueueRun();
            ReleaseLifetime();
        }
    }
}
