// Hot path: ItemPump -> this. Allocations: none.
namespace Postrider.Resilience;

/// <summary>Rejects calls to a service that fails, and probes whether it works again.</summary>
/// <remarks>
/// The object outlives operators and may be shared by any number of operators, middleware and plain calls: enter with
/// <see cref="TryEnter"/>, end with exactly one of <see cref="OnSuccess(CircuitBreakerTicket, TimeSpan)"/>,
/// <see cref="OnFailure"/> and <see cref="OnAbandoned"/>. Thread-safe. A closed breaker costs one volatile read to enter.
/// </remarks>
public sealed class CircuitBreaker : IIdleGate
{
    // A caller rejected while probes are in flight retries this many times within the open time.
    private const int WaitsPerOpenTime = 10;

    private readonly Lock _gate = new();   // guards every field below except the volatile reads of _state and _generation
    private readonly CircuitBreakerOptions _options;
    private readonly TimeProvider _time;
    private readonly CallWindow _window;
    private readonly Queue<(CircuitBreakerState Before, CircuitBreakerState After)>? _pendingChanges;
    private volatile int _state;
    private volatile int _generation;
    private int _failuresInRow;
    private int _probesInFlight;
    private int _probesSucceeded;
    private long _openedAt;
    private volatile bool _hasPendingChanges;
    private bool _isNotifying;

    /// <summary>Creates a closed breaker.</summary>
    /// <param name="options">The rules; by default five consecutive failures open it for 30 seconds.</param>
    /// <exception cref="ArgumentException">A rule is invalid; the message names it.</exception>
    public CircuitBreaker(CircuitBreakerOptions? options = null)
    {
        _options = options ?? new CircuitBreakerOptions();
        _options.Validate();
        _time = _options.TimeProvider;
        _window = new CallWindow(_options.Window, _time);
        _pendingChanges = _options.OnStateChange is null ? null : new Queue<(CircuitBreakerState Before, CircuitBreakerState After)>();
    }

    /// <summary>The current state; a breaker whose open time is over remains open until the next call enters.</summary>
    public CircuitBreakerState State => (CircuitBreakerState)_state;

    /// <summary>True when the next <see cref="TryEnter"/> succeeds without the call becoming a probe.</summary>
    public bool IsClosed => _state == (int)CircuitBreakerState.Closed;

    /// <summary>True when calls must be timed, so that slow ones can be counted.</summary>
    public bool CountsSlowCalls => _options.SlowCall > TimeSpan.Zero;

    bool IIdleGate.IsIdle => IsClosed && Volatile.Read(ref _failuresInRow) == 0;

    /// <summary>Decides whether a call may pass.</summary>
    /// <param name="ticket">Return it when the call ends.</param>
    /// <returns>False if the call is rejected; nothing has to be returned then.</returns>
    public bool TryEnter(out CircuitBreakerTicket ticket)
    {
        // The generation is read first: a ticket of a state that has just ended is then ignored instead of miscounted.
        ticket = new CircuitBreakerTicket(_generation, isProbe: false);
        return _state == (int)CircuitBreakerState.Closed || TryEnterSlow(out ticket);
    }

    /// <summary>The rejection as an exception, with the time after which a call may pass.</summary>
    /// <remarks>Open: the rest of <see cref="CircuitBreakerOptions.OpenTime"/>. Half open: zero when a probe may pass, a tenth of
    /// OpenTime when all are in flight, because their end is unknown. Isolated: null.</remarks>
    public CircuitBreakerOpenException Refusal()
    {
        lock (_gate)
        {
            TimeSpan? wait = State switch
            {
                CircuitBreakerState.Open => Max(_options.OpenTime - _time.GetElapsedTime(_openedAt)),
                CircuitBreakerState.HalfOpen => _probesInFlight < _options.Probes ? TimeSpan.Zero : _options.OpenTime / WaitsPerOpenTime,
                // It has closed since it rejected the call.
                CircuitBreakerState.Closed => TimeSpan.Zero,
                _ => null,
            };
            return new CircuitBreakerOpenException(State, wait);
        }

        static TimeSpan Max(TimeSpan wait) => wait > TimeSpan.Zero ? wait : TimeSpan.Zero;
    }

    /// <summary>Reports a call that succeeded.</summary>
    /// <param name="ticket">The ticket from <see cref="TryEnter"/>.</param>
    /// <param name="elapsed">How long it took; used only by the rule for slow calls.</param>
    public void OnSuccess(CircuitBreakerTicket ticket, TimeSpan elapsed = default)
    {
        if (ticket.IsProbe || CountsSlowCalls)
            OnSuccessSlow(ticket, elapsed);
        else
            OnSuccess(1);
    }

    /// <summary>Reports the success of several calls that entered the closed breaker; cheaper than one report for each.</summary>
    /// <param name="calls">How many.</param>
    /// <remarks>Only for calls whose ticket is not a probe, and not while <see cref="CountsSlowCalls"/>.</remarks>
    public void OnSuccess(int calls)
    {
        if (_options.FailureRatio > 0)
            _window.AddSuccesses(calls);
        // Reads before it writes: in the healthy state the cache line stays shared between the processors.
        if (Volatile.Read(ref _failuresInRow) != 0)
        {
            lock (_gate)
                _failuresInRow = 0;
        }
    }

