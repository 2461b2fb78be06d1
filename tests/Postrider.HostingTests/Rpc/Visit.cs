namespace Postrider.HostingTests.Rpc;

/// <summary>An implementation that is provided for each connection.</summary>
internal sealed class Visit : IVisit, IAsyncDisposable
{
    private readonly TaskCompletionSource _disposed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _entered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _mayLeave = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _cancelled = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _calls;
    private int _running;
    private int _disposals;

    public Visit(Visits visits, VisitScope scope)
    {
        Scope = scope;
        visits.Add(this);
    }

    public VisitScope Scope { get; }

    /// <summary>Completes when a call that lasts has begun.</summary>
    public Task Entered => _entered.Task;

    /// <summary>Completes when a call has seen its cancellation.</summary>
    public Task Cancelled => _cancelled.Task;

    public Task Disposed => _disposed.Task;

    public int Disposals => Volatile.Read(ref _disposals);

    /// <summary>The calls that ran at the disposal.</summary>
    public int RunningAtDisposal { get; private set; }

    public ValueTask<int> CountAsync() => new(Interlocked.Increment(ref _calls));

    public async ValueTask StayAsync(CancellationToken ct = default)
    {
        Interlocked.Increment(ref _running);
        _entered.TrySetResult();
        try
        {
            await Task.Delay(Timeout.Infinite, ct);
        }
        catch (OperationCanceledException)
        {
            _cancelled.TrySetResult();
            await _mayLeave.Task;
            throw;
        }
        finally
        {
            Interlocked.Decrement(ref _running);
        }
    }

    public async ValueTask<int> InsistAsync()
    {
        Interlocked.Increment(ref _running);
        _entered.TrySetResult();
        await _mayLeave.Task;
        Interlocked.Decrement(ref _running);
        return 7;
    }

    /// <summary>Lets the calls end that last.</summary>
    public void LetGo() => _mayLeave.TrySetResult();

    public async ValueTask DisposeAsync()
    {
        await Task.Yield();
        Interlocked.Increment(ref _disposals);
        RunningAtDisposal = Volatile.Read(ref _running);
        _disposed.TrySetResult();
        if (Scope.IsBroken)
            throw new InvalidOperationException("The visitor does not go.");
    }
}

internal sealed class Guestbook(VisitScope scope) : IGuestbook
{
    public ValueTask<int> ScopeAsync() => new(scope.Number);
}

/// <summary>A scoped service.</summary>
internal sealed class VisitScope(Visits visits)
{
    public int Number { get; } = visits.NextScope();

    public bool IsBroken { get; set; }
}

/// <summary>The visits of all connections, in the order of their first calls.</summary>
internal sealed class Visits
{
    private readonly Lock _gate = new(); // guards _all
    private readonly List<Visit> _all = [];
    private int _scopes;

    public IReadOnlyList<Visit> All
    {
        get
        {
            lock (_gate)
                return [.. _all];
        }
    }

    public int NextScope() => Interlocked.Increment(ref _scopes);

    public void Add(Visit visit)
    {
        lock (_gate)
            _all.Add(visit);
    }
}
