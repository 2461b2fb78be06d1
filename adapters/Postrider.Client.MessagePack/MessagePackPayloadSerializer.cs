using System.Buffers;
using Postrider.MessagePack;

namespace Postrider.Client.MessagePack;

/// <summary>Serializes one type as MessagePack.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <param name="formatter">A formatter of a context, such as <c>Messages.Default.Order</c>.</param>
/// <param name="limits">Limits for reading; null for the defaults.</param>
public sealed class MessagePackPayloadSerializer<T>(IMessagePackFormatter<T> formatter, MessagePackLimits? limits = null) : IPayloadSerializer<T>
{
    /// <inheritdoc/>
    /// <exception cref="MessagePackException">The value is nested deeper than the default limit: <see cref="MessagePackError.TooDeep"/>.</exception>
    public void Serialize(IBufferWriter<byte> target, T value) => MessagePackSerializer.Serialize(target, value, formatter);

    /// <inheritdoc/>
    /// <exception cref="MessagePackException">The payload is not such a value.</exception>
    public T Deserialize(ReadOnlySpan<byte> payload) => MessagePackSerializer.Deserialize(payload, formatter, limits)!;
}
