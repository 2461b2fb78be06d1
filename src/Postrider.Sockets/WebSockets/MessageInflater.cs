using System.Buffers;
using System.IO.Compression;

namespace Postrider.Sockets.WebSockets;

/// <summary>Collects a compressed message and inflates it. Source: RFC 7692, 7.2.2.</summary>
/// <param name="maxBytes">Maximum size of a message, both compressed and inflated.</param>
internal sealed class MessageInflater(long maxBytes)
{
    private const int FirstBytes = 4096;

    private byte[] _collected = [];
    private int _length;

    // The four bytes that the sender omits, and an empty last block, which ends the stream.
    private static ReadOnlySpan<byte> Tail => [0x00, 0x00, 0xFF, 0xFF, 0x01, 0x00, 0x00, 0xFF, 0xFF];

    /// <summary>Adds a part of the message.</summary>
    /// <param name="part">Masked bytes.</param>
    /// <param name="key">The mask's key at their first byte.</param>
    /// <returns>The key for the bytes that follow.</returns>
    /// <exception cref="WebSocketProtocolException">The message is too large.</exception>
    public uint Add(ReadOnlySpan<byte> part, uint key)
    {
        Ensure(part.Length);
        key = FrameMask.Copy(part, _collected.AsSpan(_length), key);
        _length += part.Length;
        return key;
    }

    /// <summary>Inflates the message that was collected.</summary>
    /// <param name="piece">Room for a piece.</param>
    /// <param name="deliver">Called with the bytes of each piece in <paramref name="piece"/>.</param>
    /// <exception cref="WebSocketProtocolException">The message is too large, or is not deflated data.</exception>
    public void Inflate(byte[] piece, Action<int> deliver)
    {
        Ensure(Tail.Length);
        Tail.CopyTo(_collected.AsSpan(_length));
        var length = _length + Tail.Length;
        _length = 0;
        try
        {
            using var source = new MemoryStream(_collected, 0, length, writable: false);
            using var inflate = new DeflateStream(source, CompressionMode.Decompress);
            var left = maxBytes;
            while (inflate.Read(piece) is > 0 and var read)
            {
                left -= read;
                if (left < 0) throw TooBig();
                deliver(read);
            }
        }
        catch (InvalidDataException error)
        {
            throw new WebSocketProtocolException("a compressed message is damaged", WebSocketCloseStatus.InvalidPayloadData, error);
        }
        finally
        {
            Release();
        }
    }

    /// <summary>Returns the memory.</summary>
    public void Release()
    {
        if (_collected.Length > 0) ArrayPool<byte>.Shared.Return(_collected);
        (_collected, _length) = ([], 0);
    }

    private void Ensure(int bytes)
    {
        if (_length + (long)bytes > maxBytes) throw TooBig();
        if (_collected.Length - _length >= bytes) return;
        var grown = ArrayPool<byte>.Shared.Rent(Math.Max(FirstBytes, Math.Max(_length + bytes, (int)Math.Min(_collected.Length * 2L, Array.MaxLength))));
        _collected.AsSpan(0, _length).CopyTo(grown);
        if (_collected.Length > 0) ArrayPool<byte>.Shared.Return(_collected);
        _collected = grown;
    }

    private WebSocketProtocolException TooBig() => new($"a compressed message is larger than {maxBytes} bytes", WebSocketCloseStatus.MessageTooBig);
}
