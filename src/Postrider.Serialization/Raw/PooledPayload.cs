using System.Buffers;
using Postrider.Memory;

namespace Postrider.Serialization.Raw;

/// <summary>A received payload in rented memory of exactly its length.</summary>
internal sealed class PooledPayload : IMemoryOwner<byte>
{
    private byte[]? _rented;
    private readonly int _length;

    private PooledPayload(byte[] rented, int length) => (_rented, _length) = (rented, length);

    public Memory<byte> Memory
    {
        get
        {
            ObjectDisposedException.ThrowIf(_rented is null, this);
            return _rented.AsMemory(0, _length);
        }
    }

    public static PooledPayload Copy(ReadOnlySpan<byte> payload)
    {
        var rented = ArrayPool<byte>.Shared.Rent(payload.Length);
        BulkCopy.Copy(payload, rented);
        return new PooledPayload(rented, payload.Length);
    }

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _rented, null) is { } rented) ArrayPool<byte>.Shared.Return(rented);
    }
}
