namespace Postrider.Client.Sessions;

/// <summary>Takes messages in order and processes them, one after the other or several concurrently.</summary>
/// <typeparam name="TMessage">The type of message of the reader.</typeparam>
/// <param name="concurrency">The maximum number processed concurrently; 1 keeps their order.</param>
/// <param name="startsInOrder">Whether several are started one after the other in the order of the messages.</param>
internal abstract class MessageLoop<TMessage>(int concurrency, bool startsInOrder = false)
{
    /// <summary>Whether a wait may end on the receiving thread, which handlers that run concurrently may not hold up.</summary>
    public abstract bool IsWokenInline { get; }

    /// <summary>Waits until a message is available.</summary>
    /// <returns>False at the end.</returns>
    public abstract ValueTask<bool> WaitAsync(CancellationToken ct);

    /// <summary>Reads a message if one is available. By one thread at a time, and not while another waits.</summary>
    public abstract bool TryTake(out TMessage message);

    /// <summary>Processes one message. An exception ends a loop that works in order and nothing else: catch it.</summary>
    public abstract ValueTask WorkAsync(TMessage message, CancellationToken ct);

    /// <summary>Called when no further message is taken, while messages taken before may still be processed.</summary>
    protected virtual ValueTask LeaveAsync() => default;

    /// <summary>Runs until the messages end or <paramref name="stop"/> is cancelled.</summary>
    /// <param name="stop">Takes no further message; messages that were not taken stay with the reader.</param>
    /// <param name="work">Passed to the processing.</param>
    /// <returns>Completes when the last message has been processed.</returns>
    /// <exception cref="OperationCanceledException"><paramref name="stop"/> was cancelled.</exception>
    protected Task LoopAsync(CancellationToken stop, CancellationToken work)
        => concurrency <= 1 ? WorkInOrderAsync(stop, work) : startsInOrder ? StartInOrderAsync(stop, work) : WorkConcurrentlyAsync(stop, work);

    private async Task WorkInOrderAsync(CancellationToken stop, CancellationToken work)
    {
        try
        {
            while (await WaitAsync(stop).ConfigureAwait(false))
            {
                // A reader with available messages does not check the token, and none of them may be taken any more.
                stop.ThrowIfCancellationRequested();
                while (!stop.IsCancellationRequested && TryTake(out var message)) await WorkAsync(message, work).ConfigureAwait(false);
            }
        }
        finally
        {
            await LeaveAsync().ConfigureAwait(false);
        }
    }

    private async Task StartInOrderAsync(CancellationToken stop, CancellationToken work)
    {
        using var room = new SemaphoreSlim(concurrency);
        try
        {
            while (await WaitAsync(stop).ConfigureAwait(false))
            {
                while (true)
                {
                    // Room first: a message that has to wait for it must not have been taken.
                    await room.WaitAsync(stop).ConfigureAwait(false);
                    if (!StartNext(room, work)) break;
                }
            }
        }
        finally
        {
            await LeaveAsync().ConfigureAwait(false);
            for (var i = 0; i < concurrency; i++) await room.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        }
    }

    // Returns false, and releases the room, if no message is available.
    private bool StartNext(SemaphoreSlim room, CancellationToken work)
    {
        var isTaken = false;
        try
        {
            isTaken = TryTake(out var message);
            if (isTaken) _ = WorkAndLeaveAsync(message, room, work);
        }
        finally
        {
            if (!isTaken) room.Release();
        }
        return isTaken;
    }

    private async Task WorkAndLeaveAsync(TMessage message, SemaphoreSlim room, CancellationToken work)
    {
        try
        {
            await WorkAsync(message, work).ConfigureAwait(false);
        }
        finally
        {
            room.Release();
        }
    }

    private async Task WorkConcurrentlyAsync(CancellationToken stop, CancellationToken work)
    {
        var workers = new MessageWorkers<TMessage>(this, concurrency, stop, work);
        try
        {
            await workers.TakeAsync().ConfigureAwait(false);
        }
        finally
        {
            await LeaveAsync().ConfigureAwait(false);
            await workers.WaitUntilIdleAsync().ConfigureAwait(false);
        }
    }
}
