using Microsoft.Extensions.Time.Testing;

namespace Postrider.Testing;

/// <summary>A fake clock that exposes the due time of its next timer.</summary>
internal sealed class VirtualTime : FakeTimeProvider
{
    private readonly Lock _gate = new(); // guards _timers and their due times
    private readonly HashSet<VirtualTimer> _timers = [];
    private readonly WorkTracker _work;

    internal VirtualTime(DateTimeOffset start, WorkTracker work)
        : base(start)
        => _work = work;

    /// <summary>When the next timer is due; null if none is set.</summary>
    internal DateTimeOffset? NextDue
    {
        get
        {
            lock (_gate)
                return _timers.Min(timer => timer.Due);
        }
    }

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new VirtualTimer(this, callback, state, period);
        timer.Inner = base.CreateTimer(static timer => ((VirtualTimer)timer!).Fire(), timer, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _ = timer.Change(dueTime, period);
        return timer;
    }

    private sealed class VirtualTimer : ITimer
    {
        private readonly VirtualTime _time;
        private readonly TimerCallback _callback;
        private readonly object? _state;
        private readonly WorkTracker.Work? _waiting;
        private TimeSpan _period;
        private bool _isWaitedFor;

        internal VirtualTimer(VirtualTime time, TimerCallback callback, object? state, TimeSpan period)
        {
            (_time, _callback, _state, _period) = (time, callback, state, period);
            // Only a timer of Task.Delay means that the code waits; a timeout runs concurrently with the code that it limits.
            if (state?.GetType().Name.StartsWith("DelayPromise", StringComparison.Ordinal) == true)
                _waiting = time._work.Current;
        }

        internal ITimer? Inner { get; set; }

        // Guarded by the clock's gate.
        internal DateTimeOffset? Due { get; private set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            SetDue(dueTime, period);
            if (dueTime < TimeSpan.Zero)
                return Inner!.Change(dueTime, period);
            // Once its due time is known, the test may advance the clock: the remaining time counts from when the timer was set.
            TimeSpan left;
            do
            {
                if (Left() is not { } now)
                    return true;
                left = now;
                if (!Inner!.Change(left, period))
                    return false;
            }
            while (Left() < left);
            return true;
        }

        public void Dispose()
        {
            SetDue(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            Inner?.Dispose();
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }

        // The time until it is due; null if it is not set, or has fired.
        private TimeSpan? Left()
        {
            lock (_time._gate)
                return Due is not { } due ? null : due - _time.GetUtcNow() is var left && left > TimeSpan.Zero ? left : TimeSpan.Zero;
        }

        private void SetDue(TimeSpan dueTime, TimeSpan period)
        {
            bool isSet, wasWaitedFor;
            lock (_time._gate)
                (isSet, wasWaitedFor) = Set(dueTime, period);
            Tell(isSet, wasWaitedFor);
        }

        // Once per due time, even if several threads advance the clock.
        private bool TryTake()
        {
            bool isSet, wasWaitedFor;
            lock (_time._gate)
            {
                if (Due is not { } due || due > _time.GetUtcNow())
                    return false;
                (isSet, wasWaitedFor) = Set(_period > TimeSpan.Zero ? _period : Timeout.InfiniteTimeSpan, _period);
            }

            Tell(isSet, wasWaitedFor);
            return true;
        }

        private (bool IsSet, bool WasWaitedFor) Set(TimeSpan dueTime, TimeSpan period)
        {
            var isSet = dueTime >= TimeSpan.Zero;
            _period = period;
            Due = isSet ? _time.GetUtcNow() + dueTime : null;
            if (isSet)
                _time._timers.Add(this);
            else
                _time._timers.Remove(this);
            var wasWaitedFor = _isWaitedFor;
            _isWaitedFor = isSet && _waiting is not null;
            return (isSet, wasWaitedFor);
        }

        private void Tell(bool isSet, bool wasWaitedFor)
        {
            if (_waiting is not null && wasWaitedFor != isSet)
                _time._work.Wait(_waiting, isSet ? 1 : -1);
        }

        internal void Fire()
        {
            // The waiting code continues within this call; it counts as running before its wait ends.
            var work = _time._work.Begin("a timer");
            try
            {
                if (TryTake())
                    _callback(_state);
            }
            finally
            {
                _time._work.End(work);
            }
        }
    }
}
