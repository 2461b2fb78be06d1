using System.Buffers;

namespace Postrider.Serialization;

/// <summary>Writes and reads values of one type in one format.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>An abstract class and not an interface, because a call of a virtual method is cheaper than one through an interface, and
/// because a sequence is read like a span unless a format knows better. Thread-safe: one instance serves every call and
/// connection.</remarks>
public abstract class Serializer<T>
{
    /// <summary>The media type of the format, in lower case and without parameters.</summary>
    public abstract string ContentType { get; }

    /// <summary>Writes a value.</summary>
    /// <param name="output">Receives the bytes; owned by the caller and valid during the call only.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="SerializerException"><see cref="SerializerError.InvalidValue"/>: the format cannot represent the value. Some of
    /// its bytes may have been written.</exception>
    public abstract void Write(IBufferWriter<byte> output, T value);

    /// <summary>Reads a value.</summary>
    /// <param name="input">All bytes of the value, owned by the caller: only valid during the call, so copy what you keep.</param>
    /// <returns>The value.</returns>
    /// <exception cref="SerializerException"><see cref="SerializerError.InvalidData"/>: the bytes are not a value of the type.</exception>
    public abstract T Read(ReadOnlySpan<byte> input);

    /// <summary>Reads a value that may consist of several segments.</summary>
    /// <param name="input">All bytes of the value, owned by the caller: only valid during the call, so copy what you keep.</param>
    /// <returns>The value.</returns>
    /// <exception cref="SerializerException"><see cref="SerializerError.InvalidData"/>: the bytes are not a value of the type.</exception>
    public virtual T Read(in ReadOnlySequence<byte> input)
    {
        using var whole = new ContiguousInput(input);
        return Read(whole.Span);
    }

    /// <summary>Creates the exception for bytes that are not a value of the type.</summary>
    /// <param name="detail">The error, as a sentence that may be sent back to the sender of the bytes: no names of types.</param>
    /// <param name="inner">The cause, or null.</param>
    /// <returns>The exception; its message names the type and <see cref="ContentType"/>.</returns>
    protected SerializerException InvalidData(string detail, Exception? inner = null)
        => SerializerException.InvalidData(typeof(T), ContentType, detail, inner);

    /// <summary>Creates the exception for a value that the format cannot represent.</summary>
    /// <param name="detail">The error, as a sentence that may be sent to the other side: no names of types.</param>
    /// <param name="inner">The cause, or null.</param>
    /// <returns>The exception; its message names the type and <see cref="ContentType"/>.</returns>
    protected SerializerException InvalidValue(string detail, Exception? inner = null)
        => SerializerException.InvalidValue(typeof(T), ContentType, detail, inner);
}
