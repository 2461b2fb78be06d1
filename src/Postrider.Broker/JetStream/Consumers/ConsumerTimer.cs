// Hot path: Consumer -> this, once per pass. Allocations: none; one timer per consumer, set again only when it would be late.
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Text;
using Postrider.Sockets;
using Postrider.Storage.Consumers;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>The timer of one consumer: for acknowledgement deadlines, pauses, heartbeats and inactivity.</summary>
/// <remarks>Guarded by the stream's lock. A timer that fires early only costs a check, so it is never moved to a later time.
/// Times in nanoseconds since 1970.</remarks>
internal sealed class ConsumerTimer(Consumer owner)
{
    /// <summary>How long deliveries may be missing from the log: if they are lost, the messages are delivered again.</summary>
    public const long FlushDelay = 100_000_000;

    /// <summary>The delay before the next attempt after a failed write.</summary>
    public const long RetryDelay = 1_000_000_000;

    // Deadlines this close together are handled together.
    private const long Slack = 1_000_000;

    // A timer takes at most 49 days; when it fires too early it is set again.
    private const long MaxTicks = 40 * TimeSpan.TicksPerDay;

    private const int NanosecondsPerTick = 100;
    private const long MinIdleCheck = 50_000_000;

    // Added to the threshold of pull consumers, so that many of them do not end at once.
    private const int MinJitterMilliseconds = 100;
    private const int MaxJitterMilliseconds = 1000;

    private ITimer? _timer;
    private long _scheduledFor = long.MaxValue;
    private long _threshold;
    private long _lastActivity;
    private long _pausedUntil;

    /// <summary>Whether it was inactive for longer than its threshold.</summary>
    public bool HasExpired { get; private set; }

