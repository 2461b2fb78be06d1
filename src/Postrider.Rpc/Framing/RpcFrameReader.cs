using System.Buffers.Binary;
using System.Text;

namespace Postrider.Rpc.Framing;

/// <summary>Reads the fields of a frame. Methods return false for malformed input and never throw.</summary>
internal ref struct RpcFrameReader(ReadOnlySpan<byte> bytes)
{
    private readonly ReadOnlySpan<byte> _bytes = bytes;

    public int Consumed { get; private set; }

    public readonly int Left => _bytes.Length - Consumed;

    public bool TryReadByte(out byte value)
    {
        value = 0;
        if (Left < 1)
            return false;
        value = _bytes[Consumed++];
        return true;
    }

    public bool TryReadUInt16(out int value)
    {
        value = 0;
        if (Left < 2)
            return false;
        value = BinaryPrimitives.ReadUInt16LittleEndian(_bytes[Consumed..]);
        Consumed += 2;
        return true;
    }

    public bool TryReadUInt32(out uint value)
    {
        value = 0;
        if (Left < 4)
            return false;
        value = BinaryPrimitives.ReadUInt32LittleEndian(_bytes[Consumed..]);
        Consumed += 4;
        return true;
    }

    /// <summary>A text after its length in one byte.</summary>
    public bool TryReadShortText(out string text)
    {
        text = "";
        return TryReadByte(out var length) && TryReadText(length, out text);
    }

    /// <summary>A text after its length in two bytes.</summary>
    public bool TryReadLongText(out string text)
    {
        text = "";
        return TryReadUInt16(out var length) && TryReadText(length, out text);
    }

    /// <summary>Reads headers into a list; false when one is malformed.</summary>
    public bool TryReadHeaders(RpcHeaders headers)
    {
        if (!TryReadUInt16(out var count) || count > FrameFormat.MaxHeaders)
            return false;
        var start = Consumed - 2;
        for (; count > 0; count--)
        {
            if (!TryReadShortText(out var name) || !TryReadLongText(out var value) || !RpcHeaders.IsName(name) || !RpcHeaders.IsValue(value)
                || Consumed - start > FrameFormat.MaxHeaderBytes)
                return false;
            headers[name] = value;
        }

        return true;
    }

    private bool TryReadText(int length, out string text)
    {
        text = "";
        if (Left < length)
            return false;
        var utf8 = _bytes.Slice(Consumed, length);
        if (!System.Text.Unicode.Utf8.IsValid(utf8))
            return false;
        text = Encoding.UTF8.GetString(utf8);
        Consumed += length;
        return true;
    }
}
