using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>The items that wait for a slot, the items in flight, and the counters for progress and metrics.</summary>
internal abstract class QueuedPump<TItem, TResult, TPending> : PumpState, IReadings, IControlled
    where TPending : struct, IPending<TResult>
{
    // An operation that had more runs keeps only this many for the next one: about 16 KiB at most.
    private const int KeptRuns = 64;

    private readonly List<ItemRun<TItem, TResult, TPending>> _runs = [];   // every run ever created here; guarded by QueueLock
    private readonly List<Spill<TItem>> _spills = [];                      // guarded by QueueLock
    private ItemRun<TItem, TResult, TPending>? _free;                      // guarded by QueueLock
    private ItemRun<TItem, TResult, TPending>? _readyHead;                 // guarded by QueueLock
    private ItemRun<TItem, TResult, TPending>? _readyTail;                 // guarded by QueueLock
    private volatile int _queued;
    private long _started;
    private long _completed;
    private long _failed;
    private long _retries;
    private long _throttled;
    private long _ended;
    private bool _counts;
    private bool _usedTimers;
    private ITimer? _deadline;
    private ITimer? _timeoutWatch;
    private int _watching;
    private ProgressReporter? _reporter;

    protected Lock QueueLock { get; } = new();

    protected Lanes<TItem>? Lanes { get; set; }

    protected abstract long? Total { get; }

    protected sealed override bool HasQueued => _queued != 0;

    internal abstract void Resume(ItemRun<TItem, TResult, TPending> run);

    public FlowState State => IsParked ? FlowState.Blocked : InFlight > 0 ? FlowState.Busy : FlowState.Starved;

    public FlowProgress Read(TimeSpan elapsed, double rate) => new(
        Volatile.Read(ref _started),
        Volatile.Read(ref _completed),
        Volatile.Read(ref _failed),
        Volatile.Read(ref _retries),
        Volatile.Read(ref _throttled),
        InFlight,
        Limit,
        Total,
        elapsed,
        rate);

    void IControlled.Resume()
    {
        if (TryTakeLifetime())
        {
            Unpark(onThisThread: false);
            ReleaseLifetime();
        }
    }

    void IControlled.Drain()
    {
        if (TryTakeLifetime())
        {
            Stop(StopCause.Drained, exception: null);
            ReleaseLifetime();
        }
    }

    internal ITimer MakeTimer(TimerCallback callback, object state)
    {
        _usedTimers = true;
        return Settings.Time.CreateTimer(callback, state, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    protected void BeginQueue()
    {
        _counts = Settings.Counts || Settings.Hooks?.OnDrain is not null;
        _started = _completed = _failed = _retries = _throttled = _ended = 0;
        _usedTimers = false;
        _watching = 0;
        if (Settings.Deadline > TimeSpan.Zero)
        {
            _usedTimers = true;
            _deadline = Settings.Time.CreateTimer(
                static state => ((QueuedPump<TItem, TResult, TPending>)state!).DeadlinePassed(), this, Settings.Deadline, Timeout.InfiniteTimeSpan);
        }
        Settings.Control?.Attach(this);
        Settings.Meter?.Attach(this);
        if (Settings.Progress is not null)
            _reporter = new ProgressReporter(this, Settings.Progress, Settings.ProgressInterval, Settings.Time);
    }

    /// <summary>Releases timers and listeners. Called once, by the thread that finishes the run.</summary>
    /// <returns>True if none of its callbacks can still run.</returns>
    protected bool EndQueue()
    {
        var detached = !_usedTimers && _reporter is null && Settings.Control is null;
        _deadline?.Dispose();
        _deadline = null;
        lock (QueueLock)
        {
            _timeoutWatch?.Dispose();
            _timeoutWatch = null;
        }
        if (_usedTimers)
        {
            foreach (var run in _runs)
                run.DisposeTimer();
        }
        Settings.Control?.Detach(this);
        Settings.Meter?.Detach(this);
        Settings.Hooks?.NotifyDrained(_ended);
        _reporter?.Finish();
        _reporter = null;
        return detached;
    }

    /// <summary>Keeps a limited number of runs for the next operation.</summary>
    protected void RecycleQueue()
    {
        Lanes = null;
        if (_runs.Count <= KeptRuns)
            return;
        _runs.Clear();
        _free = null;
    }

    protected ItemRun<TItem, TResult, TPending> RentRun()
    {
        lock (QueueLock)
        {
            if (_free is { } free)
            {
                _free = free.Next;
                free.Next = null;
                return free;
            }
            var made = new ItemRun<TItem, TResult, TPending>(this);
            _runs.Add(made);
            return made;
        }
    }

    protected void ReturnRun(ItemRun<TItem, TResult, TPending> run)
    {
        lock (QueueLock)
        {
            run.Next = _free;
            _free = run;
        }
    }

    protected void Enqueue(Spill<TItem> spill)
    {
        lock (QueueLock)
        {
            _spills.Add(spill);
            _queued++;
        }
    }

    /// <summary>Queues the items that arrived before their turn and have entered their lanes since.</summary>
    protected void QueueFreed()
    {
        if (!Lanes!.TryTakeFreed(out var item, out var index))
            return;
        do
        {
            Enqueue(new Spill<TItem>(index, index + 1, null, item));
        }
        while (Lanes.TryTakeFreed(out item, out index));
        if (IsParkedForRoom)
            Unpark(onThisThread: false);
        QueueWanted();
    }

    protected void Enqueue(ItemRun<TItem, TResult, TPending> run)
    {
        lock (QueueLock)
        {
            run.Next = null;
            if (_readyTail is null)
                _readyHead = run;
            else
                _readyTail.Next = run;
            _readyTail = run;
            _queued++;
        }
    }

    /// <summary>Takes a waiting item: items whose backoff is over first, then claimed ones, the lowest index first.</summary>
    protected bool TryDequeue(out ItemRun<TItem, TResult, TPending>? ready, out Spill<TItem> spill)
    {
        lock (QueueLock)
        {
            spill = default;
            ready = _readyHead;
            if (ready is not null)
            {
                _readyHead = ready.Next;
                if (_readyHead is null)
                    _readyTail = null;
                ready.Next = null;
                _queued--;
                return true;
            }
            if (_spills.Count == 0)
                return false;
            var lowest = 0;
            for (var i = 1; i < _spills.Count; i++)
            {
                if (_spills[i].From < _spills[lowest].From)
                    lowest = i;
            }
            spill = _spills[lowest];
            _spills.RemoveAt(lowest);
            _queued--;
            return true;
        }
    }

    protected override void WakeAll()
    {
        if (!IsCancelling)
            return;
        ItemRun<TItem, TResult, TPending>[] runs;
        lock (QueueLock)
            runs = [.. _runs];
        foreach (var run in runs)
            run.Stop();
    }

    protected void CountStarted()
    {
        if (_counts)
            Interlocked.Increment(ref _started);
    }

    protected void CountCompleted()
    {
        if (_counts)
        {
            Interlocked.Increment(ref _completed);
            Interlocked.Increment(ref _ended);
        }
    }

    protected void CountFailed()
    {
        if (_counts)
        {
            Interlocked.Increment(ref _failed);
            Interlocked.Increment(ref _ended);
        }
    }

    protected void CountRetry()
    {
        if (_counts)
            Interlocked.Increment(ref _retries);
    }

    protected void CountThrottled()
    {
        if (_counts)
            Interlocked.Increment(ref _throttled);
    }

    /// <summary>Adds the counts of a pump.</summary>
    protected void Flush(ref PumpFrame<TItem, TResult, TPending> frame)
    {
        if (_counts && (frame.Started | frame.Completed) != 0)
        {
            Interlocked.Add(ref _started, frame.Started);
            Interlocked.Add(ref _completed, frame.Completed);
            Interlocked.Add(ref _ended, frame.Completed);
        }
        if (frame.Started != 0)
            Settings.Retry?.Budget?.Deposit(frame.Started);
        frame.Started = frame.Completed = 0;
    }

    protected override void Stalled()
    {
        // A pump that is busy with many short calls needs no watch.
        if (Settings.ItemTimeout > TimeSpan.Zero && OldestCall() is var oldest and not 0
            && Settings.Time.GetElapsedTime(oldest) >= TimeSpan.FromMilliseconds(1))
            WatchTimeouts();
    }

    /// <summary>Ensures that calls that exceed their time limit are found. Called when one suspends or blocks its thread.</summary>
    protected void WatchTimeouts()
    {
        if (Settings.ItemTimeout <= TimeSpan.Zero || Volatile.Read(ref _watching) != 0 || Interlocked.Exchange(ref _watching, 1) != 0)
            return;
        lock (QueueLock)
        {
            if (_timeoutWatch is null)
            {
                _usedTimers = true;
                _timeoutWatch = Settings.Time.CreateTimer(
                    static state => ((QueuedPump<TItem, TResult, TPending>)state!).CancelOverdue(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            }
            ArmWatch(Settings.ItemTimeout);
        }
    }

    // Under QueueLock. Rounded up: a call must not be cancelled early.
    private void ArmWatch(TimeSpan due)
        => _timeoutWatch?.Change(TimeSpan.FromMilliseconds(Math.Max(1, Math.Ceiling(due.TotalMilliseconds))), Timeout.InfiniteTimeSpan);

    private void CancelOverdue()
    {
        if (!TryTakeLifetime())
            return;
        var oldest = OldestCall();
        if (oldest == 0)
        {
            // No thread runs: the watch stops, unless one started between the check and the stop.
            Volatile.Write(ref _watching, 0);
            Interlocked.MemoryBarrier();
            oldest = OldestCall();
            if (oldest != 0 && Interlocked.Exchange(ref _watching, 1) != 0)
                oldest = 0;
        }
        if (oldest != 0)
        {
            lock (QueueLock)
                ArmWatch(Settings.ItemTimeout - Settings.Time.GetElapsedTime(oldest));
        }
        ReleaseLifetime();
    }

    private long OldestCall()
    {
        ItemRun<TItem, TResult, TPending>[] runs;
        lock (QueueLock)
            runs = [.. _runs];
        var timeoutTicks = (long)(Settings.ItemTimeout.TotalSeconds * Settings.Time.TimestampFrequency);
        var now = Math.Max(1, Settings.Time.GetTimestamp());
        var moment = now - timeoutTicks;
        var oldest = 0L;
        foreach (var run in runs)
        {
            var started = run.ExpireIfBegunBy(moment, now);
            if (started != 0 && (oldest == 0 || started < oldest))
                oldest = started;
        }
        return oldest;
    }

    private void DeadlinePassed()
    {
        if (TryTakeLifetime())
        {
            Stop(StopCause.Deadline, new TimeoutException($"The operation took longer than its Deadline of {Settings.Deadline}."));
            ReleaseLifetime();
        }
    }
}
