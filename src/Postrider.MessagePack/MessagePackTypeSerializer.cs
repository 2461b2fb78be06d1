using System.Buffers;
using Postrider.Serialization;

namespace Postrider.MessagePack;

/// <summary>Writes and reads one type as MessagePack, wherever a serializer is accepted: envelopes, payloads, calls.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <param name="formatter">A formatter of a context, such as <c>Messages.Default.Order</c>, or one written by hand.</param>
/// <param name="limits">The limits for reading; null for <see cref="MessagePackLimits.Default"/>.</param>
/// <remarks>Thread-safe.</remarks>
public sealed class MessagePackTypeSerializer<T>(IMessagePackFormatter<T> formatter, MessagePackLimits? limits = null) : Serializer<T>
{
    /// <inheritdoc/>
    public override string ContentType => MessagePackSerializerProvider.MediaType;

    /// <summary>The formatter.</summary>
    public IMessagePackFormatter<T> Formatter => formatter;

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> output, T value)
    {
        try
        {
            MessagePackSerializer.Serialize(output, value, formatter);
        }
        catch (MessagePackException bad)
        {
            throw InvalidValue(bad.Message, bad);
        }
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> input)
    {
        try
        {
            return MessagePackSerializer.Deserialize(input, formatter, limits)!;
        }
        catch (MessagePackException bad)
        {
            throw InvalidData(bad.Message, bad);
        }
    }

    /// <inheritdoc/>
    public override T Read(in ReadOnlySequence<byte> input)
    {
        // Not via the other method: that would add a stack frame with an exception handler to a few nanoseconds of work.
        try
        {
            return (input.IsSingleSegment
                ? MessagePackSerializer.Deserialize(input.FirstSpan, formatter, limits)
                : MessagePackSerializer.Deserialize(input, formatter, limits))!;
        }
        catch (MessagePackException bad)
        {
            throw InvalidData(bad.Message, bad);
        }
    }
}
