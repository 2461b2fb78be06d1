using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>The batch with which a thread that changes subscriptions sends the interest that follows from them to other servers: many changes are one write.</summary>
/// <remarks>Frames are appended to the outboxes at once and in order; only sending waits for the end of the batch.</remarks>
internal static class InterestBatch
{
    // Subscriptions removed with one batch: about a quarter of a millisecond.
    private const int RemovedTogether = 256;

    [ThreadStatic] private static SendBatch? _current;

    /// <summary>The batch of the current thread; null outside of a change.</summary>
    public static SendBatch? Current => _current;

    /// <summary>Begins a change of subscriptions.</summary>
    /// <param name="batch">The batch of the frame that is handled.</param>
    /// <returns>Ends it when disposed.</returns>
    public static Scope Enter(SendBatch batch)
    {
        var before = _current;
        _current = batch;
        return new Scope(before);
    }

    /// <summary>Removes subscriptions outside of a frame.</summary>
    /// <typeparam name="T">Their type.</typeparam>
    /// <param name="subscriptions">The subscriptions.</param>
    /// <param name="batches">The broker's.</param>
    /// <param name="remove">Removes one.</param>
    public static void Remove<T>(IReadOnlyCollection<T> subscriptions, SendBatchSet batches, Action<T> remove)
    {
        if (subscriptions.Count == 1)
        {
            foreach (var one in subscriptions) remove(one);
            return;
        }
        foreach (var some in subscriptions.Chunk(RemovedTogether))
        {
            batches.Run((some, remove), static (work, batch) =>
            {
                using var change = Enter(batch);
                foreach (var one in work.some) work.remove(one);
            });
        }
    }

    internal readonly ref struct Scope(SendBatch? before)
    {
        public void Dispose() => _current = before;
    }
}
