using System.Buffers;
using Postrider.MessagePack;

namespace Postrider.Rpc.Codecs.MessagePack;

/// <summary>One value.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
internal sealed class MessagePackValue<T>(IMessagePackFormatter<T> formatter, MessagePackLimits? limits) : RpcFormatter<T>
{
    public IMessagePackFormatter<T> Formatter => formatter;

    public override void Write(IBufferWriter<byte> output, T value)
    {
        try
        {
            MessagePackSerializer.Serialize(output, value, formatter);
        }
        catch (MessagePackException bad)
        {
            throw MessagePackErrors.Unwritable(bad);
        }
    }

    public override T Read(in ReadOnlySequence<byte> input)
    {
        try
        {
            return (input.IsSingleSegment
                ? MessagePackSerializer.Deserialize(input.FirstSpan, formatter, limits)
                : MessagePackSerializer.Deserialize(input, formatter, limits))!;
        }
        catch (MessagePackException bad)
        {
            throw MessagePackErrors.Unreadable(bad);
        }
    }
}
