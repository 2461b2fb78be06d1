namespace Postrider.Rpc.Operations;

/// <summary>An operation in one codec: what a server holds for each form that it speaks.</summary>
internal sealed class OperationBinding<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation, RpcCodec codec)
{
    public RpcCodec Codec => codec;

    public RpcFormatter<TRequest> Request { get; } = operation.RequestFormatter(codec);

    public RpcFormatter<TItem> Item { get; } = codec.GetFormatter<TItem>();

    public RpcFormatter<TResponse> Response { get; } = operation.ResponseFormatter(codec);

    /// <summary>The form of a media type, which may have parameters; null when it is none of these.</summary>
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
