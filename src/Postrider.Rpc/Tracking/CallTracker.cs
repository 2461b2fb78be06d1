namespace Postrider.Rpc;

/// <summary>The calls under way, and the last that ended, in memory.</summary>
/// <remarks>One tracker serves any number of channels and services. Thread-safe.</remarks>
public sealed class CallTracker : ICallTracker
{
    private readonly Lock _gate = new();
    private readonly HashSet<TrackedCall> _current = [];
    private readonly Queue<TrackedCall> _recent = new();
    private TaskCompletionSource? _idle;

    /// <summary>How many calls are kept after their end: 100 unless told; 0 keeps none.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is negative.</exception>
    public int Kept
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            field = value;
        }
    } = 100;

    /// <summary>How many calls are under way.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _current.Count;
        }
    }

    /// <summary>The calls under way at this moment, the longest first.</summary>
    public IReadOnlyList<TrackedCall> Current
    {
        get
        {
            lock (_gate)
                return [.. _current.OrderBy(static c => c.Start)];
        }
    }

    /// <summary>The last calls that ended, the first to end first.</summary>
    public IReadOnlyList<TrackedCall> Recent
    {
        get
        {
            lock (_gate)
                return [.. _recent];
        }
    }

    /// <summary>The calls with an id, under way or kept: more than one where both ends or several attempts are tracked here.</summary>
    /// <param name="messageId">The id.</param>
    /// <returns>The calls; none when nobody here knows it any more.</returns>
    public IReadOnlyList<TrackedCall> Find(string messageId)
    {
        lock (_gate)
            return [.. _recent.Concat(_current).Where(c => c.MessageId == messageId)];
    }

    /// <summary>Waits until no call is under way, for a shutdown that cuts nobody off.</summary>
    /// <param name="ct">Gives up waiting.</param>
    /// <returns>When there was a moment without a call.</returns>
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
            while (_recent.Count > Kept)
                _recent.Dequeue();
        }

        idle?.SetResult();
    }
}
