namespace Postrider.MessagePack.Formatters;

/// <summary>Formatters of primitive numbers, booleans and characters.</summary>
public static class Numbers
{
    /// <summary><see cref="bool"/> as a boolean.</summary>
    public readonly struct Boolean : IMessagePackFormatter<bool>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, bool value) => writer.Write(value);

        /// <inheritdoc/>
        public bool Read(ref MessagePackReader reader) => reader.ReadBoolean();
    }

    /// <summary><see cref="sbyte"/> as an integer.</summary>
    public readonly struct SByte : IMessagePackFormatter<sbyte>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, sbyte value) => writer.Write(value);

        /// <inheritdoc/>
        public sbyte Read(ref MessagePackReader reader) => reader.ReadSByte();
    }

    /// <summary><see cref="byte"/> as an integer.</summary>
    public readonly struct Byte : IMessagePackFormatter<byte>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, byte value) => writer.Write(value);

        /// <inheritdoc/>
        public byte Read(ref MessagePackReader reader) => reader.ReadByte();
    }

    /// <summary><see cref="short"/> as an integer.</summary>
    public readonly struct Int16 : IMessagePackFormatter<short>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, short value) => writer.Write(value);

        /// <inheritdoc/>
        public short Read(ref MessagePackReader reader) => reader.ReadInt16();
    }

    /// <summary><see cref="ushort"/> as an integer.</summary>
    public readonly struct UInt16 : IMessagePackFormatter<ushort>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, ushort value) => writer.Write(value);

        /// <inheritdoc/>
        public ushort Read(ref MessagePackReader reader) => reader.ReadUInt16();
    }

    /// <summary><see cref="int"/> as an integer.</summary>
    public readonly struct Int32 : IMessagePackFormatter<int>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, int value) => writer.Write(value);

        /// <inheritdoc/>
        public int Read(ref MessagePackReader reader) => reader.ReadInt32();
    }

    /// <summary><see cref="uint"/> as an integer.</summary>
    public readonly struct UInt32 : IMessagePackFormatter<uint>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, uint value) => writer.Write(value);

        /// <inheritdoc/>
        public uint Read(ref MessagePackReader reader) => reader.ReadUInt32();
    }

    /// <summary><see cref="long"/> as an integer.</summary>
    public readonly struct Int64 : IMessagePackFormatter<long>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, long value) => writer.Write(value);

        /// <inheritdoc/>
        public long Read(ref MessagePackReader reader) => reader.ReadInt64();
    }

    /// <summary><see cref="ulong"/> as an integer.</summary>
    public readonly struct UInt64 : IMessagePackFormatter<ulong>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, ulong value) => writer.Write(value);

        /// <inheritdoc/>
        public ulong Read(ref MessagePackReader reader) => reader.ReadUInt64();
    }

    /// <summary><see cref="float"/> as a 32-bit float.</summary>
    public readonly struct Single : IMessagePackFormatter<float>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, float value) => writer.Write(value);

        /// <inheritdoc/>
        public float Read(ref MessagePackReader reader) => reader.ReadSingle();
    }

    /// <summary><see cref="double"/> as a 64-bit float.</summary>
    public readonly struct Double : IMessagePackFormatter<double>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, double value) => writer.Write(value);

        /// <inheritdoc/>
        public double Read(ref MessagePackReader reader) => reader.ReadDouble();
    }

    /// <summary><see cref="char"/> as an integer, its UTF-16 code.</summary>
    public readonly struct Char : IMessagePackFormatter<char>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, char value) => writer.Write(value);

        /// <inheritdoc/>
        public char Read(ref MessagePackReader reader) => (char)reader.ReadUInt16();
    }

    /// <summary><see cref="System.Half"/> as a 32-bit float.</summary>
    public readonly struct Half : IMessagePackFormatter<System.Half>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, System.Half value) => writer.Write((float)value);

        /// <inheritdoc/>
        public System.Half Read(ref MessagePackReader reader) => (System.Half)reader.ReadSingle();
    }
}
