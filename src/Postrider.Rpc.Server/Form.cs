using Microsoft.AspNetCore.Http;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Http;
using Postrider.Rpc.Operations;
using Postrider.Rpc.Routes;

namespace Postrider.Rpc.Server;

/// <summary>An operation in one codec, its streams as bodies of items.</summary>
internal sealed class Form<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation, RpcCodec codec) : IGivenForm
{
    private readonly RpcFormatter<TRequest>? _request = operation.Route is null ? operation.RequestFormatter(codec) : null;
    private readonly RouteForm<TRequest>? _route = operation.Route?.Bind(codec);
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

    /// <inheritdoc/>
    public bool Gives(ReadOnlySpan<char> type) => Answered.Accepts(type) || (_givesItems && Items.Accepts(type));
}
