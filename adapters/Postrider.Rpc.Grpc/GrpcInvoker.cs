using System.IO.Pipelines;
using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Http;

namespace Postrider.Rpc.Grpc;

/// <summary>Calls one operation of a gRPC service.</summary>
internal sealed class GrpcInvoker<TRequest, TItem, TResponse>(
    SharedHttpInvoker http, Uri address, Operation<TRequest, TItem, TResponse> operation, RpcCodec codec, RpcGrpcChannelOptions options)
    : OperationInvoker<TRequest, TItem, TResponse>
{
    private readonly RpcFormatter<TRequest> _request = operation.RequestFormatter(codec);
    private readonly RpcFormatter<TItem> _item = codec.GetFormatter<TItem>();
    private readonly RpcFormatter<TResponse> _response = operation.ResponseFormatter(codec);
    private readonly MediaTypeHeaderValue _contentType = new(GrpcNames.ContentTypeFor(codec));
    private readonly GrpcMessageFraming _plain = new(GrpcNames.ContentTypeFor(codec), isZipped: false, options.MaxMessageBytes);
    private readonly GrpcMessageFraming _zipped = new(GrpcNames.ContentTypeFor(codec), isZipped: true, options.MaxMessageBytes);
    private readonly GrpcMessageFraming _compressing = new(GrpcNames.ContentTypeFor(codec), isZipped: false, options.MaxMessageBytes, static () => true);

    public override async ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        // A stream has no timeout by default: it may be long-lived.
        using var end = new DeadlineTokenSource(options.TimeProvider, context?.Timeout ?? (items is null ? options.Timeout : null), ct, http.Closing);
        var framing = FramingFor(context, items is not null);
        var call = new Call(end, items is null ? null : new StreamingContent<TRequest, TItem>(framing, _request, _item, request, items, end), ct);
        try
        {
            using var message = Message(call.Content ?? (HttpContent)Body(request, framing), framing, context);
            using var response = await OpenAsync(call, message, context).ConfigureAwait(false);
            using var records = await RecordsAsync(response, call).ConfigureAwait(false);
            var (isThere, answer) = await NextAsync(call, records, response, context).ConfigureAwait(false);
            if (!isThere)
                throw new RpcException(RpcStatus.ProtocolError, $"{operation.Path} completed successfully without a response.");
            return (await NextAsync(call, records, response, context).ConfigureAwait(false)).IsThere
                ? throw new RpcException(RpcStatus.ProtocolError, $"{operation.Path} returned more than one message.")
                : answer!;
        }
        finally
        {
            await call.EndAsync().ConfigureAwait(false);
        }
    }

    public override async IAsyncEnumerable<TResponse> StreamAsync(
        TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, [EnumeratorCancellation] CancellationToken ct)
    {
        using var end = new DeadlineTokenSource(options.TimeProvider, context?.Timeout, ct, http.Closing);
        var framing = FramingFor(context, items is not null);
        var call = new Call(end, items is null ? null : new StreamingContent<TRequest, TItem>(framing, _request, _item, request, items, end), ct);
        HttpResponseMessage? response = null;
        try
        {
            using var message = Message(call.Content ?? (HttpContent)Body(request, framing), framing, context);
            response = await OpenAsync(call, message, context).ConfigureAwait(false);
            using var records = await RecordsAsync(response, call).ConfigureAwait(false);
            while (true)
            {
                var (isThere, item) = await NextAsync(call, records, response, context).ConfigureAwait(false);
                if (!isThere)
                    break;
                yield return item!;
            }
        }
        finally
        {
            response?.Dispose();
            await call.EndAsync().ConfigureAwait(false);
        }
    }

    // The framing of the request: each item may be compressed or not, whatever the first one is.
    private GrpcMessageFraming FramingFor(CallContext? context, bool isStream)
        => GrpcCompression.Choice(context?.HeadersOrNull) is not { } choice ? (options.CompressRequests ? _compressing : _plain)
        : isStream ? ChangingFraming(context!)
        : choice ? _compressing : _plain;

    // Separate from the method above, whose calls would otherwise each allocate the captured state.
    private GrpcMessageFraming ChangingFraming(CallContext context)
        => new(_plain.ContentType, isZipped: false, options.MaxMessageBytes, () => GrpcCompression.Choice(context.HeadersOrNull) ?? options.CompressRequests);

    private PooledContent Body(TRequest request, GrpcMessageFraming framing)
    {
        var buffer = FrameBuffer.Rent();
        try
        {
            buffer.BeginBody();
            if (framing.Compresses)
            {
                framing.Write(buffer, _request, request);
                var zipped = buffer.Length;
                return new PooledContent(buffer.Detach(), zipped, _contentType);
            }

            buffer.GetSpan(GrpcMessageFraming.HeadBytes);
            buffer.Advance(GrpcMessageFraming.HeadBytes);
            _request.Write(buffer, request);
            var length = buffer.Length;
            var bytes = buffer.Detach();
            GrpcMessageFraming.WriteHead(bytes, length - GrpcMessageFraming.HeadBytes);
            return new PooledContent(bytes, length, _contentType);
        }
        finally
        {
            buffer.Return();
        }
    }

    private HttpRequestMessage Message(HttpContent content, GrpcMessageFraming framing, CallContext? context)
    {
        var message = new HttpRequestMessage(HttpMethod.Post, address)
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = content,
        };
        message.Headers.TE.Add(new TransferCodingWithQualityHeaderValue("trailers"));
        message.Headers.Add(GrpcNames.AcceptEncoding, GrpcNames.Known);
        if (CallTimeout.ToWire(context) is { } time)
            message.Headers.Add(GrpcNames.Timeout, GrpcNames.FormatTimeout(time));
        if (framing.Compresses)
            message.Headers.Add(GrpcNames.Encoding, GrpcNames.Gzip);
        AddHeaders(message, context);
        return message;
    }

    private static void AddHeaders(HttpRequestMessage message, CallContext? context)
    {
        if (context?.HeadersOrNull is not { } headers)
            return;
        foreach (var (name, value) in headers)
        {
            if (!GrpcNames.IsOwn(name))
                message.Headers.TryAddWithoutValidation(name, value);
        }
    }

    private async ValueTask<HttpResponseMessage> OpenAsync(Call call, HttpRequestMessage message, CallContext? context)
    {
        try
        {
            call.Token.ThrowIfCancellationRequested();
            var response = await http.SendAsync(message, call.End.Token).ConfigureAwait(false);
            HttpResponseReader.CopyHeaders(response, context);
            if (Refused(response) is not { } failure)
                return response;
            using (response)
                throw failure;
        }
        catch (Exception failure)
        {
            throw Translate(call, failure);
        }
    }

    // Responses that are not gRPC, and those that ended without a message: then the headers are the trailers.
    private RpcException? Refused(HttpResponseMessage response)
    {
        if (GrpcTrailers.IsEnd(response.Headers))
            return GrpcTrailers.Read(response.Headers, operation, codec);
        var type = response.Content.Headers.ContentType?.MediaType;
        return response.StatusCode == HttpStatusCode.OK && type is not null && type.StartsWith(GrpcNames.ContentType, StringComparison.OrdinalIgnoreCase)
            ? null
            : new RpcException(GrpcStatus.FromHttp(response.StatusCode), $"{address} returned HTTP status {(int)response.StatusCode} with content type '{type}', which is not gRPC.");
    }

    private async ValueTask<StreamRecordReader> RecordsAsync(HttpResponseMessage response, Call call)
    {
        var body = await response.Content.ReadAsStreamAsync(call.End.Token).ConfigureAwait(false);
        var isZipped = response.Headers.NonValidated.TryGetValues(GrpcNames.Encoding, out var encoding) && encoding.ToString() == GrpcNames.Gzip;
        return new StreamRecordReader(
            PipeReader.Create(body, new StreamPipeReaderOptions(leaveOpen: true)), isZipped ? _zipped : _plain, options.MaxMessageBytes, failure => failure.ToException(operation, codec));
    }

    private async ValueTask<(bool IsThere, TResponse? Item)> NextAsync(Call call, StreamRecordReader records, HttpResponseMessage response, CallContext? context)
    {
        try
        {
            var next = await records.ReadItemAsync(_response, call.End.Token).ConfigureAwait(false);
            if (next.IsThere)
                return next;
            var trailers = GrpcTrailers.IsEnd(response.Headers) ? response.Headers : response.TrailingHeaders;
            if (context is not null)
                HttpResponseReader.CopyHeaders(trailers, context);
            return GrpcTrailers.Read(trailers, operation, codec) is { } failure ? throw failure : next;
        }
        catch (Exception failure)
        {
            throw Translate(call, failure);
        }
    }

    private Exception Translate(Call call, Exception failure)
    {
        if (call.Content?.Failure is { } own)
            ExceptionDispatchInfo.Throw(own);
        return failure is RpcException && !call.Token.IsCancellationRequested ? failure : ProblemDetailsMapping.Translate(failure, operation, address, call.End, http.Closing, call.Token);
    }

    private readonly record struct Call(DeadlineTokenSource End, StreamingContent<TRequest, TItem>? Content, CancellationToken Token)
    {
        /// <summary>Ends pending work; the caller's stream is not read any more.</summary>
        public async ValueTask EndAsync()
        {
            if (Content is null)
                return;
            await End.CancelAsync().ConfigureAwait(false);
            await Content.Ended.ConfigureAwait(false);
            Content.Dispose();
        }
    }
}
