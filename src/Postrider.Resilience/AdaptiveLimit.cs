// Hot path: ItemPump -> this. Allocations: none.
namespace Postrider.Resilience;

/// <summary>A concurrency limit that adjusts itself, from how long bodies take and whether they succeed.</summary>
/// <remarks>
/// <para>Latency is measured from the call of the body to its end: waiting for a slot, a permit or a backoff is not
/// part of it. There is no timer: the first call that ends after a window evaluates it. The object outlives operators and may be shared,
/// so the next one starts from what it has learned. Thread-safe.</para>
/// <para>The regret is bounded: the search remembers the best recent throughput and the limit that achieved it. When a cut
/// has cost more than an eighth of that throughput it is undone: a smaller limit that makes the service slower without improving its
/// latency is never kept, whatever the algorithm or the target says. The same holds for failures: a cut they caused is kept when it made
/// them rarer or cost nothing; otherwise it is undone, and that share of failures no longer counts as overload. This tolerance fades, so
/// that the cut is tried again from time to time.</para>
/// </remarks>
public sealed class AdaptiveLimit : ConcurrencyLimit
{
    // A cut that loses more throughput than this is undone.
    private const double MinThroughputRatio = 0.875;

    // The remembered best decays by 2 % per window, so that the limit of a service that has become slower adapts eventually.
    private const double BestDecay = 0.98;

    // After this many windows the unloaded latency is measured again: it may have risen permanently (a stale minimum keeps
    // Vegas at its lowest limit; platinummonkey/go-concurrency-limits#117).
    private const int WindowsPerProbe = 200;

    // A latency of this many times the unloaded one indicates a queue.
    private const double QueueLatencyRatio = 1.5;

    // A cut has helped against failures when their share fell to half of what it was.
    private const double ReliefRatio = 0.5;

    // The excused share is a little more than the observed one, but never everything: a share varies from window to window.
    private const double ExcuseMargin = 1.25;

    // An excuse decays by half a percent per window, so that 45 windows pass between two trials, each of which costs a quarter of a
    // window's throughput.
    private const double ExcuseDecay = 0.995;

    // One tick of a TimeSpan.
    private const double MinSeconds = 1e-7;

    private readonly Lock _gate = new();   // guards everything below
    private readonly AdaptiveLimitOptions _options;
    private readonly TimeProvider _time;
    private long _windowBegun;
    private long _samples;
    private long _successes;
    private double _latencySum;
    private int _maxInFlight;
    private double _unloaded = double.MaxValue;
    private double _longLatency;
    private double _limit;
    private double _bestThroughput;
    private double _limitOfBest;
    private double _excused;
    private double _limitBeforeCut;   // 0: no cut for failures is being tried
    private double _throughputBeforeCut;
    private double _failuresBeforeCut;
    private bool _doubling = true;
    private int _windows;

    /// <summary>Creates a limit without measurements.</summary>
    /// <param name="options">The options.</param>
    /// <exception cref="ArgumentException">An option is invalid; the message names it.</exception>
    public AdaptiveLimit(AdaptiveLimitOptions? options = null)
        : base(Start(options ??= new AdaptiveLimitOptions()))
    {
        _options = options;
        _time = options.TimeProvider;
        _limit = Value;
        _windowBegun = _time.GetTimestamp();
    }

    /// <summary>Reports one call.</summary>
    /// <param name="elapsed">From the call of the body to its end.</param>
    /// <param name="succeeded">Whether it returned a result.</param>
    /// <param name="inFlight">Calls in flight while it ran, including itself.</param>
    public void Record(TimeSpan elapsed, bool succeeded, int inFlight)
    {
        int before, after;
        lock (_gate)
        {
            _samples++;
            _latencySum += elapsed.TotalSeconds;
            _maxInFlight = Math.Max(_maxInFlight, inFlight);
            if (succeeded)
                _successes++;
            if (_samples < _options.MinimumSamples)
                return;
            var now = _time.GetTimestamp();
            var window = _time.GetElapsedTime(_windowBegun, now);
            if (window < _options.Window)
                return;
            before = Value;
            Consider(window.TotalSeconds);
            after = Math.Clamp((int)Math.Round(_limit), _options.MinConcurrency, _options.MaxConcurrency);
            _limit = Math.Clamp(_limit, _options.MinConcurrency, _options.MaxConcurrency);
            _windowBegun = now;
            _samples = _successes = _maxInFlight = 0;
            _latencySum = 0;
        }
        if (before == after)
            return;
        Change(after);
        if (_options.OnChange is not null)
            Notify(before, after);
    }

