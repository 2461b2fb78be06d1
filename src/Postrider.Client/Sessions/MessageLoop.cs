namespace Postrider.Client.Sessions;

/// <summary>Takes messages as they come and works on them: one after the other, or several at once.</summary>
/// <typeparam name="TMessage">A message, as its kind of reader gives it.</typeparam>
/// <param name="concurrency">How many at once; 1 keeps their order.</param>
internal abstract class MessageLoop<TMessage>(int concurrency)
{
    /// <summary>Waits until a message can be taken.</summary>
    /// <returns>False at the end.</returns>
    protected abstract ValueTask<bool> WaitAsync(CancellationToken ct);

    /// <summary>Reads a message if one is available.</summary>
    protected abstract bool TryTake(out TMessage message);

    /// <summary>Works on one message. What it throws ends a loop that works in order and nothing else: catch it.</summary>
    protected abstract ValueTask WorkAsync(TMessage message, CancellationToken ct);

    /// <summary>Called when no further message is taken, while those taken may still be worked on.</summary>
    protected virtual ValueTask LeaveAsync() => default;

    /// <summary>Runs until the messages end or <paramref name="stop"/> is cancelled.</summary>
    /// <param name="stop">Takes no further message; those that were not taken stay with the reader.</param>
    /// <param name="work">Handed to those who work.</param>
    /// <returns>Done when the last one has returned.</returns>
    /// <exception cref="OperationCanceledException"><paramref name="stop"/> was cancelled.</exception>
    protected async Task LoopAsync(CancellationToken stop, CancellationToken work)
    {
        using var room = concurrency > 1 ? new SemaphoreSlim(concurrency) : null;
        try
        {
            while (await WaitAsync(stop).ConfigureAwait(false))
            {
                // A reader that has messages at hand does not look at the token, and none of them is taken any more.
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
            // Room first: a message that waits for it must not be one that was taken.
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
        // Leaves the loop at once, also when the work does not.
        await Task.Yield();
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
