using Postrider.Broker.Sessions;

namespace Postrider.Broker.Peers;

/// <summary>The timer of a connection to another server: limits the steps of its handshake, then sends PINGs periodically.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class PeerTimer(IPeerSession session, SessionContext context, TimeSpan? pingInterval = null, int? maxPingsOut = null)
{
    // The first PING is sent early, to measure the round trip, as for clients.
    private static readonly TimeSpan FirstPing = TimeSpan.FromSeconds(2);

    // Guards the timer and the counters.
    private readonly Lock _gate = new();
    private ITimer? _timer;
    private ITimer? _expiry;
    private (ClosedState End, string? Error)? _awaited;
    private bool _stopped;
    private int _pingsOut;
    private long _pingSentAt;

    /// <summary>Last time from PING to PONG; zero when none was measured.</summary>
    public TimeSpan RoundTrip { get; private set; }

    private TimeSpan PingInterval => pingInterval ?? context.Options.PingInterval;

    /// <summary>Ends the session unless its handshake continues in time.</summary>
    public void Await(TimeSpan timeout, ClosedState end, string? error)
    {
        lock (_gate)
        {
            _awaited = (end, error);
            Set(timeout);
        }
    }

    /// <summary>Begins to send PINGs: the handshake has completed.</summary>
    public void StartPings()
    {
        lock (_gate)
        {
            _awaited = null;
            Set(PingInterval < FirstPing ? PingInterval : FirstPing);
        }
    }

    /// <summary>Ends the session at the time set in its user's token.</summary>
    /// <param name="time">The time; null for never.</param>
    public void EndAt(DateTimeOffset? time)
    {
        lock (_gate)
        {
            if (_stopped || time is not { } end) return;
            var due = end - context.Time.GetUtcNow();
            _expiry?.Dispose();
            _expiry = context.Time.CreateTimer(_ => EndOrWait(end), null, due > TimeSpan.Zero ? TimerDue.NoLonger(due) : TimeSpan.Zero, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Stops the timer; it cannot be started again.</summary>
    public void Stop()
    {
        lock (_gate)
        {
            _stopped = true;
            _timer?.Dispose();
            _expiry?.Dispose();
        }
    }

    /// <summary>Handles a PONG.</summary>
    public void PongReceived()
    {
        lock (_gate)
        {
            _pingsOut = 0;
            // A measured round trip is never zero: zero means none.
            if (_pingSentAt != 0) RoundTrip = TimeSpan.FromTicks(Math.Max(1, context.Time.GetElapsedTime(_pingSentAt).Ticks));
        }
    }

    private void EndOrWait(DateTimeOffset end)
    {
        if (context.Time.GetUtcNow() < end) EndAt(end);
        else session.End(ClosedState.AuthenticationExpired, "User Authentication Expired");
    }

    private void Set(TimeSpan due)
    {
        if (_stopped) return;
        due = TimerDue.NoLonger(due);
        if (_timer is null) _timer = context.Time.CreateTimer(static state => ((PeerTimer)state!).Fire(), this, due, Timeout.InfiniteTimeSpan);
        else _timer.Change(due, Timeout.InfiniteTimeSpan);
    }

    private void Fire()
    {
        (ClosedState End, string? Error)? awaited;
        var (sends, isStale) = (false, false);
        lock (_gate)
        {
            if (_stopped) return;
            awaited = _awaited;
            if (awaited is null)
            {
                var interval = PingInterval;
                sends = !session.Connection.IsPaused && (context.Time.GetElapsedTime(session.LastActivity) >= interval || RoundTrip == TimeSpan.Zero);
                isStale = sends && _pingsOut + 1 > (maxPingsOut ?? context.Options.MaxPingsOut);
                if (sends && !isStale)
                {
                    _pingsOut++;
                    _pingSentAt = context.Time.GetTimestamp();
                }
                Set(interval);
            }
        }
        if (awaited is { } step) session.End(step.End, step.Error);
        else if (isStale) session.End(ClosedState.StaleConnection, "Stale Connection");
        else if (sends) session.Send("PING\r\n"u8);
    }
}
