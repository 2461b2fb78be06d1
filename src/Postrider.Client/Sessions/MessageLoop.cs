namespace Postrider.Client.Sessions;

/// <summary>Takes messages in order and processes them, one after the other or several concurrently.</summary>
/// <typeparam name="TMessage">The type of message of the reader.</typeparam>
/// <param name="concurrency">The maximum number processed concurrently; 1 keeps their order.</param>
/// <param name="startsInOrder">Whether several are started one after the other in the order of the messages.</param>
internal abstract class MessageLoop<TMessage>(int concurrency, bool startsInOrder = false)
{
    /// <summary>Waits until a message is available.</summary>
    /// <returns>False at the end.</returns>
    protected abstract ValueTask<bool> WaitAsync(CancellationToken ct);

    /// <summary>Reads a message if one is available.</summary>
    protected abstract bool TryTake(out TMessage message);

    /// <summary>Processes one message. An exception ends a loop that works in order and nothing else: catch it.</summary>
    protected abstract ValueTask WorkAsync(TMessage message, CancellationToken ct);

    /// <summary>Called when no further message is taken, while messages taken before may still be processed.</summary>
    protected virtual ValueTask LeaveAsync() => default;

    /// <summary>Runs until the messages end or <paramref name="stop"/> is cancelled.</summary>
    /// <param name="stop">Takes no further message; messages that were not taken stay with the reader.</param>
    /// <param name="work">Passed to the processing.</param>
    /// <returns>Completes when the last message has been processed.</returns>
    /// <exception cref="OperationCanceledException"><paramref name="stop"/> was cancelled.</exception>
    protected async Task LoopAsync(CancellationToken stop, CancellationToken work)
    {
        using var room = concurrency > 1 ? new SemaphoreSlim(concurrency) : null;
        try
        {
            while (await WaitAsync(stop).ConfigureAwait(false))
            {
                // A reader with available messages does not check the token, and none of them may be taken any more.
                stop.ThrowIfCancellationRequested();
                if (room is null) await WorkInOrderAsync(stop, work).ConfigureAwait(false);
                else await WorkAtOnceAsync(room, stop, work).ConfigureAwait(false);
            }
        }
        finally
        {
            await LeaveAsync().ConfigureAwait(false);
            for (var i = 0; room is not null && i < concurrency; i++) await room.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        }
    }

    private async ValueTask WorkInOrderAsync(CancellationToken stop, CancellationToken work)
    {
        while (!stop.IsCancellationRequested && TryTake(out var message)) await WorkAsync(message, work).ConfigureAwait(false);
    }

    private async ValueTask WorkAtOnceAsync(SemaphoreSlim room, CancellationToken stop, CancellationToken work)
    {
        while (true)
        {
            // Room first: a message that has to wait for it must not have been taken.
            await room.WaitAsync(stop).ConfigureAwait(false);
            if (!TryTake(out var message))
            {
                room.Release();
                return;
            }
            _ = WorkAndLeaveAsync(message, room, work);
        }
    }

    private async Task WorkAndLeaveAsync(TMessage message, SemaphoreSlim room, CancellationToken work)
    {
        // Returns to the loop at once, even if the processing does not.
        if (!startsInOrder) await Task.Yield();
        try
        {
            await WorkAsync(message, work).ConfigureAwait(false);
        }
        finally
        {
            room.Release();
        }
    }
}
