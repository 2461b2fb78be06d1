namespace Postrider.Rpc.Grpc;

/// <summary>Names for choosing the compression of single calls and messages.</summary>
/// <remarks>Each side chooses for the messages it sends: the caller in <see cref="CallContext.Headers"/>, the operation in
/// <see cref="CallContext.ResponseHeaders"/>. For the items of a stream the header may change from item to item if it was set, to either
/// value, before the first one. A server compresses only for callers that accept gzip.</remarks>
public static class GrpcCompression
{
    /// <summary>The header that chooses: <see cref="Gzip"/> or <see cref="Identity"/>. It is not sent; without it the options apply. Its
    /// name is the one that other gRPC libraries use for the same purpose.</summary>
    public const string Header = "grpc-internal-encoding-request";

    /// <summary>The header in which an operation, in <see cref="CallContext.Headers"/>, and a caller, in
    /// <see cref="CallContext.ResponseHeaders"/>, find the encoding that the other side uses: <see cref="Gzip"/> if its messages may be
    /// compressed; otherwise missing or <see cref="Identity"/>.</summary>
    public const string UsedHeader = "grpc-encoding";

    /// <summary>Compressed with gzip.</summary>
    public const string Gzip = "gzip";

    /// <summary>Not compressed.</summary>
    public const string Identity = "identity";

    /// <summary>The compression that a call's headers select; null if they do not select any.</summary>
    internal static bool? Choice(RpcHeaders? headers) => headers?[Header] is { } choice ? choice == Gzip : null;
}
