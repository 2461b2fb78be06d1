using System.Buffers;

namespace Postrider.SystemTests.Rpc;

/// <summary>Memory that does not say that it is an array.</summary>
internal sealed class HiddenArray(int length) : MemoryManager<byte>
{
    private readonly byte[] _bytes = GC.AllocateArray<byte>(length, pinned: true);

    public override Span<byte> GetSpan() => _bytes;

    public override MemoryHandle Pin(int elementIndex = 0) => _bytes.AsMemory(elementIndex).Pin();

    public override void Unpin()
    {
    }

    protected override void Dispose(bool disposing)
    {
    }
}
