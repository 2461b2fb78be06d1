using Postrider.Serialization;

namespace Postrider.Rpc.Codecs.Bytes;

/// <summary>Messages that are bytes, alone.</summary>
internal sealed class BytesOnlyCodec() : RpcCodec(BytesSerializerProvider.Instance)
{
    public static readonly BytesOnlyCodec Instance = new();

    public override Serializer<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, Serializer<TFirst> first, Serializer<TRest> rest)
        => throw new RpcException(RpcStatus.Unsupported, "Bytes are supported only as a whole message, not as one of several parameters.");
}
