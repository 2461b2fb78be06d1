using System.Buffers;
using Google.Protobuf;
using Postrider.Serialization;
using Postrider.Serialization.Protobuf;

namespace Postrider.Rpc.Protobuf;

/// <summary>Parameters as a message whose fields are numbered from 1. A missing one has its default; an unknown one is skipped.</summary>
internal sealed class ProtobufArguments<TFirst, TRest>(ProtobufField<TFirst> first, IProtobufFields<TRest>? rest)
    : Serializer<RpcArguments<TFirst, TRest>>, IProtobufFields<RpcArguments<TFirst, TRest>>
{
    public RpcArguments<TFirst, TRest> Default => new(first.Default, rest is null ? default! : rest.Default);

    public override string ContentType => ProtobufSerializerProvider.MediaType;

    public override void Write(IBufferWriter<byte> output, RpcArguments<TFirst, TRest> value)
    {
        try
        {
            WriteFields(output, 1, value);
        }
        catch (FormatException bad)
        {
            throw InvalidValue(bad.Message, bad);
        }
    }

    public override RpcArguments<TFirst, TRest> Read(ReadOnlySpan<byte> input) => Read(new ReadOnlySequence<byte>(input.ToArray()));

    public override RpcArguments<TFirst, TRest> Read(in ReadOnlySequence<byte> input)
    {
        try
        {
            var reader = new ProtobufReader(input);
            var value = Default;
            while (reader.TryReadTag(out var number, out var wireType))
            {
                if (!TryRead(number, ref reader, wireType, ref value))
                    reader.Skip(wireType);
            }

            return value;
        }
        catch (Exception bad) when (bad is FormatException or InvalidProtocolBufferException)
        {
            throw InvalidData(bad.Message, bad);
        }
    }

    public void WriteFields(IBufferWriter<byte> output, int number, in RpcArguments<TFirst, TRest> value)
    {
        first.Write(output, number, value.First);
        rest?.WriteFields(output, number + 1, value.Rest);
    }

    public bool TryRead(int number, ref ProtobufReader reader, int wireType, ref RpcArguments<TFirst, TRest> value)
    {
        if (number != 1)
            return rest?.TryRead(number - 1, ref reader, wireType, ref value.Rest) ?? false;
        value.First = first.Read(ref reader, wireType);
        return true;
    }
}
