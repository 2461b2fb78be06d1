using System.Buffers;
using Microsoft.AspNetCore.Http;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Codecs.Bytes;
using Postrider.Rpc.Http;
using Postrider.Rpc.Routes;
using Postrider.Serialization;

namespace Postrider.Rpc.Server;

/// <summary>An operation in one codec, its streams as bodies of items.</summary>
/// <param name="operation">The operation.</param>
/// <param name="codec">The codec.</param>
/// <param name="events">A format that only responses support; null for the codec's own.</param>
internal sealed class HttpOperationBinding<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation, RpcCodec codec, StreamWriteFormat? events = null) : IResponseFormat
{
    private readonly RpcFormatter<TRequest>? _request = operation.Route is null ? Optional(operation, codec, operation.RequestFormatter(codec)) : null;
    private readonly RouteBinding<TRequest>? _route = operation.Route?.Bind(codec, IsOptional(operation, codec));
    private readonly bool _streamsRequest = operation.Kind is OperationKind.ClientStream or OperationKind.Duplex;
    private readonly bool _streamsResponse = operation.Kind is OperationKind.ServerStream or OperationKind.Duplex;

    public RpcCodec Codec => codec;

    /// <summary>The codec of requests without a stream.</summary>
    public RpcCodec RequestCodec { get; } = codec.CodecFor(operation.HttpRoute?.BodyType ?? typeof(TRequest));

    /// <summary>The codec of responses without a stream.</summary>
    public RpcCodec ResponseCodec { get; } = codec.CodecFor(typeof(TResponse));

    public RpcFormatter<TItem> Item { get; } = codec.GetFormatter<TItem>();

    public RpcFormatter<TResponse> Response { get; } = operation.ResponseFormatter(codec);

    /// <summary>The streams of requests.</summary>
    public StreamFormat Items { get; } = StreamFormat.For(codec);

    /// <summary>The stream format of responses.</summary>
    public StreamWriteFormat AnswerItems => events ?? Items;

    /// <summary>The media type of requests.</summary>
    public string RequestContentType => _streamsRequest ? Items.ContentType : RequestCodec.ContentType;

    /// <summary>The media type of responses.</summary>
    public string ResponseContentType => _streamsResponse ? AnswerItems.ContentType : ResponseCodec.ContentType;

    /// <summary>Reads the message of a request: its body and its other parameters.</summary>
    public TRequest Read(HttpContext http, in ReadOnlySequence<byte> body)
        => _request is null ? _route!.Read(new AspNetRequestValues(http), body) : _request.Read(body);

    /// <summary>The formatter of the message before a stream.</summary>
    public RpcFormatter<TRequest> Request(HttpContext http) => _request ?? new(new RoutedMessage(_route!, new AspNetRequestValues(http)));

    /// <summary>Whether requests of a media type use this binding.</summary>
    public bool Consumes(ReadOnlySpan<char> type) => _streamsRequest ? Items.Accepts(type) : RequestCodec.Accepts(type);

    /// <summary>Whether requests are text, so that their charset is relevant.</summary>
    public bool IsText => _streamsRequest || RequestCodec.ContentType.EndsWith("json", StringComparison.Ordinal) || RequestCodec.ContentType.EndsWith("xml", StringComparison.Ordinal);

    /// <inheritdoc/>
    public bool Produces(ReadOnlySpan<char> type) => (events is null && ResponseCodec.Accepts(type)) || (_streamsResponse && AnswerItems.Accepts(type));

    // If the body is bytes, an empty body is a valid message.
    private static bool IsOptional(Operation<TRequest, TItem, TResponse> operation, RpcCodec codec)
        => operation.IsBodyOptional && codec.CodecFor(operation.HttpRoute?.BodyType ?? typeof(TRequest)) is not BytesOnlyCodec;

    private static RpcFormatter<TRequest> Optional(Operation<TRequest, TItem, TResponse> operation, RpcCodec codec, RpcFormatter<TRequest> formatter)
        => IsOptional(operation, codec) ? new(new OptionalSerializer<TRequest>(formatter.Serializer)) : formatter;

    private sealed class RoutedMessage(RouteBinding<TRequest> route, HttpRequestValues values) : Serializer<TRequest>
    {
        public override string ContentType => "application/octet-stream";

        public override void Write(IBufferWriter<byte> output, TRequest value) => throw new NotSupportedException("A routed message is only read here.");

        public override TRequest Read(ReadOnlySpan<byte> input) => route.Read(values, new ReadOnlySequence<byte>(input.ToArray()));

        public override TRequest Read(in ReadOnlySequence<byte> input) => route.Read(values, input);
    }
}
