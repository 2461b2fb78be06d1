namespace Postrider.TestKit;

/// <summary>A clock that stands still until a test moves it, and timers that fire while it moves.</summary>
/// <remarks>
/// Thread-safe. Callbacks run on the thread that calls <see cref="Advance"/>, in the order of their due times, with the
/// clock standing at that time; a callback may arm further timers, which fire in the same call when they are due. The
/// platform's FakeTimeProvider stands at the end of an advance when the first callback runs, and does not tell its timers:
/// it is for tests that need neither.
/// </remarks>
public sealed class TestClock : TimeProvider
{
    private readonly Lock _gate = new();   // guards everything below
    private readonly List<FakeTimer> _timers = [];
    private DateTimeOffset _now;
    private long _armings;

    public TestClock(DateTimeOffset? start = null)
        => _now = start ?? new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    /// <summary>Ticks of 100 ns, as <see cref="TimeSpan.Ticks"/>.</summary>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    /// <summary>Called after each timer: waits for what its callback left to other threads.</summary>
    public Action? Fired { get; set; }

    /// <summary>Timers that are armed.</summary>
    public int ArmedTimers
    {
        get
        {
            lock (_gate)
                return _timers.Count;
        }
    }

    /// <summary>The time until the next timer is due; null when none is armed.</summary>
    public TimeSpan? UntilNextTimer
    {
        get
        {
            lock (_gate)
                return NextDue() is { } timer ? timer.Due - _now : null;
        }
    }

    public override DateTimeOffset GetUtcNow()
    {
        lock (_gate)
            return _now;
    }

    public override long GetTimestamp() => GetUtcNow().UtcTicks;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new FakeTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Moves the clock and fires what becomes due on the way.</summary>
    public void Advance(TimeSpan by)
    {
        var target = GetUtcNow() + by;
        while (true)
        {
            FakeTimer? due;
            lock (_gate)
            {
                due = NextDue();
                if (due is null || due.Due > target)
                {
                    _now = target;
                    return;
                }
                _now = due.Due > _now ? due.Due : _now;
                if (due.Period > TimeSpan.Zero)
                    due.Arm(due.Due + due.Period, ++_armings);
                else
                    _timers.Remove(due);
            }
            due.Fire();
            Fired?.Invoke();
        }
    }

    /// <summary>Moves the clock to the next timer and fires it.</summary>
    /// <returns>False when no timer is armed.</returns>
    public bool AdvanceToNextTimer()
    {
        if (UntilNextTimer is not { } wait)
            return false;
        Advance(wait < TimeSpan.Zero ? TimeSpan.Zero : wait);
        return true;
    }

    private FakeTimer? NextDue()
    {
        FakeTimer? first = null;
        foreach (var timer in _timers)
        {
            if (first is null || timer.Due < first.Due || (timer.Due == first.Due && timer.Arming < first.Arming))
                first = timer;
        }
        return first;
    }

    private sealed class FakeTimer(TestClock time, TimerCallback callback, object? state) : ITimer
    {
        public DateTimeOffset Due { get; private set; }

        public TimeSpan Period { get; private set; }

        public long Arming { get; private set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (time._gate)
            {
                time._timers.Remove(this);
                if (dueTime == Timeout.InfiniteTimeSpan)
                    return true;
                ArgumentOutOfRangeException.ThrowIfLessThan(dueTime, TimeSpan.Zero);
                Period = period;
                Arm(time._now + dueTime, ++time._armings);
                time._timers.Add(this);
                return true;
            }
        }

        public void Arm(DateTimeOffset due, long arming) => (Due, Arming) = (due, arming);

        public void Fire() => callback(state);

        public void Dispose()
        {
            lock (time._gate)
                time._timers.Remove(this);
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
