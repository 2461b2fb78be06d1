using System.Buffers;

namespace Postrider.Serialization.Protobuf;

/// <summary>Reads the fields of a message that has no class.</summary>
/// <remarks>Shape: slices of the input, valid as long as it is. Not thread-safe. Source: Protobuf's encoding.</remarks>
internal ref struct ProtobufReader(ReadOnlySequence<byte> input)
{
    public const int Varint = 0;
    public const int Fixed64 = 1;
    public const int LengthDelimited = 2;
    public const int Fixed32 = 5;

    private SequenceReader<byte> _input = new(input);

    /// <summary>The next field's number and wire type; false at the end.</summary>
    public bool TryReadTag(out int number, out int wireType)
    {
        (number, wireType) = (0, 0);
        if (_input.End)
            return false;
        var tag = ReadVarint();
        if (tag is < 8 or > uint.MaxValue)
            throw Bad($"{tag} is not a valid field tag");
        (number, wireType) = ((int)(tag >> 3), (int)(tag & 7));
        return true;
    }

    public ulong ReadVarint()
    {
        ulong value = 0;
        for (var shift = 0; shift < 70; shift += 7)
        {
            if (!_input.TryRead(out var one))
                throw Bad("it ends in the middle of a number");
            value |= (ulong)(one & 0x7F) << shift;
            if (one < 0x80)
                return value;
        }

        throw Bad("a number has more than ten bytes");
    }

    public uint ReadFixed32() => _input.TryReadLittleEndian(out int value) ? (uint)value : throw Bad("it ends in the middle of a number");

    public ulong ReadFixed64() => _input.TryReadLittleEndian(out long value) ? (ulong)value : throw Bad("it ends in the middle of a number");

    public ReadOnlySequence<byte> ReadBytes()
    {
        var length = ReadVarint();
        if (length > (ulong)_input.Remaining)
            throw Bad($"a field of {length} bytes exceeds the message");
        _input.TryReadExact((int)length, out var bytes);
        return bytes;
    }

    /// <summary>Skips the value of an unknown field.</summary>
    public void Skip(int wireType)
    {
        switch (wireType)
        {
            case Varint:
                ReadVarint();
                break;
            case Fixed64:
                ReadFixed64();
                break;
            case LengthDelimited:
                ReadBytes();
                break;
            case Fixed32:
                ReadFixed32();
                break;
            default:
                throw Bad($"unknown wire type {wireType}");
        }
    }

    /// <summary>Checks the wire type of a field.</summary>
    public static void Expect(int wireType, int expected)
    {
        if (wireType != expected)
            throw Bad($"a field has the wire type {wireType}, not {expected}");
    }

    /// <summary>Creates the exception for a malformed field; the message's serializer wraps it.</summary>
    public static FormatException Bad(string why) => new($"The Protobuf message cannot be read: {why}.");
}
