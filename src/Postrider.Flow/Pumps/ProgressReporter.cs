using Postrider.Flow.Outcomes;
using Postrider.Resilience;

namespace Postrider.Flow.Pumps;

/// <summary>Reports a run's counters at an interval, never two reports at once, and once at the end.</summary>
internal sealed class ProgressReporter
{
    // The rate follows the last few reports: an earlier burst must not affect the remaining time.
    private const double WeightOfNewest = 0.3;

    private readonly IReadings _run;
    private readonly IProgress<FlowProgress> _target;
    private readonly TimeProvider _time;
    private readonly long _begun;
    private readonly ITimer _timer;
    private long _lastAt;
    private long _lastEnded;
    private double _rate;
    private bool _finished;
    private int _reporting;   // 1 while a thread reports; the one that sets it owns everything above
    private int _reportingThread;

    public ProgressReporter(IReadings run, IProgress<FlowProgress> target, TimeSpan interval, TimeProvider time)
    {
        _run = run;
        _target = target;
        _time = time;
        _begun = _lastAt = time.GetTimestamp();
        _timer = time.CreateTimer(static state => ((ProgressReporter)state!).Tick(), this, interval, interval);
    }

    /// <summary>The last report.</summary>
    public void Finish()
    {
        _timer.Dispose();
        // Waits for a running report: the last one must come last. If a report ends the operation itself, on this
        // thread, it is still in its callback; the last report is made within it.
        var spin = default(SpinWait);
        while (Volatile.Read(ref _reportingThread) != Environment.CurrentManagedThreadId && Interlocked.Exchange(ref _reporting, 1) != 0)
            spin.SpinOnce();
        _finished = true;
        Report(overall: true);
    }

    private void Tick()
    {
        // A report that takes longer than the interval skips the next ones.
        if (Interlocked.Exchange(ref _reporting, 1) != 0)
            return;
        try
        {
            Volatile.Write(ref _reportingThread, Environment.CurrentManagedThreadId);
            if (!_finished)
                Report(overall: false);
        }
        finally
        {
            Volatile.Write(ref _reportingThread, 0);
            Volatile.Write(ref _reporting, 0);
        }
    }

    private void Report(bool overall)
    {
        var now = _time.GetTimestamp();
        var elapsed = _time.GetElapsedTime(_begun, now);
        var reading = _run.Read(elapsed, 0);
        var since = _time.GetElapsedTime(_lastAt, now).TotalSeconds;
        if (since > 0)
        {
            var newest = (reading.Ended - _lastEnded) / since;
            _rate = _lastEnded == 0 ? newest : _rate + (WeightOfNewest * (newest - _rate));
            _lastAt = now;
            _lastEnded = reading.Ended;
        }
        var rate = overall && elapsed > TimeSpan.Zero ? reading.Ended / elapsed.TotalSeconds : _rate;
        try
        {
            _target.Report(reading with { ItemsPerSecond = rate, IsLast = overall });
        }
        catch (Exception thrown)
        {
            ObserverErrors.Report("FlowOptions.Progress", thrown);
        }
    }
}
