using System.Buffers;

namespace Postrider.Benchmarks.Rpc;

/// <summary>Bytes in an array of the pool that grows.</summary>
internal sealed class PooledBuffer : IBufferWriter<byte>, IDisposable
{
    private byte[] _array = ArrayPool<byte>.Shared.Rent(4096);
    private int _count;

    public ReadOnlyMemory<byte> Written => _array.AsMemory(0, _count);

    public void Advance(int count) => _count += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _array.AsMemory(_count);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _array.AsSpan(_count);
    }

    public void Dispose() => ArrayPool<byte>.Shared.Return(_array);

    private void Reserve(int size)
    {
        if (_array.Length - _count >= Math.Max(size, 1))
            return;
        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(_array.Length * 2, _count + size));
        _array.AsSpan(0, _count).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_array);
        _array = larger;
    }
}
