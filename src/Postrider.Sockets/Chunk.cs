// Hot path: SendLane -> this -> Outbox -> Connection.Transmit. Allocations: none once pooled.
namespace Postrider.Sockets;

/// <summary>A piece of unmanaged memory that holds bytes to be sent, or bytes on their way between two in-memory ends.</summary>
/// <remarks>
/// Owned by exactly one holder at a time: a lane, an outbox's queue or a send that is under way. Unmanaged, so that the
/// kernel reads it without pinning and bursts go back to the system when they are over (see <see cref="ChunkPool"/>).
/// </remarks>
internal sealed unsafe class Chunk(byte* memory, int capacity)
{
    /// <summary>The next chunk of a chain, or null.</summary>
    public Chunk? Next { get; set; }

    /// <summary>The first byte.</summary>
    public byte* Memory { get; } = memory;

    /// <summary>The usable bytes.</summary>
    public int Capacity { get; } = capacity;

    /// <summary>The first byte that has not been sent.</summary>
    public int Start { get; set; }

    /// <summary>One past the last byte written.</summary>
    public int End { get; set; }

    /// <summary>The bytes between <see cref="Start"/> and <see cref="End"/>.</summary>
    public int Length => End - Start;

    /// <summary>The bytes not sent yet.</summary>
    public ReadOnlySpan<byte> Unsent => new(Memory + Start, End - Start);
}
