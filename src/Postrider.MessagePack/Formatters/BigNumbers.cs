using System.Buffers.Binary;
using System.Globalization;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Postrider.MessagePack.Formatters;

/// <summary>Formatters of numbers larger than 64 bits.</summary>
public static class BigNumbers
{
    private const int Bytes16 = 16;

    // A code, a length and sixteen bytes.
    private const int Binary16Bytes = 18;

    /// <summary><see cref="decimal"/> as 16 bytes, flags first, in .NET's layout; text is read too.</summary>
    public readonly struct Decimal : IMessagePackFormatter<decimal>
    {
        private const int Flags = unchecked((int)0x80FF0000);
        private const int MaxScale = 28;

        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, decimal value)
        {
            ref var at = ref writer.Reserve(Binary16Bytes);
            at = MessagePackCode.Binary8;
            Unsafe.Add(ref at, 1) = Bytes16;
            Span<int> parts = stackalloc int[4];
            decimal.GetBits(value, parts);
            ref var number = ref Unsafe.Add(ref at, 2);
            WriteLittleEndian(ref number, parts[3]);
            WriteLittleEndian(ref Unsafe.Add(ref number, 4), parts[2]);
            WriteLittleEndian(ref Unsafe.Add(ref number, 8), parts[0]);
            WriteLittleEndian(ref Unsafe.Add(ref number, 12), parts[1]);
            writer.Wrote(Binary16Bytes);
        }

        /// <inheritdoc/>
        public decimal Read(ref MessagePackReader reader)
        {
            if (reader.PeekType() == MessagePackType.String)
                return DecimalText.ReadText(ref reader);

            var start = reader.Consumed;
            var bytes = reader.ReadBinarySpan();
            if (bytes.Length != Bytes16)
                ThrowHelper.InvalidValue(start, "a decimal of 16 bytes", $"{bytes.Length} bytes");
            var flags = ReadLittleEndian(bytes);
            if ((flags & ~Flags) != 0 || (flags >> 16 & 0xFF) > MaxScale)
                ThrowHelper.InvalidValue(start, "a decimal", $"a sign and scale of 0x{flags:X8}");
            return new(
                ReadLittleEndian(bytes[8..]), ReadLittleEndian(bytes[12..]), ReadLittleEndian(bytes[4..]), flags < 0, (byte)(flags >> 16));
        }

        private static void WriteLittleEndian(ref byte at, int value)
            => Unsafe.WriteUnaligned(ref at, BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value));

        private static int ReadLittleEndian(ReadOnlySpan<byte> bytes)
            => BinaryPrimitives.ReadInt32LittleEndian(bytes);
    }

    /// <summary><see cref="decimal"/> as text, as with MessagePack-CSharp's standard resolver; 16 bytes are read too.</summary>
    public readonly struct DecimalText : IMessagePackFormatter<decimal>
    {
        private const int MaxCharacters = 31;

        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, decimal value)
        {
            Span<char> text = stackalloc char[MaxCharacters];
            value.TryFormat(text, out var length, provider: CultureInfo.InvariantCulture);
            writer.Write(text[..length]);
        }

        /// <inheritdoc/>
        public decimal Read(ref MessagePackReader reader) => default(Decimal).Read(ref reader);

        internal static decimal ReadText(ref MessagePackReader reader)
        {
            var start = reader.Consumed;
            if (!decimal.TryParse(reader.ReadStringSpan(), NumberStyles.Number, CultureInfo.InvariantCulture, out var value))
                ThrowHelper.InvalidValue(start, "a decimal", "other text");
            return value;
        }
    }

    /// <summary><see cref="BigInteger"/> as bytes: little-endian, two's complement.</summary>
    public readonly struct Big : IMessagePackFormatter<BigInteger>
    {
        private const int MaxOnStack = 256;

        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, BigInteger value)
        {
            var length = value.GetByteCount();
            var bytes = length <= MaxOnStack ? stackalloc byte[MaxOnStack] : new byte[length];
            value.TryWriteBytes(bytes, out length);
            writer.WriteBinary(bytes[..length]);
        }

        /// <inheritdoc/>
        public BigInteger Read(ref MessagePackReader reader) => new(reader.ReadBinarySpan());
    }

    /// <summary><see cref="System.Int128"/> as 16 bytes, little-endian.</summary>
    public readonly struct Int128 : IMessagePackFormatter<System.Int128>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, System.Int128 value)
        {
            Span<byte> bytes = stackalloc byte[Bytes16];
            BinaryPrimitives.WriteInt128LittleEndian(bytes, value);
            writer.WriteBinary(bytes);
        }

        /// <inheritdoc/>
        public System.Int128 Read(ref MessagePackReader reader) => (System.Int128)ReadUInt128(ref reader);
    }

    /// <summary><see cref="System.UInt128"/> as 16 bytes, little-endian.</summary>
    public readonly struct UInt128 : IMessagePackFormatter<System.UInt128>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, System.UInt128 value)
        {
            Span<byte> bytes = stackalloc byte[Bytes16];
            BinaryPrimitives.WriteUInt128LittleEndian(bytes, value);
            writer.WriteBinary(bytes);
        }

        /// <inheritdoc/>
        public System.UInt128 Read(ref MessagePackReader reader) => ReadUInt128(ref reader);
    }

    /// <summary><see cref="System.Numerics.Complex"/> as an array of two floats: real and imaginary.</summary>
    public readonly struct Complex : IMessagePackFormatter<System.Numerics.Complex>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, System.Numerics.Complex value)
        {
            writer.WriteArrayHeader(2);
            writer.Write(value.Real);
            writer.Write(value.Imaginary);
        }

        /// <inheritdoc/>
        public System.Numerics.Complex Read(ref MessagePackReader reader)
        {
            FormatterChecks.ReadArrayHeader(ref reader, 2, "a complex number");
            return new(reader.ReadDouble(), reader.ReadDouble());
        }
    }

    private static System.UInt128 ReadUInt128(ref MessagePackReader reader)
    {
        var start = reader.Consumed;
        var bytes = reader.ReadBinarySpan();
        if (bytes.Length != Bytes16)
            ThrowHelper.InvalidValue(start, "a number of 16 bytes", $"{bytes.Length} bytes");
        return BinaryPrimitives.ReadUInt128LittleEndian(bytes);
    }
}
