namespace Postrider.Testing;

/// <summary>A clock that a test moves: timers fire inside <see cref="Advance"/>, in the order of their due times.</summary>
/// <param name="start">The first instant; null for 2000-01-01.</param>
/// <remarks>Thread-safe; callbacks run on the thread that advances.</remarks>
public sealed class ManualTime(DateTimeOffset? start = null) : TimeProvider
{
    private readonly Lock _sync = new(); // guards _now and _timers
    private readonly List<ManualTimer> _timers = [];
    private DateTimeOffset _now = start ?? new(2000, 1, 1, 0, 0, 0, TimeSpan.Zero);

    /// <inheritdoc/>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow()
    {
        lock (_sync)
            return _now;
    }

    /// <inheritdoc/>
    public override long GetTimestamp() => GetUtcNow().UtcTicks;

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Moves the clock and fires what becomes due.</summary>
    /// <param name="by">How far, not negative.</param>
    public void Advance(TimeSpan by)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(by, TimeSpan.Zero);
        var end = GetUtcNow() + by;
        while (true)
        {
            ManualTimer? next;
            lock (_sync)
            {
                next = _timers.Where(t => t.Due <= end).MinBy(t => t.Due);
                _now = next is null ? end : next.Due > _now ? next.Due : _now;
                if (next is null)
                    return;
                next.Rearm(_now);
            }

            next.Fire();
        }
    }

    private sealed class ManualTimer(ManualTime owner, TimerCallback callback, object? state) : ITimer
    {
        private TimeSpan _period;

        internal DateTimeOffset Due { get; private set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (owner._sync)
            {
                owner._timers.Remove(this);
                _period = period;
                if (dueTime == Timeout.InfiniteTimeSpan)
                    return true;
                Due = owner._now + dueTime;
                owner._timers.Add(this);
                return true;
            }
        }

        public void Dispose()
        {
            lock (owner._sync)
                owner._timers.Remove(this);
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }

        internal void Rearm(DateTimeOffset now)
        {
            if (_period == Timeout.InfiniteTimeSpan || _period == TimeSpan.Zero)
                owner._timers.Remove(this);
            else
                Due = now + _period;
        }

        internal void Fire() => callback(state);
    }
}