    /// <summary>Starts the timer.</summary>
    public void Start(long now)
    {
        _timer = owner.Stream.Services.Time.CreateTimer(static consumer => ((Consumer)consumer!).Timer.OnTimer(), owner, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _lastActivity = now;
        if (owner.Pulls is { } pulls) pulls.LastActive = now;
        if (owner.Push is { } push)
        {
            push.LastSent = now;
            push.CheckInterest();
        }
        Apply(now);
    }

    /// <summary>Applies the settings that can change.</summary>
    public void Apply(long now)
    {
        var config = owner.Config;
        var jitter = owner.Stream.Services.Random.Next(MinJitterMilliseconds, MaxJitterMilliseconds) * 1_000_000L;
        _threshold = config.InactiveThreshold <= TimeSpan.Zero ? 0 : Clock.Add(Clock.Of(config.InactiveThreshold), config.IsPull ? jitter : 0);
        _pausedUntil = config.PauseUntil is { } until && Clock.Of(until) > now ? Clock.Of(until) : 0;
        Schedule(now);
    }

    /// <summary>Stops the timer.</summary>
    public void Stop()
    {
        _timer?.Dispose();
        _timer = null;
    }

    /// <summary>Records activity of a client.</summary>
    public void RecordActivity(long now)
    {
        _lastActivity = now;
        if (owner.Pulls is { } pulls) pulls.LastActive = now;
    }

    /// <summary>Whether nothing is to be delivered now.</summary>
    public bool IsPaused(long now) => now < _pausedUntil;

    /// <summary>Sets the timer if it would fire too late.</summary>
    public void Schedule(long now)
    {
        if (_timer is null) return;
        var next = Next(now);
        if (next >= _scheduledFor) return;
        _scheduledFor = next;
        _timer.Change(TimeSpan.FromTicks(Math.Clamp((next - now + NanosecondsPerTick - 1) / NanosecondsPerTick, 0, MaxTicks)), Timeout.InfiniteTimeSpan);
    }

    private long Next(long now)
    {
        var next = owner.Tracker.NextDue;
        if (next < long.MaxValue - Slack) next += Slack;
        next = Math.Min(next, owner.FlushAt);
        if (_pausedUntil > now) next = Math.Min(next, _pausedUntil);
        if (owner.Throttle.HeldUntil > now) next = Math.Min(next, owner.Throttle.HeldUntil);
        if (owner.Pulls is { } pulls)
        {
            next = Math.Min(next, Math.Min(pulls.WakeAt, pulls.PinEndsAt));
            if (_threshold > 0) next = Math.Min(next, pulls.Count > 0 ? Clock.Add(now, _threshold) : NextIdleCheck(pulls.LastActive, now));
        }
        else if (owner.Push is { } push)
        {
            if (owner.Config.Heartbeat > TimeSpan.Zero) next = Math.Min(next, Clock.Add(push.LastSent, Clock.Of(owner.Config.Heartbeat)));
            if (_threshold > 0 && !push.IsActive) next = Math.Min(next, NextIdleCheck(_lastActivity, now));
        }
        return next;
    }

    // The threshold may have passed while a client still works: then it is checked again from time to time.
    private long NextIdleCheck(long lastActive, long now) => Math.Max(Clock.Add(lastActive, _threshold), now + MinIdleCheck);

    private void OnTimer()
    {
        try
        {
            owner.Stream.Services.Batches.Run(this, static (timer, batch) => timer.OnTimer(batch));
        }
        catch (Exception error)
        {
            owner.OnFailed(error);
            using (owner.Stream.Gate.Hold()) RetryLater();
        }
    }

    // Tries again after a failure, also when no client causes another delivery.
    private void RetryLater()
    {
        if (owner.IsClosed || _timer is null) return;
        _scheduledFor = Clock.Add(owner.Now, RetryDelay);
        _timer.Change(TimeSpan.FromTicks(RetryDelay / NanosecondsPerTick), Timeout.InfiniteTimeSpan);
    }

    private void OnTimer(SendBatch batch)
    {
        var consumer = owner;
        using (consumer.Stream.Gate.Hold())
        {
            if (consumer.IsClosed) return;
            var now = consumer.Now;
            _scheduledFor = long.MaxValue;
            EndPause(now);
            consumer.Pulls?.ExpirePin(now);
            if (consumer.Push is { } push && consumer.Config.Heartbeat is var wait && wait > TimeSpan.Zero && now >= Clock.Add(push.LastSent, Clock.Of(wait)))
                push.SendHeartbeat(now, batch);
            CheckInactivity(now);
            consumer.DeliverPendingLocked(batch, isTimer: true);
        }
        consumer.PublishQueued(batch);
        if (HasExpired) consumer.Owner.Delete(consumer, batch);
    }

    private void EndPause(long now)
    {
        if (_pausedUntil == 0 || now < _pausedUntil) return;
        _pausedUntil = 0;
        owner.Advisories.Paused(owner.Config.PauseUntil, now);
    }

    private void CheckInactivity(long now)
    {
        if (_threshold == 0) return;
        if (owner.Push is { } push)
        {
            if (push.CheckInterest() || push.IsActive) _lastActivity = now;
            HasExpired = now >= Clock.Add(_lastActivity, _threshold);
            return;
        }
        var pulls = owner.Pulls!;
        pulls.RemoveAbandoned();
        HasExpired = pulls.Count == 0 && now >= Clock.Add(pulls.LastActive, _threshold) && !IsStillWorking(now);
    }

    // A client may be busy with its deliveries: its inactivity counts from the time at which they would be redelivered.
    private bool IsStillWorking(long now)
    {
        var pending = owner.Tracker.State.Pending;
        for (var slot = pending.Oldest; slot != PendingTable.None; slot = pending.NextOf(slot))
        {
            var bucket = owner.Tracker.Settings.BucketAfter(owner.Tracker.DeliveriesOf(pending.StreamSequenceAt(slot)));
            if (Clock.Add(Clock.Add(pending.TimestampAt(slot), owner.Tracker.Settings.WaitOf(bucket)), _threshold) > now) return true;
        }
        return false;
    }
}
