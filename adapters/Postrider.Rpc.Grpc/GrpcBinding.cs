using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Grpc;

/// <summary>An operation with one codec in gRPC's format.</summary>
internal sealed class GrpcBinding<TRequest, TItem, TResponse>(OperationBinding<TRequest, TItem, TResponse> binding, int maxBytes)
{
    public RpcCodec Codec => binding.Codec;

    public RpcFormatter<TRequest> Request => binding.Request;

    public RpcFormatter<TItem> Item => binding.Item;

    public RpcFormatter<TResponse> Response => binding.Response;

    public GrpcMessageFraming Plain { get; } = new(GrpcNames.ContentTypeFor(binding.Codec), isZipped: false, maxBytes);

    public GrpcMessageFraming Zipped { get; } = new(GrpcNames.ContentTypeFor(binding.Codec), isZipped: true, maxBytes);

    public GrpcMessageFraming Compressing { get; } = new(GrpcNames.ContentTypeFor(binding.Codec), isZipped: false, maxBytes, static () => true);

    /// <summary>Whether a content type of gRPC, without parameters, names this binding.</summary>
    public bool Accepts(ReadOnlySpan<char> type, bool isFirst)
    {
        var suffix = GrpcNames.Suffix(Codec);
        return type.Length == GrpcNames.ContentType.Length
            ? (isFirst || suffix == "proto") && type.Equals(GrpcNames.ContentType, StringComparison.OrdinalIgnoreCase)
            : type.StartsWith(GrpcNames.ContentType + "+", StringComparison.OrdinalIgnoreCase)
                && type[(GrpcNames.ContentType.Length + 1)..].Equals(suffix, StringComparison.OrdinalIgnoreCase);
    }
}
