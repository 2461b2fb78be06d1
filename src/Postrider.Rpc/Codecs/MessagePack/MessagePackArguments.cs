using System.Buffers;
using Postrider.MessagePack;
using Postrider.Serialization;

namespace Postrider.Rpc.Codecs.MessagePack;

/// <summary>Parameters as an array. A caller with an older contract sends fewer, one with a newer contract more: both are read.</summary>
internal sealed class MessagePackArguments<TFirst, TRest>(IMessagePackFormatter<TFirst> first, IMessagePackArguments<TRest>? rest, MessagePackLimits? limits)
    : Serializer<RpcArguments<TFirst, TRest>>, IMessagePackArguments<RpcArguments<TFirst, TRest>>
{
    public int Count { get; } = 1 + (rest?.Count ?? 0);

    public override string ContentType => "application/msgpack";

    public override void Write(IBufferWriter<byte> output, RpcArguments<TFirst, TRest> value)
    {
        try
        {
            var writer = new MessagePackWriter(output);
            writer.WriteArrayHeader(Count);
            WriteItems(ref writer, value);
            writer.Flush();
        }
        catch (MessagePackException bad)
        {
            throw InvalidValue(bad.Message, bad);
        }
    }

    public override RpcArguments<TFirst, TRest> Read(ReadOnlySpan<byte> input)
    {
        var reader = new MessagePackReader(input, limits);
        return Read(ref reader);
    }

    public override RpcArguments<TFirst, TRest> Read(in ReadOnlySequence<byte> input)
    {
        var reader = new MessagePackReader(input, limits);
        return Read(ref reader);
    }

    public void WriteItems(ref MessagePackWriter writer, in RpcArguments<TFirst, TRest> value)
    {
        first.Write(ref writer, value.First);
        rest?.WriteItems(ref writer, value.Rest);
    }

    public void ReadItems(ref MessagePackReader reader, ref RpcArguments<TFirst, TRest> value, ref int left)
    {
        if (left == 0)
            return;
        left--;
        value.First = first.Read(ref reader)!;
        rest?.ReadItems(ref reader, ref value.Rest, ref left);
    }

    private RpcArguments<TFirst, TRest> Read(ref MessagePackReader reader)
    {
        try
        {
            var left = reader.ReadArrayHeader();
            RpcArguments<TFirst, TRest> value = default;
            ReadItems(ref reader, ref value, ref left);
            for (; left > 0; left--)
                reader.Skip();
            if (!reader.IsAtEnd)
                throw InvalidData($"Unexpected data after the parameters: {reader.Remaining} bytes.");
            return value;
        }
        catch (MessagePackException bad)
        {
            throw InvalidData(bad.Message, bad);
        }
    }
}