    /// <summary>Reports a call that failed.</summary>
    /// <param name="ticket">The ticket from <see cref="TryEnter"/>.</param>
    /// <param name="failure">Its exception; <see cref="CircuitBreakerOptions.Handle"/> decides whether it counts.</param>
    /// <param name="elapsed">How long it took.</param>
    public void OnFailure(CircuitBreakerTicket ticket, Exception failure, TimeSpan elapsed = default)
    {
        ArgumentNullException.ThrowIfNull(failure);
        if (!Counts(ticket, failure))
        {
            OnSuccess(ticket, elapsed);
            return;
        }
        lock (_gate)
        {
            if (ticket.Generation != _generation)
                return;
            if (ticket.IsProbe)
            {
                _probesInFlight--;
                Open();
            }
            else if (State == CircuitBreakerState.Closed)
            {
                _failuresInRow++;
                _window.AddFailure(IsSlow(elapsed));
                if (MustOpen())
                    Open();
            }
        }
        Notify();
    }

    /// <summary>Reports a call that ended without a verdict: it was cancelled or never made.</summary>
    /// <param name="ticket">The ticket from <see cref="TryEnter"/>.</param>
    public void OnAbandoned(CircuitBreakerTicket ticket)
    {
        if (!ticket.IsProbe)
            return;
        lock (_gate)
        {
            if (ticket.Generation == _generation)
                _probesInFlight--;
        }
    }

    /// <summary>Opens the breaker manually until <see cref="Reset"/>.</summary>
    public void Isolate()
    {
        lock (_gate)
        {
            Enter(CircuitBreakerState.Isolated);
        }
        Notify();
    }

    /// <summary>Closes the breaker and resets its counts.</summary>
    public void Reset()
    {
        lock (_gate)
        {
            Close();
        }
        Notify();
    }

    private bool TryEnterSlow(out CircuitBreakerTicket ticket)
    {
        bool passes;
        lock (_gate)
        {
            if (State == CircuitBreakerState.Open && _time.GetElapsedTime(_openedAt) >= _options.OpenTime)
                Enter(CircuitBreakerState.HalfOpen);
            passes = IsClosed || (State == CircuitBreakerState.HalfOpen && _probesInFlight < _options.Probes);
            var isProbe = passes && !IsClosed;
            if (isProbe)
                _probesInFlight++;
            ticket = new CircuitBreakerTicket(_generation, isProbe);
        }
        Notify();
        return passes;
    }

    private void OnSuccessSlow(CircuitBreakerTicket ticket, TimeSpan elapsed)
    {
        lock (_gate)
        {
            if (ticket.Generation != _generation)
                return;
            if (ticket.IsProbe)
            {
                _probesInFlight--;
                if (IsSlow(elapsed))
                    Open();
                else if (++_probesSucceeded >= _options.SuccessThreshold)
                    Close();
            }
            else if (State == CircuitBreakerState.Closed)
            {
                _failuresInRow = 0;
                _window.AddSuccess(IsSlow(elapsed));
                if (CountsSlowCalls && IsSlow(elapsed) && MustOpen())
                    Open();
            }
        }
        Notify();
    }

    private bool MustOpen()
    {
        if (_options.FailureThreshold > 0 && _failuresInRow >= _options.FailureThreshold)
            return true;
        var (calls, failures, slow) = _window.Read();
        if (calls < _options.MinimumCalls)
            return false;
        return (_options.FailureRatio > 0 && failures >= _options.FailureRatio * calls)
            || (CountsSlowCalls && slow >= _options.SlowCallRatio * calls);
    }

    private bool Counts(CircuitBreakerTicket ticket, Exception failure)
    {
        try
        {
            return _options.Handle is null || _options.Handle(failure);
        }
        catch
        {
            // The predicate's exception is thrown to the caller, and the probe's slot is returned.
            OnAbandoned(ticket);
            throw;
        }
    }

    private bool IsSlow(TimeSpan elapsed) => CountsSlowCalls && elapsed > _options.SlowCall;

    private void Open()
    {
        _openedAt = _time.GetTimestamp();
        Enter(CircuitBreakerState.Open);
    }

    private void Close() => Enter(CircuitBreakerState.Closed);

    private void Enter(CircuitBreakerState state)
    {
        _failuresInRow = 0;
        _probesInFlight = 0;
        _probesSucceeded = 0;
        _window.Clear();
        _generation++;
        var before = State;
        _state = (int)state;
        if (_pendingChanges is null || before == state)
            return;
        _pendingChanges.Enqueue((before, state));
        _hasPendingChanges = true;
    }

    /// <summary>Reports the changes in the order they happened, each once, from one thread at a time.</summary>
    private void Notify()
    {
        while (_hasPendingChanges)
        {
            (CircuitBreakerState Before, CircuitBreakerState After) change;
            lock (_gate)
            {
                // The thread that is reporting continues with changes added in the meantime.
                if (_isNotifying || !_pendingChanges!.TryDequeue(out change))
                    return;
                _hasPendingChanges = _pendingChanges.Count > 0;
                _isNotifying = true;
            }
            try
            {
                _options.OnStateChange!(change.Before, change.After);
            }
            catch (Exception thrown)
            {
                // The breaker may be shared: an exception in another owner's callback must not fail a call.
                ObserverErrors.Report("CircuitBreaker.OnStateChange", thrown);
            }
            finally
            {
                lock (_gate)
                    _isNotifying = false;
            }
        }
    }
}