    /// <summary>Reports one call that failed.</summary>
    /// <param name="elapsed">From the call of the body to its end.</param>
    /// <param name="failure">Its exception; <see cref="AdaptiveLimitOptions.Handle"/> decides whether it counts.</param>
    /// <param name="inFlight">Calls in flight while it ran, including itself.</param>
    public void Record(TimeSpan elapsed, Exception failure, int inFlight)
    {
        ArgumentNullException.ThrowIfNull(failure);
        Record(elapsed, succeeded: _options.Handle is { } counts && !counts(failure), inFlight);
    }

    private void Notify(int before, int after)
    {
        try
        {
            _options.OnChange!(before, after);
        }
        catch (Exception thrown)
        {
            ObserverErrors.Report("AdaptiveLimit.OnChange", thrown);
        }
    }

    private static int Start(AdaptiveLimitOptions options)
    {
        options.Validate();
        return Math.Clamp(options.InitialConcurrency, options.MinConcurrency, options.MaxConcurrency);
    }

    private void Consider(double seconds)
    {
        // A coarse clock may say zero; the searches divide by it.
        var latency = Math.Max(_latencySum / _samples, MinSeconds);
        var throughput = _successes / seconds;
        if (++_windows % WindowsPerProbe == 0)
            _unloaded = latency;
        _unloaded = Math.Min(_unloaded, latency);
        _longLatency = _longLatency == 0 ? latency : _longLatency + (0.05 * (latency - _longLatency));
        _bestThroughput *= BestDecay;
        if (throughput > _bestThroughput)
            (_bestThroughput, _limitOfBest) = (throughput, Math.Min(_limit, _maxInFlight));

        var failures = 1 - ((double)_successes / _samples);
        _excused *= ExcuseDecay;
        if (failures > 1 - _options.MinSuccessRate && failures > _excused)
        {
            CutForFailures(throughput, failures);
            return;
        }
        // A window without failures may be a coincidence: the trial lasts until the limit has grown back.
        if (_limit >= _limitBeforeCut)
            _limitBeforeCut = 0;
        var slow = _options.TargetLatency is { } target && latency > target.TotalSeconds;
        if (_limit < _limitOfBest && throughput < MinThroughputRatio * _bestThroughput && _maxInFlight >= _limit)
        {
            _limit = _limitOfBest;
            return;
        }
        if (_doubling)
        {
            _doubling = !slow && latency < QueueLatencyRatio * _unloaded;
            if (_doubling && _maxInFlight >= _limit)
                _limit *= 2;
            if (_doubling)
                return;
        }
        _limit = Next(latency, slow);
    }

    private void CutForFailures(double throughput, double failures)
    {
        var isAlike = failures > ReliefRatio * _failuresBeforeCut && 1 - failures > ReliefRatio * (1 - _failuresBeforeCut);
        if (_limitBeforeCut > _limit && isAlike && throughput < MinThroughputRatio * _throughputBeforeCut)
        {
            var usual = Math.Max(failures, _failuresBeforeCut);
            _excused = Math.Min(ExcuseMargin * usual, (1 + usual) / 2);
            _limit = _limitBeforeCut;
            _limitBeforeCut = 0;
            return;
        }
        // Far fewer or more failures than before the first cut indicate another state of the service: the trial starts again.
        if (_limitBeforeCut == 0 || !isAlike)
            (_limitBeforeCut, _throughputBeforeCut, _failuresBeforeCut) = (_limit, throughput, failures);
        _doubling = false;
        _limit *= 0.75;
        _bestThroughput = 0;
    }

    private double Next(double latency, bool slow)
    {
        var used = 2 * _maxInFlight >= _limit;
        if (slow)
            return Math.Max(_limit * 0.9, _limit * _options.TargetLatency!.Value.TotalSeconds / latency);
        switch (_options.Algorithm)
        {
            case AdaptiveAlgorithm.Aimd:
                return used ? _limit + 1 : _limit;
            case AdaptiveAlgorithm.Gradient2:
                var gradient = Math.Clamp(1.2 * _longLatency / latency, 0.5, 1);
                var wanted = (_limit * gradient) + Math.Sqrt(_limit);
                // The unloaded minimum stops the growth of a long average that has adapted to the overload (Netflix/concurrency-limits#134).
                if (latency > QueueLatencyRatio * _unloaded)
                    wanted = Math.Min(wanted, Math.Max(_limit * QueueLatencyRatio * _unloaded / latency, _limit * 0.5));
                var next = _limit + (0.3 * (wanted - _limit));
                return next < _limit || used ? next : _limit;
            default:
                var queue = _limit * (1 - (_unloaded / latency));
                var step = Math.Max(1, Math.Log10(_limit) * 2);
                if (queue > 3 * step)
                    return Math.Max(_limit * _unloaded / latency, _limit * 0.5) + step;
                if (queue > 1.5 * step)
                    return _limit - 1;
                return queue < step && used ? _limit + step : _limit;
        }
    }
}
