// Hot path: ItemPump -> this. Allocations: none unless a caller waits.
namespace Postrider.Resilience;

/// <summary>A token bucket: a number of permits per unit of time, with a burst.</summary>
/// <remarks>
/// The state is one 64-bit word, the time at which the bucket is full again (the generic cell rate algorithm): taking a permit is
/// one clock read and one compare-and-swap, there is no timer and no queue. A caller that must wait reserves its
/// permit once and sleeps exactly until it is due, so waiters neither stampede nor overtake. Thread-safe; share one
/// object to share one rate. Source: ITU-T I.371, annex on the generic cell rate algorithm.
/// </remarks>
public sealed class RateLimiter : IIdleGate
{
    /// <summary>The longest due time of a timer, 49 days.</summary>
    internal static readonly TimeSpan MaxTimer = TimeSpan.FromMilliseconds(uint.MaxValue - 1);

    private readonly TimeProvider _time;
    private readonly Lock _gate = new();   // guards a change of rate
    private Rate _rate;
    private long _full;

    /// <summary>Creates a full bucket.</summary>
    /// <param name="permits">Permits per <paramref name="per"/>; above 0.</param>
    /// <param name="per">The time in which <paramref name="permits"/> are refilled, evenly spread.</param>
    /// <param name="burst">Permits that may be taken at once from a full bucket; by default <paramref name="permits"/>, at least 1.</param>
    /// <param name="time">The clock.</param>
    public RateLimiter(double permits, TimeSpan per, double? burst = null, TimeProvider? time = null)
    {
        _time = time ?? TimeProvider.System;
        _rate = new Rate(permits, per, burst ?? Math.Max(1, permits), _time);
        _full = _time.GetTimestamp();
    }

    /// <summary>Creates a full bucket from a rate per second.</summary>
    /// <param name="permitsPerSecond">Permits per second; above 0.</param>
    /// <param name="burst">Permits that may be taken at once from a full bucket.</param>
    /// <param name="time">The clock.</param>
    public RateLimiter(double permitsPerSecond, double? burst = null, TimeProvider? time = null)
        : this(permitsPerSecond, TimeSpan.FromSeconds(1), burst, time)
    {
    }

    /// <summary>Permits that could be taken now.</summary>
    public double Available
    {
        get
        {
            var rate = Volatile.Read(ref _rate);
            var owed = Math.Max(0, Volatile.Read(ref _full) - _time.GetTimestamp());
            return Math.Max(0, (rate.BurstTicks - owed) / rate.TicksPerPermit);
        }
    }

    /// <summary>Permits that may be taken at once from a full bucket, rounded down.</summary>
    public int Burst => Volatile.Read(ref _rate).Burst;

    bool IIdleGate.IsIdle => Volatile.Read(ref _full) <= _time.GetTimestamp();

    /// <summary>Takes permits if they are available.</summary>
    /// <param name="cost">Permits to take, from 1 to the burst.</param>
    /// <returns>False if the bucket holds fewer; nothing is taken then.</returns>
    public bool TryAcquire(int cost = 1)
    {
        var rate = Volatile.Read(ref _rate);
        return TryTake(rate, rate.Price(cost));
    }

    /// <summary>Takes as many permits as are available, up to a maximum.</summary>
    /// <param name="maxPermits">Maximum number of permits to take; above 0.</param>
    /// <returns>The permits taken: all (at most the burst), one or none.</returns>
    /// <remarks>A concurrent <see cref="Change"/> is safe.</remarks>
    public int TryAcquireUpTo(int maxPermits)
    {
        var rate = Volatile.Read(ref _rate);
        var all = Math.Min(maxPermits, rate.Burst);
        if (all > 1 && TryTake(rate, rate.Price(all)))
            return all;
        return TryTake(rate, rate.Price(1)) ? 1 : 0;
    }

    /// <summary>Takes permits that are available now or later.</summary>
    /// <param name="cost">Permits to take, from 1 to the burst.</param>
    /// <returns>How long to wait before they may be used; zero if they were available. They are taken in either case: a caller that
    /// does not use them calls <see cref="Return"/>.</returns>
    public TimeSpan Reserve(int cost = 1)
    {
        var rate = Volatile.Read(ref _rate);
        var price = rate.Price(cost);
        var now = _time.GetTimestamp();
        var full = Volatile.Read(ref _full);
        while (true)
        {
            var next = Math.Max(full, now) + price;
            var seen = Interlocked.CompareExchange(ref _full, next, full);
            if (seen == full)
                return rate.ToTime(next - now - rate.BurstTicks);
            full = seen;
        }
    }

    /// <summary>Takes permits, waiting for them if necessary.</summary>
    /// <param name="cost">Permits to take, from 1 to the burst.</param>
    /// <param name="ct">Cancels the wait; the permits are then returned.</param>
    public ValueTask AcquireAsync(int cost = 1, CancellationToken ct = default)
    {
        if (ct.IsCancellationRequested)
            return ValueTask.FromCanceled(ct);
        var wait = Reserve(cost);
        return wait <= TimeSpan.Zero ? ValueTask.CompletedTask : WaitAsync(wait, cost, ct);
    }

