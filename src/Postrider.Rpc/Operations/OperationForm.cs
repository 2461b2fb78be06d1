using Postrider.Rpc.Codecs;

namespace Postrider.Rpc.Operations;

/// <summary>An operation in one codec: what a server holds for each form that it speaks.</summary>
internal sealed class OperationForm<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation, RpcCodec codec)
{
    public RpcCodec Codec => codec;

    public RpcFormatter<TRequest> Request { get; } = operation.RequestFormatter(codec);

    public RpcFormatter<TItem> Item { get; } = codec.Of<TItem>();

    public RpcFormatter<TResponse> Response { get; } = operation.ResponseFormatter(codec);

    /// <summary>The form of a media type, which may have parameters; null when it is none of these.</summary>
    public static OperationForm<TRequest, TItem, TResponse>? Find(IReadOnlyList<OperationForm<TRequest, TItem, TResponse>> forms, ReadOnlySpan<char> mediaType)
    {
        var type = mediaType.IndexOf(';') is >= 0 and var end ? mediaType[..end].Trim() : mediaType.Trim();
        foreach (var form in forms)
        {
            if (form.Codec.Accepts(type))
                return form;
        }

        return null;
    }
}
