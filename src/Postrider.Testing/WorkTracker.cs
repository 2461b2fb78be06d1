namespace Postrider.Testing;

/// <summary>Counts the accepted work that has not completed and is not waiting for the clock.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class WorkTracker
{
    private readonly Lock _gate = new(); // guards the fields below and the members of Work
    private readonly HashSet<Work> _open = [];
    private readonly AsyncLocal<Work?> _current = new();
    private int _running;
    private long _begun;
    private TaskCompletionSource? _idle;

    /// <summary>The work of the current execution flow; null for none.</summary>
    internal Work? Current => _current.Value;

    /// <summary>The number of work items started so far.</summary>
    internal long Begun
    {
        get
        {
            lock (_gate)
                return _begun;
        }
    }

    internal Work Begin(string what)
    {
        var work = new Work(what);
        lock (_gate)
        {
            _open.Add(work);
            _running++;
            _begun++;
        }

        return work;
    }

    internal void Enter(Work work) => _current.Value = work;

    internal void End(Work work)
    {
        lock (_gate)
        {
            if (!_open.Remove(work))
                return;
            if (work.Waits == 0)
                _running--;
            Signal();
        }
    }

    /// <summary>The work starts to wait for the clock (1) or continues after a wait (-1).</summary>
    internal void Wait(Work work, int change)
    {
        lock (_gate)
        {
            var waited = work.Waits > 0;
            work.Waits += change;
            if (!_open.Contains(work) || waited == work.Waits > 0)
                return;
            _running += waited ? 1 : -1;
            Signal();
        }
    }

    /// <summary>Waits until nothing runs.</summary>
    /// <exception cref="TimeoutException">Work still runs; the message lists it.</exception>
    internal async Task IdleAsync(TimeSpan limit, CancellationToken ct)
    {
        Task idle;
        lock (_gate)
        {
            if (_running == 0)
                return;
            _idle ??= new(TaskCreationOptions.RunContinuationsAsynchronously);
            idle = _idle.Task;
        }

        try
        {
            await idle.WaitAsync(limit, ct).ConfigureAwait(false);
        }
        catch (TimeoutException late)
        {
            throw new TimeoutException($"Not idle after {limit.TotalSeconds:0.###} s. Still running: {Running()}. IdleTimeout of TestHarnessOptions sets the limit.", late);
        }
    }

    private string Running()
    {
        lock (_gate)
            return string.Join(", ", _open.Where(work => work.Waits == 0).Select(work => work.What).Order(StringComparer.Ordinal));
    }

    private void Signal()
    {
        if (_running > 0)
            return;
        _idle?.TrySetResult();
        _idle = null;
    }

    /// <summary>A unit of work.</summary>
    /// <param name="what">Its description.</param>
    internal sealed class Work(string what)
    {
        internal string What => what;

        /// <summary>The number of timers that the work waits for.</summary>
        internal int Waits { get; set; }
    }
}
