namespace Postrider.Rpc.Operations;

/// <summary>An operation bound to a codec. A server has one for each codec it supports.</summary>
internal sealed class OperationBinding<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation, RpcCodec codec)
{
    public RpcCodec Codec => codec;

    public RpcFormatter<TRequest> Request { get; } = operation.RequestFormatter(codec);

    public RpcFormatter<TItem> Item { get; } = codec.GetFormatter<TItem>();

    public RpcFormatter<TResponse> Response { get; } = operation.ResponseFormatter(codec);

    /// <summary>Finds the binding of a media type, which may have parameters; null if there is none.</summary>
    public static OperationBinding<TRequest, TItem, TResponse>? Find(IReadOnlyList<OperationBinding<TRequest, TItem, TResponse>> bindings, ReadOnlySpan<char> mediaType)
    {
        var type = mediaType.IndexOf(';') is >= 0 and var end ? mediaType[..end].Trim() : mediaType.Trim();
        foreach (var binding in bindings)
        {
            if (binding.Codec.Accepts(type))
                return binding;
        }

        return null;
    }
}
