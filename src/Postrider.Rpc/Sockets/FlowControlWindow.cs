namespace Postrider.Rpc.Sockets;

/// <summary>How many bytes of items may be sent until the reader has taken some.</summary>
/// <remarks>One item goes whenever anything is left, however large it is: a message is never too large for the window. One
/// sender; thread-safe for the others.</remarks>
internal sealed class FlowControlWindow(int bytes)
{
    // Guards what follows.
    private readonly Lock _gate = new();
    private long _left = bytes;
    private TaskCompletionSource? _waiting;
    private Exception? _closed;

    /// <summary>Waits until something may be sent.</summary>
    public ValueTask WaitAsync(CancellationToken ct)
    {
        lock (_gate)
        {
            if (_closed is not null)
                return ValueTask.FromException(_closed);
            if (_left > 0)
                return default;
            _waiting = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return new ValueTask(_waiting.Task.WaitAsync(ct));
        }
    }

    /// <summary>Counts what was sent.</summary>
    public void Use(int bytes)
    {
        lock (_gate)
            _left -= bytes;
    }

    /// <summary>The reader has taken some.</summary>
    /// <returns>False when it allows more than it can mean.</returns>
    public bool TryAdd(uint bytes)
    {
        TaskCompletionSource? waiting = null;
        lock (_gate)
        {
            if (_left + bytes > int.MaxValue)
                return false;
            _left += bytes;
            if (_left > 0)
                (waiting, _waiting) = (_waiting, null);
        }

        waiting?.TrySetResult();
        return true;
    }

    /// <summary>Nothing more is to be sent.</summary>
    public void Close(Exception reason)
    {
        TaskCompletionSource? waiting;
        lock (_gate)
        {
            _closed ??= reason;
            (waiting, _waiting) = (_waiting, null);
        }

        waiting?.TrySetException(reason);
    }
}
