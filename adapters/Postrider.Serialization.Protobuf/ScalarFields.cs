using System.Buffers;
using System.Text;

namespace Postrider.Serialization.Protobuf;

/// <summary>Fields of scalar types.</summary>
internal static class ScalarFields
{
    private static readonly UTF8Encoding s_utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private static readonly object[] s_fields =
    [
        new Number<bool>(false, ProtobufReader.Varint, v => v ? 1ul : 0, v => v != 0),
        new Number<int>(0, ProtobufReader.Varint, v => (ulong)(long)v, v => (int)v),
        new Number<long>(0, ProtobufReader.Varint, v => (ulong)v, v => (long)v),
        new Number<uint>(0, ProtobufReader.Varint, v => v, v => (uint)v),
        new Number<ulong>(0, ProtobufReader.Varint, v => v, v => v),
        new Number<float>(0, ProtobufReader.Fixed32, v => BitConverter.SingleToUInt32Bits(v), v => BitConverter.UInt32BitsToSingle((uint)v)),
        new Number<double>(0, ProtobufReader.Fixed64, BitConverter.DoubleToUInt64Bits, BitConverter.UInt64BitsToDouble),
        new Text(),
        new Bytes(),
    ];

    /// <summary>The field of a type, or null.</summary>
    public static ProtobufField<T>? Find<T>()
    {
        foreach (var field in s_fields)
        {
            if (field is ProtobufField<T> found)
                return found;
        }

        return null;
    }

    private sealed class Number<T>(T none, int wire, Func<T, ulong> toBits, Func<ulong, T> ofBits) : ProtobufField<T>
    {
        public override T Default => none;

        public override void Write(IBufferWriter<byte> output, int number, T value)
        {
            // Minus zero is not the default.
            var bits = toBits(value);
            if (bits == 0)
                return;
            output.WriteTag(number, wire);
            if (wire == ProtobufReader.Varint)
                output.WriteVarint(bits);
            else if (wire == ProtobufReader.Fixed32)
                output.WriteFixed((uint)bits);
            else
                output.WriteFixed(bits);
        }

        public override T Read(ref ProtobufReader reader, int wireType)
        {
            ProtobufReader.Expect(wireType, wire);
            return ofBits(wire == ProtobufReader.Varint ? reader.ReadVarint() : wire == ProtobufReader.Fixed32 ? reader.ReadFixed32() : reader.ReadFixed64());
        }
    }

    private sealed class Text : ProtobufField<string>
    {
        public override string Default => "";

        public override void Write(IBufferWriter<byte> output, int number, string value)
        {
            if (string.IsNullOrEmpty(value))
                return;
            var length = Encoding.UTF8.GetByteCount(value);
            output.WriteTag(number, ProtobufReader.LengthDelimited);
            output.WriteVarint((uint)length);
            output.Advance(Encoding.UTF8.GetBytes(value, output.GetSpan(length)));
        }

        public override string Read(ref ProtobufReader reader, int wireType)
        {
            ProtobufReader.Expect(wireType, ProtobufReader.LengthDelimited);
            try
            {
                return s_utf8.GetString(reader.ReadBytes());
            }
            catch (DecoderFallbackException)
            {
                throw ProtobufReader.Bad("a string is not valid UTF-8");
            }
        }
    }

    private sealed class Bytes : ProtobufField<byte[]>
    {
        public override byte[] Default => [];

        public override void Write(IBufferWriter<byte> output, int number, byte[] value)
        {
            if (value is { Length: > 0 })
                output.WriteBytes(number, value);
        }

        public override byte[] Read(ref ProtobufReader reader, int wireType)
        {
            ProtobufReader.Expect(wireType, ProtobufReader.LengthDelimited);
            return reader.ReadBytes().ToArray();
        }
    }
}
