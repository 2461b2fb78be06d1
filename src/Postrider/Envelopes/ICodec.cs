using System.Buffers;

namespace Postrider.Envelopes;

/// <summary>Encodes and decodes messages for transports. Implementations are thread-safe.</summary>
public interface ICodec
{
    /// <summary>The media type, for the header <see cref="HeaderNames.ContentType"/>.</summary>
    string ContentType { get; }

    /// <summary>Writes a value.</summary>
    /// <typeparam name="T">The type to write it as; the receiver reads it as the same type.</typeparam>
    /// <param name="output">Receives the bytes; owned by the caller.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: the codec does not support the type.</exception>
    void Encode<T>(IBufferWriter<byte> output, T value);

    /// <summary>Reads a value.</summary>
    /// <typeparam name="T">The type to read.</typeparam>
    /// <param name="input">All bytes of the value; owned by the caller and not kept.</param>
    /// <returns>The value.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: the bytes are not valid, or the codec does not support
    /// the type.</exception>
    T Decode<T>(ReadOnlySpan<byte> input);
}
