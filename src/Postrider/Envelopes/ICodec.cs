using System.Buffers;

namespace Postrider.Envelopes;

/// <summary>Turns messages into bytes and back; the one seam of handlers, transports and Rpc. Implementations are thread-safe.</summary>
public interface ICodec
{
    /// <summary>The media type, for the header <see cref="HeaderNames.ContentType"/>.</summary>
    string ContentType { get; }

    /// <summary>Writes a value.</summary>
    /// <typeparam name="T">The type to write it as; the receiver reads it as the same.</typeparam>
    /// <param name="output">Where to; owned by the caller.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: the codec knows nothing of the type.</exception>
    void Encode<T>(IBufferWriter<byte> output, T value);

    /// <summary>Reads a value.</summary>
    /// <typeparam name="T">The type to read.</typeparam>
    /// <param name="input">The bytes, all of them; owned by the caller and not kept.</param>
    /// <returns>The value.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: bad bytes, or a type the codec knows nothing of.</exception>
    T Decode<T>(ReadOnlySpan<byte> input);
}
