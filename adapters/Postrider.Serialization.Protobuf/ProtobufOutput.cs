using System.Buffers;
using System.Numerics;

namespace Postrider.Serialization.Protobuf;

/// <summary>Writes the fields of a message that has no class.</summary>
internal static class ProtobufOutput
{
    private const int MaxVarintBytes = 10;

    public static void WriteTag(this IBufferWriter<byte> output, int number, int wireType) => output.WriteVarint((uint)(number << 3 | wireType));

    public static void WriteVarint(this IBufferWriter<byte> output, ulong value)
    {
        var room = output.GetSpan(MaxVarintBytes);
        var length = 0;
        for (; value >= 0x80; value >>= 7)
            room[length++] = (byte)(value | 0x80);
        room[length++] = (byte)value;
        output.Advance(length);
    }

    public static void WriteFixed<T>(this IBufferWriter<byte> output, T value)
        where T : IBinaryInteger<T>
    {
        var length = value.WriteLittleEndian(output.GetSpan(sizeof(ulong)));
        output.Advance(length);
    }

    public static void WriteBytes(this IBufferWriter<byte> output, int number, ReadOnlySpan<byte> bytes)
    {
        output.WriteTag(number, ProtobufReader.LengthDelimited);
        output.WriteVarint((uint)bytes.Length);
        output.Write(bytes);
    }
}
