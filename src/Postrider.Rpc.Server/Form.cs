using Microsoft.AspNetCore.Http;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Http;
using Postrider.Rpc.Operations;
using Postrider.Rpc.Routes;

namespace Postrider.Rpc.Server;

/// <summary>An operation in one codec, its streams as bodies of items.</summary>
internal sealed class Form<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation, RpcCodec codec) : IGivenForm
{
    private readonly RpcFormatter<TRequest>? _request = operation.Route is null ? Optional(operation, codec, operation.RequestFormatter(codec)) : null;
    private readonly RouteForm<TRequest>? _route = operation.Route?.Bind(codec, IsOptional(operation, codec));
    private readonly bool _takesItems = operation.Kind is OperationKind.ClientStream or OperationKind.Duplex;
    private readonly bool _givesItems = operation.Kind is OperationKind.ServerStream or OperationKind.Duplex;

    public RpcCodec Codec => codec;

    /// <summary>The form of requests that stream nothing.</summary>
    public RpcCodec Asked { get; } = codec.CodecOf(operation.HttpRoute?.BodyType ?? typeof(TRequest));

    /// <summary>The form of answers that stream nothing.</summary>
    public RpcCodec Answered { get; } = codec.CodecOf(typeof(TResponse));

    public RpcFormatter<TItem> Item { get; } = codec.Of<TItem>();

    public RpcFormatter<TResponse> Response { get; } = operation.ResponseFormatter(codec);

    public ItemForm Items { get; } = ItemForm.Of(codec);

    /// <summary>The media type of requests.</summary>
    public string TakenType => _takesItems ? Items.ContentType : Asked.ContentType;

    /// <summary>The media type of answers.</summary>
    public string GivenType => _givesItems ? Items.ContentType : Answered.ContentType;

    /// <summary>Reads the message of a request: its body, and what stands beside it.</summary>
    public RpcFormatter<TRequest> Request(HttpContext http) => _request ?? _route!.Reader(new RequestInputs(http));

    /// <summary>Whether a request of that media type is in this form.</summary>
    public bool Takes(ReadOnlySpan<char> type) => _takesItems ? Items.Accepts(type) : Asked.Accepts(type);

    /// <summary>Whether the request's form is text, whose characters have an encoding.</summary>
    public bool IsText => _takesItems || Asked.ContentType.EndsWith("json", StringComparison.Ordinal) || Asked.ContentType.EndsWith("xml", StringComparison.Ordinal);

    /// <inheritdoc/>
    public bool Gives(ReadOnlySpan<char> type) => Answered.Accepts(type) || (_givesItems && Items.Accepts(type));

    // No bytes are a message of their own where the body is bytes.
    private static bool IsOptional(Operation<TRequest, TItem, TResponse> operation, RpcCodec codec)
        => operation.IsBodyOptional && codec.CodecOf(operation.HttpRoute?.BodyType ?? typeof(TRequest)) is not RawCodec;

    private static RpcFormatter<TRequest> Optional(Operation<TRequest, TItem, TResponse> operation, RpcCodec codec, RpcFormatter<TRequest> formatter)
        => IsOptional(operation, codec) ? new OptionalFormatter<TRequest>(formatter) : formatter;
}
