namespace Postrider.Broker.Sessions;

/// <summary>A session's timer: waits for CONNECT, then sends PINGs periodically.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class SessionTimer(ClientSession session, SessionContext context)
{
    // The first PING is sent early, to measure the round trip, as in nats-server.
    private static readonly TimeSpan FirstPing = TimeSpan.FromSeconds(2);

    // After this time a client that is never idle gets a PING as well, to measure the round trip again.
    private static readonly TimeSpan RoundTripInterval = TimeSpan.FromHours(1);

    // Guards the timer and the counters.
    private readonly Lock _gate = new();
    private ITimer? _timer;
    private ITimer? _end;
    private bool _awaitsConnect;
    private bool _stopped;
    private int _pingsOut;
    private long _pingSentAt;

    /// <summary>Last time from PING to PONG; zero when none was measured.</summary>
    public TimeSpan RoundTrip { get; private set; }

    private TimeSpan PingInterval
        => session.WebSocket is not null && context.WebSocket?.Options.PingInterval is { } own ? own : context.Options.PingInterval;

    /// <summary>Starts with the connection.</summary>
    /// <param name="awaitsConnect">Whether the client must send CONNECT in time.</param>
    public void Start(bool awaitsConnect)
    {
        lock (_gate)
        {
            if (_stopped) return;
            _awaitsConnect = awaitsConnect;
            var due = awaitsConnect ? TimerDue.NoLonger(session.WebSocket is null ? context.Options.AuthTimeout : context.WebSocket?.Options.AuthTimeout ?? context.Options.AuthTimeout) : FirstDue();
            _timer = context.Time.CreateTimer(static state => ((SessionTimer)state!).Fire(), this, due, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Stops waiting for CONNECT: it was received. The time for checking it does not count.</summary>
    public void ConnectReceived()
    {
        lock (_gate)
        {
            _awaitsConnect = false;
            if (!_stopped) _timer?.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Begins to send PINGs: CONNECT was accepted.</summary>
    public void StartPings()
    {
        lock (_gate)
        {
            _awaitsConnect = false;
            if (!_stopped) _timer?.Change(FirstDue(), Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Ends the session at the time set in its user's token.</summary>
    /// <param name="time">The time; null for never.</param>
    public void EndAt(DateTimeOffset? time)
    {
        lock (_gate)
        {
            _end?.Dispose();
            _end = null;
            if (_stopped || time is not { } end) return;
            var due = end - context.Time.GetUtcNow();
            _end = context.Time.CreateTimer(_ => EndOrWait(end), null, due > TimeSpan.Zero ? TimerDue.NoLonger(due) : TimeSpan.Zero, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Stops for good.</summary>
    public void Stop()
    {
        lock (_gate)
        {
            _stopped = true;
            _timer?.Dispose();
            _end?.Dispose();
        }
    }

    /// <summary>Handles a PONG.</summary>
    public void PongReceived()
    {
        lock (_gate)
        {
            _pingsOut = 0;
            if (_pingSentAt == 0) return;
            // A measured round trip is never zero: zero means none.
            RoundTrip = TimeSpan.FromTicks(Math.Max(1, context.Time.GetElapsedTime(_pingSentAt).Ticks));
        }
    }

    private void Fire()
    {
        bool isLate, isStale = false, sends = false;
        lock (_gate)
        {
            if (_stopped) return;
            isLate = _awaitsConnect;
            var interval = PingInterval;
            if (!isLate && session.Connection.IsPaused)
            {
                // The client is stalled because a subscriber of its messages reads slowly: its PONGs wait unread, so no PING is sent.
                _pingsOut = 0;
                _timer!.Change(TimerDue.NoLonger(interval), Timeout.InfiniteTimeSpan);
            }
            else if (!isLate)
            {
                var idle = context.Time.GetElapsedTime(session.LastActivity);
                var needsRoundTrip = RoundTrip == TimeSpan.Zero || context.Time.GetElapsedTime(_pingSentAt) > RoundTripInterval;
                sends = idle >= interval || needsRoundTrip;
                isStale = sends && _pingsOut + 1 > context.Options.MaxPingsOut;
                if (sends && !isStale)
                {
                    _pingsOut++;
                    _pingSentAt = context.Time.GetTimestamp();
                }
                _timer!.Change(TimerDue.NoLonger(interval), Timeout.InfiniteTimeSpan);
            }
        }
        if (isLate) session.End(ClosedState.AuthenticationTimeout, "Authentication Timeout");
        else if (isStale) session.End(ClosedState.StaleConnection, "Stale Connection");
        else if (sends) session.Connection.Outbox.Send("PING\r\n"u8);
    }

    private void EndOrWait(DateTimeOffset end)
    {
        if (context.Time.GetUtcNow() < end) EndAt(end);
        else session.End(ClosedState.AuthenticationExpired, "User Authentication Expired");
    }

    private TimeSpan FirstDue()
    {
        var interval = PingInterval;
        var due = interval < FirstPing ? interval : FirstPing;
        // Up to a fifth later, so that connections established together do not get their PINGs together.
        return due + (due * (Random.Shared.NextDouble() / 5));
    }
}
