using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Postrider.MessagePack.Formatters;

/// <summary>Formatters of text, bytes and types that are written as either.</summary>
public static class Texts
{
    private const int GuidBytes = 16;
    private const int GuidCharacters = 36;

    // A code, a length and sixteen bytes.
    private const int BinaryGuidBytes = 18;

    /// <summary><see cref="string"/> as UTF-8.</summary>
    public readonly struct String : IMessagePackFormatter<string>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, string? value) => writer.Write(value);

        /// <inheritdoc/>
        public string? Read(ref MessagePackReader reader) => reader.ReadString();
    }

    /// <summary>An array of bytes as binary.</summary>
    public readonly struct Bytes : IMessagePackFormatter<byte[]>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, byte[]? value)
        {
            if (value is null)
                writer.WriteNil();
            else
                writer.WriteBinary(value);
        }

        /// <inheritdoc/>
        public byte[]? Read(ref MessagePackReader reader) => reader.ReadBinary();
    }

    /// <summary><see cref="System.Memory{T}"/> of bytes as binary; nil is read as empty.</summary>
    public readonly struct Memory : IMessagePackFormatter<Memory<byte>>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, Memory<byte> value) => writer.WriteBinary(value.Span);

        /// <inheritdoc/>
        public Memory<byte> Read(ref MessagePackReader reader) => reader.ReadBinary();
    }

    /// <summary><see cref="System.ReadOnlyMemory{T}"/> of bytes as binary; nil is read as empty.</summary>
    public readonly struct ReadOnlyMemory : IMessagePackFormatter<ReadOnlyMemory<byte>>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, ReadOnlyMemory<byte> value) => writer.WriteBinary(value.Span);

        /// <inheritdoc/>
        public ReadOnlyMemory<byte> Read(ref MessagePackReader reader) => reader.ReadBinary();
    }

    /// <summary><see cref="System.ArraySegment{T}"/> of bytes as binary, one without an array as nil.</summary>
    public readonly struct Segment : IMessagePackFormatter<ArraySegment<byte>>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, ArraySegment<byte> value)
        {
            if (value.Array is null)
                writer.WriteNil();
            else
                writer.WriteBinary(value);
        }

        /// <inheritdoc/>
        public ArraySegment<byte> Read(ref MessagePackReader reader) => reader.ReadBinary() is { } bytes ? bytes : default(ArraySegment<byte>);
    }

    /// <summary><see cref="System.Guid"/> as 16 bytes, in the order of <see cref="System.Guid.ToByteArray()"/>; text is read too.</summary>
    public readonly struct Guid : IMessagePackFormatter<System.Guid>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, System.Guid value)
        {
            ref var at = ref writer.Reserve(BinaryGuidBytes);
            at = MessagePackCode.Binary8;
            Unsafe.Add(ref at, 1) = GuidBytes;
            value.TryWriteBytes(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref at, 2), GuidBytes));
            writer.Wrote(BinaryGuidBytes);
        }

        /// <inheritdoc/>
        public System.Guid Read(ref MessagePackReader reader)
        {
            // Checks code and length together, as this library writes them.
            if (reader.TryPeek(BinaryGuidBytes, out var found) && found[0] == MessagePackCode.Binary8 && found[1] == GuidBytes)
            {
                reader.Pass(BinaryGuidBytes);
                return new(found[2..]);
            }

            return GuidText.ReadAny(ref reader);
        }
    }

    /// <summary><see cref="System.Guid"/> as text of 36 characters, as with MessagePack-CSharp's standard resolver; 16 bytes are
    /// read too.</summary>
    public readonly struct GuidText : IMessagePackFormatter<System.Guid>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, System.Guid value)
        {
            Span<byte> text = stackalloc byte[GuidCharacters];
            value.TryFormat(text, out var length);
            writer.WriteString(text[..length]);
        }

        /// <inheritdoc/>
        public System.Guid Read(ref MessagePackReader reader) => default(Guid).Read(ref reader);

        internal static System.Guid ReadAny(ref MessagePackReader reader)
        {
            var code = reader.PeekCode();
            var start = reader.Consumed;
            switch (MessagePackCode.TypeOf(code))
            {
                case MessagePackType.Binary:
                    var bytes = reader.ReadBinarySpan();
                    if (bytes.Length != GuidBytes)
                        ThrowHelper.InvalidValue(start, "a Guid of 16 bytes", $"{bytes.Length} bytes");
                    return new(bytes);
                case MessagePackType.String:
                    var text = reader.ReadStringSpan();
                    if (!System.Guid.TryParse(text, out var value))
                        ThrowHelper.InvalidValue(start, "a Guid", "other text");
                    return value;
                default:
                    ThrowHelper.Unexpected(start, code, "a Guid");
                    return default;
            }
        }
    }

    /// <summary><see cref="System.Uri"/> as text, as it was given.</summary>
    public readonly struct Uri : IMessagePackFormatter<System.Uri>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, System.Uri? value) => writer.Write(value?.OriginalString);

        /// <inheritdoc/>
        public System.Uri? Read(ref MessagePackReader reader)
        {
            var start = reader.Consumed;
            if (reader.ReadString() is not { } text)
                return null;
            if (!System.Uri.TryCreate(text, UriKind.RelativeOrAbsolute, out var value))
                ThrowHelper.InvalidValue(start, "a URI", "other text");
            return value;
        }
    }

    /// <summary><see cref="System.Version"/> as text.</summary>
    public readonly struct Version : IMessagePackFormatter<System.Version>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, System.Version? value) => writer.Write(value?.ToString());

        /// <inheritdoc/>
        public System.Version? Read(ref MessagePackReader reader)
        {
            var start = reader.Consumed;
            if (reader.ReadString() is not { } text)
                return null;
            if (!System.Version.TryParse(text, out var value))
                ThrowHelper.InvalidValue(start, "a version", "other text");
            return value;
        }
    }

    /// <summary><see cref="System.Text.StringBuilder"/> as text.</summary>
    public readonly struct Builder : IMessagePackFormatter<StringBuilder>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, StringBuilder? value) => writer.Write(value?.ToString());

        /// <inheritdoc/>
        public StringBuilder? Read(ref MessagePackReader reader) => reader.ReadString() is { } text ? new(text) : null;
    }

    /// <summary><see cref="System.Text.Rune"/> as an integer, its Unicode scalar value.</summary>
    public readonly struct Rune : IMessagePackFormatter<System.Text.Rune>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, System.Text.Rune value) => writer.Write(value.Value);

        /// <inheritdoc/>
        public System.Text.Rune Read(ref MessagePackReader reader)
        {
            var start = reader.Consumed;
            var number = reader.ReadInt32();
            if (!System.Text.Rune.TryCreate(number, out var value))
                ThrowHelper.InvalidValue(start, "a Unicode scalar value", $"{number}");
            return value;
        }
    }
}
