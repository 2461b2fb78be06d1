using Postrider.Flow.Sources;
using Postrider.Resilience;

namespace Postrider.Flow.Pumps;

/// <summary>What a pump knows while it runs. Lives on its stack.</summary>
internal struct PumpFrame<TItem, TResult, TPending>
    where TPending : struct, IPending<TResult>
{
    public ItemChunk<TItem> Chunk;

    /// <summary>Items in a row to claim next.</summary>
    public int Size;

    /// <summary>A run that is free for the next item that needs one.</summary>
    public ItemRun<TItem, TResult, TPending>? Spare;

    /// <summary>A body of this chunk did not complete at once.</summary>
    public bool Suspended;

    /// <summary>This pump has asked for a helper.</summary>
    public bool Helped;

    /// <summary>When the chunk and when the first chunk ended, in ticks of the machine's clock; 0: not yet.</summary>
    public long ChunkEnded;
    public long FirstEnded;

    /// <summary>Items whose body was called, and those that ended with a value, since the last flush.</summary>
    public int Started;
    public int Completed;

    /// <summary>When the call that runs began, for items that take the short way and are timed.</summary>
    public long CallStarted;

    /// <summary>Of <see cref="Completed"/>, those reported to the breaker.</summary>
    public int Reported;

    /// <summary>Index up to which items of the chunk have their permit of the rate limit.</summary>
    public long PaidTo;

    /// <summary>The breaker's ticket of the item that takes the short way.</summary>
    public CircuitBreakerTicket Ticket;

    /// <summary>Counts, to time one item of 256.</summary>
    public int Sample;
}
