using System.Diagnostics.Metrics;

namespace Postrider.Flow.Outcomes;

/// <summary>Shows the counters of the operations that use it through <see cref="Meter"/>, tagged with its name.</summary>
/// <remarks>
/// Instruments of the meter "Postrider.Flow": flow.items.started, .completed, .failed, flow.retries, flow.throttled
/// (counters) and flow.in_flight, flow.limit, flow.operations with the tag "state" (gauges). They are read when a listener collects; items only count. Thread-safe; one object
/// may serve any number of operations, consecutively and concurrently.
/// </remarks>
public sealed class FlowMeter : IDisposable
{
    /// <summary>The meter's name, for AddMeter and listeners.</summary>
    public const string MeterName = "Postrider.Flow";

    private readonly Lock _gate = new();   // guards _runs and _past
    private readonly List<IReadings> _runs = [];
    private readonly Meter _meter = new(MeterName);
    private FlowProgress _past;
    private volatile bool _disposed;

    /// <summary>Creates a meter.</summary>
    /// <param name="operation">The value of the tag "operation".</param>
    public FlowMeter(string operation)
    {
        ArgumentException.ThrowIfNullOrEmpty(operation);
        Operation = operation;
        KeyValuePair<string, object?>[] tags = [new("operation", operation)];
        Counter("flow.items.started", "Items that were started.", static reading => reading.Started);
        Counter("flow.items.completed", "Items that completed with a result.", static reading => reading.Completed);
        Counter("flow.items.failed", "Items that failed after all retries.", static reading => reading.Failed);
        Counter("flow.retries", "Attempts beyond the first.", static reading => reading.Retries);
        Counter("flow.throttled", "Number of waits for the rate limit.", static reading => reading.Throttled);
        _meter.CreateObservableGauge("flow.in_flight", () => new Measurement<int>(Read().InFlight, tags), "{item}", "Concurrency slots in use.");
        _meter.CreateObservableGauge("flow.operations", States, "{operation}", "Running operations, by their state when they are read.");
        _meter.CreateObservableGauge("flow.limit", () => new Measurement<int>(Read().Limit, tags), "{item}", "Concurrency slots in total.");

        IEnumerable<Measurement<int>> States()
            => Enum.GetValues<FlowState>().Select(state => new Measurement<int>(Count(state), new("operation", operation), new("state", state.ToString().ToLowerInvariant())));

        void Counter(string name, string description, Func<FlowProgress, long> read)
            => _meter.CreateObservableCounter(name, () => new Measurement<long>(read(Read()), tags), "{item}", description);
    }

    /// <summary>The value of the tag "operation".</summary>
    public string Operation { get; }

    /// <summary>The sums over all operations that have used this meter, including those that have ended.</summary>
    public FlowProgress Read()
    {
        lock (_gate)
        {
            var sum = _past;
            foreach (var run in _runs)
                sum = Add(sum, run.Read(default, 0), running: true);
            return sum;
        }
    }

    /// <summary>The number of running operations that are currently in a state.</summary>
    /// <param name="state">The state.</param>
    /// <returns>The number.</returns>
    /// <remarks>A stage that is often <see cref="FlowState.Blocked"/> is faster than the one after it; one that is often
    /// <see cref="FlowState.Starved"/> is faster than the one before it.</remarks>
    public int Count(FlowState state)
    {
        lock (_gate)
        {
            var count = 0;
            foreach (var run in _runs)
            {
                if (run.State == state)
                    count++;
            }

            return count;
        }
    }

    /// <summary>Removes the instruments. Running operations continue; a new operation with this meter is rejected.</summary>
    public void Dispose()
    {
        _disposed = true;
        _meter.Dispose();
    }

    internal void ThrowIfDisposed() => ObjectDisposedException.ThrowIf(_disposed, this);

    internal void Attach(IReadings run)
    {
        lock (_gate)
            _runs.Add(run);
    }

    internal void Detach(IReadings run)
    {
        lock (_gate)
        {
            if (_runs.Remove(run))
                _past = Add(_past, run.Read(default, 0), running: false);
        }
    }

    private static FlowProgress Add(in FlowProgress sum, in FlowProgress run, bool running) => sum with
    {
        Started = sum.Started + run.Started,
        Completed = sum.Completed + run.Completed,
        Failed = sum.Failed + run.Failed,
        Retries = sum.Retries + run.Retries,
        Throttled = sum.Throttled + run.Throttled,
        InFlight = sum.InFlight + (running ? run.InFlight : 0),
        Limit = sum.Limit + (running ? run.Limit : 0),
    };
}
