namespace Postrider.Transports;

/// <summary>A lock for each key, which is granted in the order of the requests.</summary>
/// <remarks>Thread-safe. A key that is not locked takes no memory.</remarks>
internal sealed class KeyedLock
{
    private readonly Dictionary<string, Turn> _last = new(StringComparer.Ordinal);
    private readonly Lock _queueing = new(); // guards _last

    /// <summary>Requests the lock of a key. The place in the order is taken when the method returns, before it is awaited.</summary>
    /// <param name="key">The key.</param>
    /// <returns>Completes when the caller holds the lock; disposing the result releases it.</returns>
    internal Task<IDisposable?> EnterAsync(string key)
    {
        Turn? before;
        var turn = new Turn(this, key);
        lock (_queueing)
        {
            before = _last.GetValueOrDefault(key);
            _last[key] = turn;
        }

        return before is null ? Task.FromResult<IDisposable?>(turn) : WaitAsync(before, turn);
    }

    private static async Task<IDisposable?> WaitAsync(Turn before, Turn turn)
    {
        await before.Over.ConfigureAwait(false);
        return turn;
    }

    private sealed class Turn(KeyedLock keys, string key) : IDisposable
    {
        private readonly TaskCompletionSource _over = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Task Over => _over.Task;

        public void Dispose()
        {
            lock (keys._queueing)
            {
                if (ReferenceEquals(keys._last.GetValueOrDefault(key), this))
                    keys._last.Remove(key);
            }

            _over.TrySetResult();
        }
    }
}
