// Hot path: SocketInvoker, ServerCall -> this -> FrameSendQueue. Allocations: none.
using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Postrider.Memory;

namespace Postrider.Rpc.Framing;

/// <summary>A growable pooled buffer for writing one frame.</summary>
/// <remarks>Shape: the frame begins at the first byte; its length is filled in by <see cref="Finish"/>. One a thread, taken
/// while in use. Not thread-safe.</remarks>
internal sealed class FrameBuffer : IBufferWriter<byte>
{
    private const int FirstBytes = 4 * 1024;

    // A larger buffer is handed over with its message or returned to the pool: a thread keeps at most this much.
    private const int MaxKeptBytes = 256 * 1024;

    [ThreadStatic] private static FrameBuffer? t_kept;

    private byte[] _bytes = ArrayPool<byte>.Shared.Rent(FirstBytes);
    private int _written;

    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _written);

    public int Length => _written;

    public static FrameBuffer Rent()
    {
        var buffer = t_kept ?? new FrameBuffer();
        t_kept = null;
        return buffer;
    }

    public void Return()
    {
        if (t_kept is not null)
        {
            // It was rented while the thread's own buffer was in use.
            ArrayPool<byte>.Shared.Return(_bytes);
            return;
        }

        if (_bytes.Length > MaxKeptBytes)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
            _bytes = ArrayPool<byte>.Shared.Rent(FirstBytes);
        }

        t_kept = this;
    }

    /// <summary>Transfers ownership of the bytes to the caller, who returns them to the pool.</summary>
    public byte[] Detach()
    {
        var bytes = _bytes;
        _bytes = ArrayPool<byte>.Shared.Rent(FirstBytes);
        _written = 0;
        return bytes;
    }

    public void Begin(RpcFrameKind kind, FrameFlags flags, uint call)
    {
        var head = _bytes.AsSpan(FrameFormat.LengthBytes);
        head[0] = (byte)kind;
        head[1] = (byte)flags;
        BinaryPrimitives.WriteUInt32LittleEndian(head[2..], call);
        _written = FrameFormat.HeaderBytes;
    }

    /// <summary>Starts a body without a frame around it: the result of <see cref="Detach"/> starts with it.</summary>
    /// <param name="expectedBytes">The probable length: space reserved in advance.</param>
    public void BeginBody(int expectedBytes = 0)
    {
        _written = 0;
        EnsureRoom(expectedBytes);
    }

    public void Finish() => BinaryPrimitives.WriteUInt32LittleEndian(_bytes, (uint)(_written - FrameFormat.LengthBytes));

    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)(_bytes.Length - _written), nameof(count));
        _written += count;
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _bytes.AsMemory(_written);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _bytes.AsSpan(_written);
    }

    public void WriteByte(byte value)
    {
        GetSpan(1)[0] = value;
        _written++;
    }

    public void WriteUInt16(int value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(GetSpan(2), (ushort)value);
        _written += 2;
    }

    public void WriteUInt32(uint value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(GetSpan(4), value);
        _written += 4;
    }

    /// <summary>Writes a string of limited size, preceded by its length in one or two bytes. A longer one is truncated.</summary>
    public void WriteText(string text, int maxBytes)
    {
        var isShort = maxBytes <= byte.MaxValue;
        var size = isShort ? 1 : 2;
        var bytes = Math.Min(maxBytes, Encoding.UTF8.GetMaxByteCount(text.Length));
        var room = GetSpan(size + bytes)[..(size + bytes)];
        if (!Encoding.UTF8.TryGetBytes(text, room[size..], out var length))
            Utf8Cut(text, room[size..], out length);
        if (isShort)
            room[0] = (byte)length;
        else
            BinaryPrimitives.WriteUInt16LittleEndian(room, (ushort)length);
        _written += size + length;
    }

    /// <exception cref="RpcException">The headers exceed the peer's limit.</exception>
    public void WriteHeaders(RpcHeaders headers)
    {
        if (!FrameFormat.CanSend(headers))
            throw new RpcException(RpcStatus.TooLarge, $"The headers exceed the limit of {FrameFormat.MaxHeaders} headers and {FrameFormat.MaxHeaderBytes} bytes.");
        WriteUInt16(headers.Count);
        foreach (var (name, value) in headers)
        {
            WriteText(name, byte.MaxValue);
            WriteText(value, ushort.MaxValue);
        }
    }

    private static void Utf8Cut(string text, Span<byte> room, out int length)
        => System.Text.Unicode.Utf8.FromUtf16(text, room, out _, out length);

    private void EnsureRoom(int bytes)
    {
        if (_bytes.Length - _written >= Math.Max(bytes, 1))
            return;

        var larger = ArrayPool<byte>.Shared.Rent(checked((int)Math.Max((long)_bytes.Length * 2, (long)_written + bytes)));
        BulkCopy.Copy(Written, larger);
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = larger;
    }
}
