using System.Buffers;

namespace Postrider.Client;

/// <summary>Serializes and deserializes values of one type.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>Thread-safe: one instance serves every connection.</remarks>
public interface IPayloadSerializer<T>
{
    /// <summary>Writes a value's bytes.</summary>
    /// <param name="target">Receives the bytes; valid during the call only.</param>
    /// <param name="value">The value.</param>
    void Serialize(IBufferWriter<byte> target, T value);

    /// <summary>Reads a value.</summary>
    /// <param name="payload">The payload in the receive buffer: valid during the call only, so copy what you keep.</param>
    /// <returns>The value.</returns>
    /// <exception cref="Exception">Any exception: the message then arrives with an error instead of a value.</exception>
    T Deserialize(ReadOnlySpan<byte> payload);
}
