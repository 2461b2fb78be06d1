namespace Postrider.Transports;

/// <summary>Lets the messages of one key pass one after the other, in the order in which they asked.</summary>
/// <remarks>Thread-safe. A key that nothing waits for takes no memory.</remarks>
internal sealed class KeyLanes
{
    private readonly Dictionary<string, Turn> _last = new(StringComparer.Ordinal);
    private readonly Lock _queueing = new(); // guards _last

    /// <summary>Takes a place behind the messages of a key. The place is taken when the method returns, before it is awaited.</summary>
    /// <param name="key">The key.</param>
    /// <returns>Completes when it is the caller's turn; disposing the result lets the next one pass.</returns>
    internal Task<IDisposable> EnterAsync(string key)
    {
        Turn? before;
        var turn = new Turn(this, key);
        lock (_queueing)
        {
            before = _last.GetValueOrDefault(key);
            _last[key] = turn;
        }

        return before is null ? Task.FromResult<IDisposable>(turn) : WaitAsync(before, turn);
    }

    private static async Task<IDisposable> WaitAsync(Turn before, Turn turn)
    {
        await before.Over.ConfigureAwait(false);
        return turn;
    }

    private sealed class Turn(KeyLanes lanes, string key) : IDisposable
    {
        private readonly TaskCompletionSource _over = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Task Over => _over.Task;

        public void Dispose()
        {
            lock (lanes._queueing)
            {
                if (ReferenceEquals(lanes._last.GetValueOrDefault(key), this))
                    lanes._last.Remove(key);
            }

            _over.TrySetResult();
        }
    }
}
