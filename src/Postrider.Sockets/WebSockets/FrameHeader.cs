using System.Buffers.Binary;

namespace Postrider.Sockets.WebSockets;

/// <summary>The front of a frame. Source: RFC 6455, 5.2.</summary>
internal readonly struct FrameHeader
{
    /// <summary>Maximum length: two bytes, a length of eight, a key of four.</summary>
    public const int MaxBytes = 14;

    /// <summary>Maximum payload of a ping, pong or close.</summary>
    public const int MaxControlPayload = 125;

    private const byte FinalBit = 0x80;
    private const byte CompressedBit = 0x40;
    private const byte ReservedBits = 0x30;
    private const byte MaskBit = 0x80;
    private const int ShortLength = 125;
    private const int TwoByteLength = 126;
    private const int EightByteLength = 127;

    private FrameHeader(byte first, bool isMasked, ulong payloadBytes, uint key, int length)
    {
        Opcode = (FrameOpcode)(first & 0xF);
        IsFinal = (first & FinalBit) != 0;
        IsCompressed = (first & CompressedBit) != 0;
        HasReservedBits = (first & ReservedBits) != 0;
        (IsMasked, PayloadBytes, Key, Length) = (isMasked, payloadBytes, key, length);
    }

    /// <summary>The opcode, which may be unknown.</summary>
    public FrameOpcode Opcode { get; }

    /// <summary>Whether the frame is the last of its message.</summary>
    public bool IsFinal { get; }

    /// <summary>Whether the message is compressed (RFC 7692).</summary>
    public bool IsCompressed { get; }

    /// <summary>Whether bits are set that no extension uses.</summary>
    public bool HasReservedBits { get; }

    /// <summary>Whether the payload is masked.</summary>
    public bool IsMasked { get; }

    /// <summary>The length of the payload.</summary>
    public ulong PayloadBytes { get; }

    /// <summary>The mask's key; 0 without one.</summary>
    public uint Key { get; }

    /// <summary>The length of the header.</summary>
    public int Length { get; }

    /// <summary>Whether the frame is a ping, a pong, a close, or has an opcode reserved for control frames.</summary>
    public bool IsControl => Opcode >= FrameOpcode.Close;

    /// <summary>Reads a header.</summary>
    /// <param name="input">Bytes that begin with a header.</param>
    /// <param name="header">The header.</param>
    /// <param name="neededBytes">The number of bytes needed to read it.</param>
    /// <returns>False when the input is shorter than the header.</returns>
    public static bool TryRead(ReadOnlySpan<byte> input, out FrameHeader header, out int neededBytes)
    {
        header = default;
        neededBytes = 2;
        if (input.Length < neededBytes) return false;
        var isMasked = (input[1] & MaskBit) != 0;
        ulong payload = (byte)(input[1] & ~MaskBit);
        var lengthBytes = payload switch { TwoByteLength => sizeof(ushort), EightByteLength => sizeof(ulong), _ => 0 };
        neededBytes = 2 + lengthBytes + (isMasked ? sizeof(uint) : 0);
        if (input.Length < neededBytes) return false;
        if (lengthBytes == sizeof(ushort)) payload = BinaryPrimitives.ReadUInt16BigEndian(input[2..]);
        else if (lengthBytes == sizeof(ulong)) payload = BinaryPrimitives.ReadUInt64BigEndian(input[2..]);
        var key = isMasked ? FrameMask.Read(input[(2 + lengthBytes)..]) : 0;
        header = new FrameHeader(input[0], isMasked, payload, key, neededBytes);
        return true;
    }

    /// <summary>Writes the header of a frame that contains a whole message.</summary>
    /// <param name="target">Room for <see cref="MaxBytes"/>.</param>
    /// <param name="opcode">The opcode.</param>
    /// <param name="payloadBytes">The length of the payload.</param>
    /// <param name="isCompressed">Whether the payload is compressed.</param>
    /// <param name="key">The mask's key; null for none.</param>
    /// <returns>The length of the header.</returns>
    public static int Write(Span<byte> target, FrameOpcode opcode, int payloadBytes, bool isCompressed, uint? key)
    {
        target[0] = (byte)(FinalBit | (isCompressed ? CompressedBit : 0) | (int)opcode);
        var mask = key is null ? 0 : MaskBit;
        var length = 2;
        if (payloadBytes <= ShortLength)
        {
            target[1] = (byte)(mask | payloadBytes);
        }
        else if (payloadBytes <= ushort.MaxValue)
        {
            target[1] = (byte)(mask | TwoByteLength);
            BinaryPrimitives.WriteUInt16BigEndian(target[2..], (ushort)payloadBytes);
            length += sizeof(ushort);
        }
        else
        {
            target[1] = (byte)(mask | EightByteLength);
            BinaryPrimitives.WriteUInt64BigEndian(target[2..], (ulong)payloadBytes);
            length += sizeof(ulong);
        }
        if (key is not { } written) return length;
        FrameMask.Write(written, target[length..]);
        return length + sizeof(uint);
    }
}
