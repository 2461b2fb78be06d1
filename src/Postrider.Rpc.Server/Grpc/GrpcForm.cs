using Postrider.Rpc.Codecs;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Server.Grpc;

/// <summary>An operation in one codec as gRPC carries it.</summary>
internal sealed class GrpcForm<TRequest, TItem, TResponse>(OperationForm<TRequest, TItem, TResponse> form, int mostBytes)
{
    public RpcCodec Codec => form.Codec;

    public RpcFormatter<TRequest> Request => form.Request;

    public RpcFormatter<TItem> Item => form.Item;

    public RpcFormatter<TResponse> Response => form.Response;

    public GrpcFrames Plain { get; } = new(GrpcNames.TypeOf(form.Codec), isZipped: false, mostBytes);

    public GrpcFrames Zipped { get; } = new(GrpcNames.TypeOf(form.Codec), isZipped: true, mostBytes);

    /// <summary>Whether a content type of gRPC, without parameters, names this form.</summary>
    public bool Accepts(ReadOnlySpan<char> type, bool isFirst)
    {
        var suffix = GrpcNames.Suffix(Codec);
        return type.Length == GrpcNames.ContentType.Length
            ? (isFirst || suffix == "proto") && type.Equals(GrpcNames.ContentType, StringComparison.OrdinalIgnoreCase)
            : type.StartsWith(GrpcNames.ContentType + "+", StringComparison.OrdinalIgnoreCase)
                && type[(GrpcNames.ContentType.Length + 1)..].Equals(suffix, StringComparison.OrdinalIgnoreCase);
    }
}
