namespace Postrider.Rpc.Sockets;

/// <summary>The sender's flow-control window of a stream: the number of bytes that may be sent ahead of the reader.</summary>
/// <remarks>An item of any size may be sent while the window is not exhausted, so a message is never too large for it. One sender;
/// thread-safe otherwise.</remarks>
internal sealed class FlowControlWindow(int bytes)
{
    // Guards the fields below.
    private readonly Lock _gate = new();
    private long _left = bytes;
    private TaskCompletionSource? _waiting;
    private Exception? _closed;

    /// <summary>Waits until an item may be sent.</summary>
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

    /// <summary>Subtracts sent bytes.</summary>
    public void Use(int bytes)
    {
        lock (_gate)
            _left -= bytes;
    }

    /// <summary>Adds credit granted by the reader.</summary>
    /// <returns>False if the total exceeds the permitted range.</returns>
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

    /// <summary>Closes the window: waiting senders fail.</summary>
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
