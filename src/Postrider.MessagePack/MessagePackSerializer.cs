using System.Buffers;

namespace Postrider.MessagePack;

/// <summary>Writes and reads whole messages: one value, and nothing after it.</summary>
/// <remarks>Thread-safe. Uses no reflection: a formatter comes from a generated context or is written by hand.</remarks>
public static class MessagePackSerializer
{
    // The maximum buffer that a thread keeps between messages; a larger one is returned to the platform.
    private const int MaxKeptBytes = 1024 * 1024;

    [ThreadStatic] private static ArrayBufferWriter<byte>? s_buffer;

    /// <summary>Writes a value.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="output">Receives the bytes.</param>
    /// <param name="value">The value.</param>
    /// <param name="formatter">From a generated context, or written by hand.</param>
    /// <exception cref="MessagePackException">The value cannot be written; some of its bytes may have been written.</exception>
    public static void Serialize<T>(IBufferWriter<byte> output, in T value, IMessagePackFormatter<T> formatter)
    {
        ArgumentNullException.ThrowIfNull(formatter);
        var writer = new MessagePackWriter(output);
        formatter.Write(ref writer, value);
        writer.Flush();
    }

    /// <summary>Writes a value of a type that a context knows.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="output">Receives the bytes.</param>
    /// <param name="value">The value.</param>
    /// <param name="context">A context that knows the type.</param>
    /// <exception cref="MessagePackException">The value cannot be written, or the context does not know its type.</exception>
    public static void Serialize<T>(IBufferWriter<byte> output, in T value, MessagePackContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        Serialize(output, value, context.Get<T>());
    }

    /// <summary>Writes a value to a new array.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="value">The value.</param>
    /// <param name="formatter">From a generated context, or written by hand.</param>
    /// <returns>The bytes.</returns>
    /// <exception cref="MessagePackException">The value cannot be written.</exception>
    public static byte[] Serialize<T>(in T value, IMessagePackFormatter<T> formatter)
    {
        // Removed from the slot while in use, so that a nested serialization gets its own buffer.
        var buffer = s_buffer ?? new ArrayBufferWriter<byte>();
        s_buffer = null;
        buffer.ResetWrittenCount();
        Serialize(buffer, value, formatter);
        var bytes = buffer.WrittenSpan.ToArray();
        s_buffer = buffer.Capacity <= MaxKeptBytes ? buffer : null;
        return bytes;
    }

    /// <summary>Reads a value.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="input">The bytes of one value.</param>
    /// <param name="formatter">From a generated context, or written by hand.</param>
    /// <param name="limits">The limits; null for <see cref="MessagePackLimits.Default"/>.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessagePackException">The bytes are not a value of the type, or more bytes follow.</exception>
    public static T? Deserialize<T>(ReadOnlySpan<byte> input, IMessagePackFormatter<T> formatter, MessagePackLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(formatter);
        var reader = new MessagePackReader(input, limits);
        return Whole(ref reader, formatter);
    }

    /// <summary>Reads a value from a sequence.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="input">The bytes of one value.</param>
    /// <param name="formatter">From a generated context, or written by hand.</param>
    /// <param name="limits">The limits; null for <see cref="MessagePackLimits.Default"/>.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessagePackException">The bytes are not a value of the type, or more bytes follow.</exception>
    public static T? Deserialize<T>(in ReadOnlySequence<byte> input, IMessagePackFormatter<T> formatter, MessagePackLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(formatter);
        var reader = new MessagePackReader(input, limits);
        return Whole(ref reader, formatter);
    }

    /// <summary>Reads a value of a type that a context knows.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="input">The bytes of one value.</param>
    /// <param name="context">A context that knows the type.</param>
    /// <param name="limits">The limits; null for <see cref="MessagePackLimits.Default"/>.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessagePackException">The bytes are not a value of the type, or the context does not know it.</exception>
    public static T? Deserialize<T>(ReadOnlySpan<byte> input, MessagePackContext context, MessagePackLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(context);
        return Deserialize(input, context.Get<T>(), limits);
    }

    private static T? Whole<T>(ref MessagePackReader reader, IMessagePackFormatter<T> formatter)
    {
        var value = formatter.Read(ref reader);
        if (!reader.IsAtEnd)
        {
            throw new MessagePackException(
                MessagePackError.TrailingBytes, $"{reader.Remaining} bytes follow the value, which ends at byte {reader.Consumed}.", reader.Consumed);
        }

        return value;
    }
}
