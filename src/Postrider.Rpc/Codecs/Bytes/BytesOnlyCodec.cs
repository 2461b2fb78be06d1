namespace Postrider.Rpc.Codecs.Bytes;

/// <summary>Messages that are bytes, alone.</summary>
internal sealed class BytesOnlyCodec : RpcCodec
{
    public static readonly BytesOnlyCodec Instance = new();

    public override string ContentType => "application/octet-stream";

    public override RpcFormatter<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, RpcFormatter<TFirst> first, RpcFormatter<TRest> rest)
        => throw new RpcException(RpcStatus.Unsupported, "Bytes are supported only as a whole message, not as one of several parameters.");

    protected override RpcFormatter<T>? Find<T>() => BytesFormatters.Find<T>();
}
