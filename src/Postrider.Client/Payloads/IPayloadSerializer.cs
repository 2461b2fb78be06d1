using System.Buffers;

namespace Postrider.Client;

/// <summary>Turns values of one type into payload bytes and back.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>Thread-safe: one instance serves every connection.</remarks>
public interface IPayloadSerializer<T>
{
    /// <summary>Writes a value's bytes.</summary>
    /// <param name="target">Takes the bytes; valid during the call only.</param>
    /// <param name="value">The value.</param>
    void Serialize(IBufferWriter<byte> target, T value);

    /// <summary>Reads a value.</summary>
    /// <param name="payload">The payload where it was received: valid during the call only, so copy what is kept.</param>
    /// <returns>The value.</returns>
    /// <exception cref="Exception">Any exception: the message then arrives with an error instead of a value.</exception>
    T Deserialize(ReadOnlySpan<byte> payload);
}
