using System.IO.Pipelines;
using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Http;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Grpc;

/// <summary>Calls one operation of a gRPC service.</summary>
internal sealed class GrpcCaller<TRequest, TItem, TResponse>(
    HttpWay http, Uri address, Operation<TRequest, TItem, TResponse> operation, RpcCodec codec, GrpcChannelOptions options)
    : Caller<TRequest, TItem, TResponse>
{
    private readonly RpcFormatter<TRequest> _request = operation.RequestFormatter(codec);
    private readonly RpcFormatter<TItem> _item = codec.Of<TItem>();
    private readonly RpcFormatter<TResponse> _response = operation.ResponseFormatter(codec);
    private readonly MediaTypeHeaderValue _contentType = new(GrpcNames.TypeOf(codec));
    private readonly GrpcFrames _plain = new(GrpcNames.TypeOf(codec), isZipped: false, options.MaxMessageBytes);
    private readonly GrpcFrames _zipped = new(GrpcNames.TypeOf(codec), isZipped: true, options.MaxMessageBytes);

    public override async ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        // A stream has no limit but the one it is given: it may be meant to last.
        using var end = new Limit(options.TimeProvider, context?.Timeout ?? (items is null ? options.Timeout : null), ct, http.Closing);
        var call = new Call(end, items is null ? null : Content(request, items, end), ct);
        try
        {
            using var message = Message(call.Content ?? (HttpContent)Body(request), context);
            using var response = await OpenAsync(call, message, context).ConfigureAwait(false);
            using var records = await RecordsAsync(response, call).ConfigureAwait(false);
            var (isThere, answer) = await NextAsync(call, records, response, context).ConfigureAwait(false);
            if (!isThere)
                throw new RpcException(RpcStatus.ProtocolError, $"{operation.Path} ended well and without its answer.");
            return (await NextAsync(call, records, response, context).ConfigureAwait(false)).IsThere
                ? throw new RpcException(RpcStatus.ProtocolError, $"{operation.Path} was answered by more than one message.")
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
        using var end = new Limit(options.TimeProvider, context?.Timeout, ct, http.Closing);
        var call = new Call(end, items is null ? null : Content(request, items, end), ct);
        HttpResponseMessage? response = null;
        try
        {
            using var message = Message(call.Content ?? (HttpContent)Body(request), context);
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

    private ItemsContent<TRequest, TItem> Content(TRequest request, IAsyncEnumerable<TItem> items, Limit end) => new(_plain, _request, _item, request, items, end);

    private PooledContent Body(TRequest request)
    {
        var buffer = FrameBuffer.Rent();
        try
        {
            buffer.BeginBody();
            buffer.GetSpan(GrpcFrames.HeadBytes);
            buffer.Advance(GrpcFrames.HeadBytes);
            _request.Write(buffer, request);
            var length = buffer.Length;
            var bytes = buffer.Detach();
            GrpcFrames.WriteHead(bytes, length - GrpcFrames.HeadBytes);
            return new PooledContent(bytes, length, _contentType);
        }
        finally
        {
            buffer.Return();
        }
    }

    private HttpRequestMessage Message(HttpContent content, CallContext? context)
    {
        var message = new HttpRequestMessage(HttpMethod.Post, address)
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = content,
        };
        message.Headers.TE.Add(new TransferCodingWithQualityHeaderValue("trailers"));
        message.Headers.Add(GrpcNames.AcceptEncoding, GrpcNames.Known);
        if (CallTime.Told(context) is { } time)
            message.Headers.Add(GrpcNames.Timeout, GrpcNames.FormatTimeout(time));
        HttpAnswer.AddHeaders(message, context);
        return message;
    }

    private async ValueTask<HttpResponseMessage> OpenAsync(Call call, HttpRequestMessage message, CallContext? context)
    {
        try
        {
            call.Token.ThrowIfCancellationRequested();
            var response = await http.SendAsync(message, call.End.Token).ConfigureAwait(false);
            HttpAnswer.CopyHeaders(response, context);
            if (Refused(response) is not { } failure)
                return response;
            using (response)
                throw failure;
        }
        catch (Exception failure)
        {
            throw Told(call, failure);
        }
    }

    // What is no gRPC, and what has ended before it began: then the headers are the trailers.
    private RpcException? Refused(HttpResponseMessage response)
    {
        if (GrpcFailure.IsEnd(response.Headers))
            return GrpcFailure.Read(response.Headers, operation, codec);
        var type = response.Content.Headers.ContentType?.MediaType;
        return response.StatusCode == HttpStatusCode.OK && type is not null && type.StartsWith(GrpcNames.ContentType, StringComparison.OrdinalIgnoreCase)
            ? null
            : new RpcException(GrpcStatus.FromHttp(response.StatusCode), $"{address} was answered by HTTP status {(int)response.StatusCode} and '{type}', which is no gRPC.");
    }

    private async ValueTask<RecordReader> RecordsAsync(HttpResponseMessage response, Call call)
    {
        var body = await response.Content.ReadAsStreamAsync(call.End.Token).ConfigureAwait(false);
        var isZipped = response.Headers.NonValidated.TryGetValues(GrpcNames.Encoding, out var encoding) && encoding.ToString() == GrpcNames.Gzip;
        return new RecordReader(
            PipeReader.Create(body, new StreamPipeReaderOptions(leaveOpen: true)), isZipped ? _zipped : _plain, options.MaxMessageBytes, failure => failure.ToException(operation, codec));
    }

    private async ValueTask<(bool IsThere, TResponse? Item)> NextAsync(Call call, RecordReader records, HttpResponseMessage response, CallContext? context)
    {
        try
        {
            var next = await records.ReadItemAsync(_response, call.End.Token).ConfigureAwait(false);
            if (next.IsThere)
                return next;
            var trailers = GrpcFailure.IsEnd(response.Headers) ? response.Headers : response.TrailingHeaders;
            if (context is not null)
                HttpAnswer.CopyHeaders(trailers, context);
            return GrpcFailure.Read(trailers, operation, codec) is { } failure ? throw failure : next;
        }
        catch (Exception failure)
        {
            throw Told(call, failure);
        }
    }

    private Exception Told(Call call, Exception failure)
    {
        if (call.Content?.Failure is { } own)
            ExceptionDispatchInfo.Throw(own);
        return failure is RpcException && !call.Token.IsCancellationRequested ? failure : HttpFailure.Told(failure, operation, address, call.End, http.Closing, call.Token);
    }

    private readonly record struct Call(Limit End, ItemsContent<TRequest, TItem>? Content, CancellationToken Token)
    {
        /// <summary>Ends what still runs; the caller's stream is not read any more.</summary>
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
