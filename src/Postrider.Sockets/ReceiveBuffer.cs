using System.Buffers;
using Postrider.Memory;

namespace Postrider.Sockets;

/// <summary>The bytes of a connection that its receiver has not consumed: only the front of an incomplete frame.</summary>
internal struct ReceiveBuffer
{
    private byte[]? _kept;
    private int _length;
    private int _neededBytes;

    /// <summary>The bytes kept.</summary>
    public readonly int Length => _length;

    /// <summary>The number of bytes that the first frame needs in all, or 0.</summary>
    public readonly int NeededBytes => _neededBytes;

    /// <summary>Passes the kept bytes and the bytes after them to the receiver.</summary>
    public void Receive(ReadOnlySpan<byte> arrived, IReceiver receiver, SendBatch batch)
    {
        if (_length == 0)
        {
            var consumed = receiver.Receive(arrived, batch, out _neededBytes);
            if (consumed < arrived.Length) Keep(arrived[consumed..]);
            return;
        }
        EnsureRoom(arrived.Length);
        BulkCopy.Copy(arrived, _kept.AsSpan(_length));
        ReceiveKept(arrived.Length, receiver, batch);
    }

    /// <summary>Room after the kept bytes to receive into, so that a large frame grows in place.</summary>
    public Memory<byte> GetRoom(int minBytes)
    {
        EnsureRoom(Math.Max(minBytes, _neededBytes - _length));
        return _kept.AsMemory(_length);
    }

    /// <summary>Passes the kept bytes, grown in place, to the receiver.</summary>
    public void ReceiveKept(int arrivedBytes, IReceiver receiver, SendBatch batch)
    {
        _length += arrivedBytes;
        var input = _kept.AsSpan(0, _length);
        var consumed = receiver.Receive(input, batch, out _neededBytes);
        var rest = _length - consumed;
        if (rest == 0)
        {
            Release();
            return;
        }
        if (consumed > 0) input[consumed..].CopyTo(input);
        _length = rest;
    }

    /// <summary>Moves the kept bytes to the front of a shared buffer.</summary>
    public void MoveTo(Span<byte> target)
    {
        BulkCopy.Copy(_kept.AsSpan(0, _length), target);
        Release();
    }

    /// <summary>Keeps bytes for the next read.</summary>
    public void Keep(ReadOnlySpan<byte> rest, int neededBytes)
    {
        _neededBytes = neededBytes;
        Keep(rest);
    }

    /// <summary>Returns the memory.</summary>
    public void Release()
    {
        if (_kept is not null) ArrayPool<byte>.Shared.Return(_kept);
        _kept = null;
        _length = 0;
    }

    private void Keep(ReadOnlySpan<byte> rest)
    {
        _kept = ArrayPool<byte>.Shared.Rent(Math.Max(rest.Length, _neededBytes));
        BulkCopy.Copy(rest, _kept);
        _length = rest.Length;
    }

    private void EnsureRoom(int bytes)
    {
        if (_kept is not null && _kept.Length - _length >= bytes) return;
        // Doubled, so that a line that grows read by read is not copied at each one.
        var grown = ArrayPool<byte>.Shared.Rent(Math.Max(_length + bytes, _length * 2));
        BulkCopy.Copy(_kept.AsSpan(0, _length), grown);
        if (_kept is not null) ArrayPool<byte>.Shared.Return(_kept);
        _kept = grown;
    }
}
