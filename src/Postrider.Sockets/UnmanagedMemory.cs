using System.Buffers;

namespace Postrider.Sockets;

/// <summary>Lets the framework's sockets read unmanaged bytes. One per connection, set for each send.</summary>
internal sealed unsafe class UnmanagedMemory : MemoryManager<byte>
{
    private Segment _segment;

    /// <summary>Sets the bytes; only while no send is under way.</summary>
    public void Point(Segment segment) => _segment = segment;

    /// <inheritdoc/>
    public override Span<byte> GetSpan() => new((void*)_segment.Address, (int)_segment.Length);

    /// <inheritdoc/>
    public override MemoryHandle Pin(int elementIndex = 0) => new((byte*)_segment.Address + elementIndex);

    /// <inheritdoc/>
    public override void Unpin()
    {
        // Unmanaged memory does not move.
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        // The chunk's owner frees it.
    }
}