    /// <summary>Returns permits that were taken and not used.</summary>
    /// <param name="cost">The number of permits taken.</param>
    /// <remarks>After a <see cref="Change"/> they count at the new rate.</remarks>
    public void Return(int cost = 1)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(cost, 1);
        Interlocked.Add(ref _full, -Volatile.Read(ref _rate).Worth(cost));
    }

    /// <summary>Issues no permit before a point in time, such as the one a server returns in Retry-After.</summary>
    /// <remarks>At the end of the wait the bucket holds one permit, and the rest of the burst is refilled at the rate: a server that has
    /// just told callers to wait does not receive a burst. A hold that ends before a current one, or before the permits
    /// already reserved are due, changes nothing.</remarks>
    /// <param name="wait">The time from now; at most 10 years. Zero or less does nothing.</param>
    public void HoldBack(TimeSpan wait)
    {
        if (wait <= TimeSpan.Zero)
            return;
        var rate = Volatile.Read(ref _rate);
        // The first permit is due when the wait ends.
        var until = _time.GetTimestamp() + rate.ToTicks(wait) + rate.BurstTicks - (long)rate.TicksPerPermit;
        var full = Volatile.Read(ref _full);
        while (full < until)
        {
            var seen = Interlocked.CompareExchange(ref _full, until, full);
            if (seen == full)
                return;
            full = seen;
        }
    }

    /// <summary>Changes the rate from now on; waits that have started keep their duration.</summary>
    /// <param name="permits">Permits per <paramref name="per"/>; above 0.</param>
    /// <param name="per">The time in which <paramref name="permits"/> are refilled.</param>
    /// <param name="burst">Permits that may be taken at once from a full bucket.</param>
    public void Change(double permits, TimeSpan per, double? burst = null)
    {
        var rate = new Rate(permits, per, burst ?? Math.Max(1, permits), _time);
        lock (_gate)
            Volatile.Write(ref _rate, rate);
    }

    private bool TryTake(Rate rate, long price)
    {
        var now = _time.GetTimestamp();
        var full = Volatile.Read(ref _full);
        while (true)
        {
            var next = Math.Max(full, now) + price;
            if (next - now > rate.BurstTicks)
                return false;
            var seen = Interlocked.CompareExchange(ref _full, next, full);
            if (seen == full)
                return true;
            full = seen;
        }
    }

    private async ValueTask WaitAsync(TimeSpan wait, int cost, CancellationToken ct)
    {
        try
        {
            // A timer supports at most 49 days.
            for (; wait > MaxTimer; wait -= MaxTimer)
                await Task.Delay(MaxTimer, _time, ct).ConfigureAwait(false);
            await Task.Delay(wait, _time, ct).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            Return(cost);
            throw;
        }
    }

    /// <summary>A rate in the clock's ticks.</summary>
    private sealed class Rate
    {
        // Above this, sums of the clock's ticks would overflow: ten years at one tick per nanosecond are a thirtieth of 64 bits.
        private const double MaxSeconds = 10 * 365.25 * 24 * 3600;

        private readonly double _burst;
        private readonly long _frequency;

        public Rate(double permits, TimeSpan per, double burst, TimeProvider time)
        {
            if (!(permits > 0) || double.IsInfinity(permits))
                throw new ArgumentOutOfRangeException(nameof(permits), permits, $"A rate of {permits} permits is not a finite number above 0; to have no limit, use no RateLimiter.");
            if (per <= TimeSpan.Zero)
                throw new ArgumentOutOfRangeException(nameof(per), per, $"A rate per {per} is not above zero.");
            if (!(burst >= 1) || double.IsInfinity(burst))
                throw new ArgumentOutOfRangeException(nameof(burst), burst, $"A burst of {burst} permits is not a finite number of at least 1.");
            if (per.TotalSeconds * burst / permits > MaxSeconds)
                throw new ArgumentOutOfRangeException(nameof(burst), burst, $"A bucket of {burst} at {permits} permits per {per} takes more than 10 years to fill.");
            _burst = burst;
            _frequency = time.TimestampFrequency;
            TicksPerPermit = per.TotalSeconds * _frequency / permits;
            BurstTicks = (long)(burst * TicksPerPermit);
        }

        public int Burst => (int)Math.Min(_burst, int.MaxValue);

        public double TicksPerPermit { get; }

        public long BurstTicks { get; }

        public long Price(int cost)
        {
            if (cost < 1 || cost > _burst)
                ThrowCost(cost);
            return Worth(cost);
        }

        public long Worth(int cost) => (long)(cost * TicksPerPermit);

        public TimeSpan ToTime(long ticks)
            => ticks <= 0 ? TimeSpan.Zero : TimeSpan.FromTicks((long)Math.Ceiling(ticks * (double)TimeSpan.TicksPerSecond / _frequency));

        public long ToTicks(TimeSpan time) => (long)(Math.Min(time.TotalSeconds, MaxSeconds) * _frequency);

        private void ThrowCost(int cost)
            => throw new ArgumentOutOfRangeException(nameof(cost), cost, cost < 1
                ? $"A cost of {cost} permits is below 1. In an operator the cost comes from FlowOptions.Cost; for items without a cost let RateLimitFor return null."
                : $"A cost of {cost} permits is above the burst {_burst} and could never be granted. In an operator the cost comes from FlowOptions.Cost.");
    }
}
