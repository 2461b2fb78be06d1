namespace Postrider.Resilience;

/// <summary>A limit that several operators and calls share: calls, bytes or any other weight in flight.</summary>
/// <remarks>
/// Waiters are served in the order of their arrival; a heavy one is not overtaken by light ones, and one heavier than the capacity runs
/// alone. Thread-safe. Every acquired weight must be released exactly once.
/// </remarks>
public sealed class Bulkhead
{
    private readonly Lock _gate = new();   // guards _used and _waiters
    private readonly LinkedList<Waiter> _waiters = new();
    private long _used;

    /// <summary>Creates an empty bulkhead.</summary>
    /// <param name="capacity">The total weight in flight; at least 1.</param>
    public Bulkhead(long capacity)
    {
        if (capacity < 1)
            throw new ArgumentOutOfRangeException(nameof(capacity), capacity, $"A bulkhead's capacity of {capacity} is below 1.");
        Capacity = capacity;
    }

    /// <summary>The total weight that may be in flight.</summary>
    public long Capacity { get; }

    /// <summary>The weight in flight now.</summary>
    public long Used
    {
        get
        {
            lock (_gate)
                return _used;
        }
    }

    /// <summary>Number of callers that are waiting.</summary>
    public int Waiting
    {
        get
        {
            lock (_gate)
                return _waiters.Count;
        }
    }

    /// <summary>Acquires weight if it is available and no caller is waiting.</summary>
    /// <param name="weight">At least 0.</param>
    public bool TryAcquire(long weight = 1)
    {
        ThrowIfNegative(weight);
        lock (_gate)
        {
            if (_waiters.Count > 0 || !Fits(weight))
                return false;
            _used += weight;
            return true;
        }
    }

    /// <summary>Acquires weight, waiting for it if necessary.</summary>
    /// <param name="weight">At least 0.</param>
    /// <param name="ct">Cancels the wait; nothing is acquired then.</param>
    public ValueTask AcquireAsync(long weight = 1, CancellationToken ct = default)
    {
        if (ct.IsCancellationRequested)
            return ValueTask.FromCanceled(ct);
        return TryAcquire(weight) ? ValueTask.CompletedTask : WaitAsync(weight, ct);
    }

    /// <summary>Releases weight.</summary>
    /// <param name="weight">The weight that was acquired.</param>
    public void Release(long weight = 1)
    {
        ThrowIfNegative(weight);
        List<Waiter>? admitted = null;
        lock (_gate)
        {
            if (weight > _used)
                throw new InvalidOperationException($"Released a weight of {weight} while only {_used} is in flight.");
            _used -= weight;
            admitted = Admit(admitted);
        }
        Wake(admitted);
    }

    private bool Fits(long weight) => _used == 0 || weight <= Capacity - _used;

    private List<Waiter>? Admit(List<Waiter>? admitted)
    {
        while (_waiters.First is { } first && Fits(first.Value.Weight))
        {
            _waiters.RemoveFirst();
            _used += first.Value.Weight;
            (admitted ??= []).Add(first.Value);
        }
        return admitted;
    }

    private static void Wake(List<Waiter>? admitted)
    {
        if (admitted is null)
            return;
        foreach (var waiter in admitted)
            waiter.SetResult();
    }

    private async ValueTask WaitAsync(long weight, CancellationToken ct)
    {
        var waiter = new Waiter(weight);
        LinkedListNode<Waiter> node;
        lock (_gate)
        {
            if (_waiters.Count == 0 && Fits(weight))
            {
                _used += weight;
                return;
            }
            node = _waiters.AddLast(waiter);
        }
        var registration = ct.UnsafeRegister(static (state, token) =>
        {
            var (bulkhead, node) = ((Bulkhead, LinkedListNode<Waiter>))state!;
            bulkhead.Cancel(node, token);
        }, (this, node));
        await using (registration.ConfigureAwait(false))
            await waiter.Task.ConfigureAwait(false);
    }

    private static void ThrowIfNegative(long weight)
    {
        if (weight < 0)
            throw new ArgumentOutOfRangeException(nameof(weight), weight, $"A weight of {weight} is negative. In an operator the weight comes from FlowOptions.Weight.");
    }

    private void Cancel(LinkedListNode<Waiter> node, CancellationToken ct)
    {
        List<Waiter>? admitted = null;
        lock (_gate)
        {
            if (node.List is null)
                return;
            _waiters.Remove(node);
            // The item that left may have been a heavy one that blocked the others.
            admitted = Admit(admitted);
        }
        node.Value.TrySetCanceled(ct);
        Wake(admitted);
    }

    private sealed class Waiter(long weight) : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        public long Weight { get; } = weight;
    }
}
