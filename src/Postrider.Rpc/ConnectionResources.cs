namespace Postrider.Rpc;

/// <summary>Objects that live as long as a connection at the server, such as the scope of services that are provided for each
/// connection.</summary>
/// <param name="onFailed">Receives the exceptions of disposals.</param>
/// <remarks>Thread-safe.</remarks>
internal sealed class ConnectionResources(Action<Exception> onFailed)
{
    // Guards the fields below. The functions that create objects run under it, so that there is one object for each key.
    private readonly Lock _gate = new();
    private Dictionary<object, IDisposable>? _kept;
    private TaskCompletionSource? _released;
    private int _uses;
    private bool _isEnded;

    /// <summary>Provides the object of a key, which is not disposed before <see cref="Release"/> is called.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="create">Creates the object from the key when it is used for the first time. It must not call the application's
    /// code.</param>
    /// <returns>The object; not owned.</returns>
    /// <exception cref="RpcException">The connection has ended: <see cref="RpcStatus.Unavailable"/>.</exception>
    public T Acquire<T>(object key, Func<object, T> create)
        where T : class, IDisposable
    {
        lock (_gate)
        {
            if (_isEnded)
                throw new RpcException(RpcStatus.Unavailable, "The connection has ended.");
            _kept ??= [];
            if (!_kept.TryGetValue(key, out var kept))
                _kept.Add(key, kept = create(key));
            _uses++;
            return (T)kept;
        }
    }

    /// <summary>Ends one use. Call it once for each <see cref="Acquire"/>.</summary>
    public void Release()
    {
        lock (_gate)
        {
            _uses--;
            if (!_isEnded || _uses > 0)
                return;
        }

        StartDisposal();
    }

    /// <summary>Disposes of all objects as soon as no call uses them any more. Idempotent.</summary>
    /// <returns>Completes when they are disposed.</returns>
    public Task EndAsync()
    {
        lock (_gate)
        {
            if (_isEnded)
                return _released?.Task ?? Task.CompletedTask;
            _isEnded = true;
            if (_kept is null)
                return Task.CompletedTask;
            _released = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            if (_uses > 0)
                return _released.Task;
        }

        StartDisposal();
        return _released.Task;
    }

    // On the thread pool: the application's code must delay neither a thread that reads for other connections nor a response.
    private void StartDisposal() => ThreadPool.UnsafeQueueUserWorkItem(static self => _ = self.DisposeAsync(), this, preferLocal: false);

    private async Task DisposeAsync()
    {
        try
        {
            foreach (var kept in _kept!.Values)
                await DisposeAsync(kept).ConfigureAwait(false);
        }
        finally
        {
            _released!.SetResult();
        }
    }

    private async ValueTask DisposeAsync(IDisposable kept)
    {
        try
        {
            if (kept is IAsyncDisposable asynchronous)
                await asynchronous.DisposeAsync().ConfigureAwait(false);
            else
                kept.Dispose();
        }
        catch (Exception failure)
        {
            onFailed(failure);
        }
    }
}
