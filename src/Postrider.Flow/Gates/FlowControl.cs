namespace Postrider.Flow.Gates;

/// <summary>Pauses, resumes and drains the operations that use it, from outside. Thread-safe.</summary>
public sealed class FlowControl
{
    private readonly Lock _gate = new();   // guards _runs and changes of the flags
    private readonly List<IControlled> _runs = [];
    private volatile bool _paused;
    private volatile bool _draining;

    /// <summary>True between <see cref="Pause"/> and <see cref="Resume"/>: no item is started; items in flight finish.</summary>
    public bool IsPaused => _paused;

    /// <summary>True after <see cref="Drain"/>; an operation that starts after that ends immediately.</summary>
    public bool IsDraining => _draining;

    /// <summary>Starts no further item until <see cref="Resume"/>; items whose backoff has ended wait too.</summary>
    public void Pause() => _paused = true;

    /// <summary>Continues after <see cref="Pause"/>.</summary>
    public void Resume()
    {
        _paused = false;
        Interlocked.MemoryBarrier();
        foreach (var run in Runs())
            run.Resume();
    }

    /// <summary>Finishes the items in flight, including their retries, starts no others, and lets the operations end with the results so
    /// far.</summary>
    public void Drain()
    {
        _draining = true;
        Resume();
        foreach (var run in Runs())
            run.Drain();
    }

    internal void Attach(IControlled run)
    {
        lock (_gate)
            _runs.Add(run);
    }

    internal void Detach(IControlled run)
    {
        lock (_gate)
            _runs.Remove(run);
    }

    private IControlled[] Runs()
    {
        lock (_gate)
            return [.. _runs];
    }
}
