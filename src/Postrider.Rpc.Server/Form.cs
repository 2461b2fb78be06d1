using Postrider.Rpc.Codecs;
using Postrider.Rpc.Http;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Server;

/// <summary>An operation in one codec, its streams as bodies of items.</summary>
internal sealed class Form<TRequest, TItem, TResponse>(OperationForm<TRequest, TItem, TResponse> form, OperationKind kind) : IGivenForm
{
    private readonly bool _takesItems = kind is OperationKind.ClientStream or OperationKind.Duplex;
    private readonly bool _givesItems = kind is OperationKind.ServerStream or OperationKind.Duplex;

    public RpcCodec Codec => form.Codec;

    /// <summary>The form of requests that stream nothing.</summary>
    public RpcCodec Asked { get; } = form.Codec.CodecOf(typeof(TRequest));

    /// <summary>The form of answers that stream nothing.</summary>
    public RpcCodec Answered { get; } = form.Codec.CodecOf(typeof(TResponse));

    public RpcFormatter<TRequest> Request => form.Request;

    public RpcFormatter<TItem> Item => form.Item;

    public RpcFormatter<TResponse> Response => form.Response;

    public ItemForm Items { get; } = ItemForm.Of(form.Codec);

    /// <summary>The media type of requests.</summary>
    public string TakenType => _takesItems ? Items.ContentType : Asked.ContentType;

    /// <summary>Whether a request of that media type is in this form.</summary>
    public bool Takes(ReadOnlySpan<char> type) => _takesItems ? Items.Accepts(type) : Asked.Accepts(type);

    /// <inheritdoc/>
    public bool Gives(ReadOnlySpan<char> type) => Answered.Accepts(type) || (_givesItems && Items.Accepts(type));
}
