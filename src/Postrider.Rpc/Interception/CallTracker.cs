namespace Postrider.Rpc;

/// <summary>Keeps the pending calls and the most recently completed ones in memory.</summary>
/// <remarks>One tracker serves any number of channels and services. Thread-safe.</remarks>
public sealed class CallTracker : ICallTracker
{
    private readonly Lock _gate = new();
    private readonly HashSet<TrackedCall> _current = [];
    private readonly Queue<TrackedCall> _recent = new();
    private TaskCompletionSource? _idle;

    /// <summary>The number of completed calls to keep, 100 by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public int MaxRecent
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            field = value;
        }
    } = 100;

    /// <summary>The number of pending calls.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _current.Count;
        }
    }

    /// <summary>The pending calls, the longest first.</summary>
    public IReadOnlyList<TrackedCall> Current
    {
        get
        {
            lock (_gate)
                return [.. _current.OrderBy(static c => c.Start)];
        }
    }

    /// <summary>The most recently completed calls, the oldest first.</summary>
    public IReadOnlyList<TrackedCall> Recent
    {
        get
        {
            lock (_gate)
                return [.. _recent];
        }
    }

    /// <summary>Finds the pending and kept calls with an id. There can be several if both sides or several attempts are tracked
    /// here.</summary>
    /// <param name="messageId">The id.</param>
    /// <returns>The calls; empty if the id is unknown.</returns>
    public IReadOnlyList<TrackedCall> Find(string messageId)
    {
        lock (_gate)
            return [.. _recent.Concat(_current).Where(c => c.MessageId == messageId)];
    }

    /// <summary>Waits until no call is pending, for a graceful shutdown.</summary>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>A task that completes as soon as no call is pending.</returns>
    public Task WaitForIdleAsync(CancellationToken ct = default)
    {
        lock (_gate)
        {
            if (_current.Count == 0)
                return Task.CompletedTask;
            _idle ??= new(TaskCreationOptions.RunContinuationsAsynchronously);
            return _idle.Task.WaitAsync(ct);
        }
    }

    /// <inheritdoc/>
    public void OnBegan(TrackedCall call)
    {
        lock (_gate)
            _current.Add(call);
    }

    /// <inheritdoc/>
    public void OnEnded(TrackedCall call)
    {
        TaskCompletionSource? idle = null;
        lock (_gate)
        {
            _current.Remove(call);
            if (_current.Count == 0)
                (idle, _idle) = (_idle, null);
            _recent.Enqueue(call);
            while (_recent.Count > MaxRecent)
                _recent.Dequeue();
        }

        idle?.SetResult();
    }
}
