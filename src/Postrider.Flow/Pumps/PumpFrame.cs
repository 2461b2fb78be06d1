using Postrider.Flow.Sources;
using Postrider.Resilience;

namespace Postrider.Flow.Pumps;

/// <summary>The state of a pump while it runs. Lives on its stack.</summary>
internal struct PumpFrame<TItem, TResult, TPending>
    where TPending : struct, IPending<TResult>
{
    public ItemChunk<TItem> Chunk;

    /// <summary>Items in a row to claim next.</summary>
    public int Size;

    /// <summary>A free run for the next item that needs one.</summary>
    public ItemRun<TItem, TResult, TPending>? Spare;

    /// <summary>Whether a body of this chunk did not complete synchronously.</summary>
    public bool Suspended;

    /// <summary>Whether this pump has requested a helper.</summary>
    public bool Helped;

    /// <summary>When the chunk and when the first chunk ended, in ticks of the machine's clock; 0 if not yet.</summary>
    public long ChunkEnded;
    public long FirstEnded;

    /// <summary>Items whose body was called, and items that ended with a value, since the last flush.</summary>
    public int Started;
    public int Completed;

    /// <summary>When the running call started, for timed items on the fast path.</summary>
    public long CallStarted;

    /// <summary>Of <see cref="Completed"/>, those reported to the breaker.</summary>
    public int Reported;

    /// <summary>Index up to which items of the chunk have their permit of the rate limit.</summary>
    public long PaidTo;

    /// <summary>The breaker's ticket of the item on the fast path.</summary>
    public CircuitBreakerTicket Ticket;

    /// <summary>A counter to time one item in 256.</summary>
    public int Sample;
}
