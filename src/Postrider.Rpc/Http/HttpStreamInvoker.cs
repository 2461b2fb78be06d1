using System.IO.Pipelines;
using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace Postrider.Rpc.Http;

/// <summary>Calls one operation that streams over HTTP.</summary>
/// <remarks>With HTTP/1.1, a response is read after the body was sent: a duplex operation needs HTTP/2.</remarks>
internal sealed class HttpStreamInvoker<TRequest, TItem, TResponse>(
    SharedHttpInvoker http, Uri address, Operation<TRequest, TItem, TResponse> operation, RpcCodec codec, HttpChannelOptions options)
    : OperationInvoker<TRequest, TItem, TResponse>
{
    private readonly HttpRequestFactory<TRequest> _requests = new(address, operation, operation.Route, operation.RequestFormatter, codec, options);
    private readonly RpcFormatter<TItem> _item = codec.GetFormatter<TItem>();
    private readonly RpcFormatter<TResponse> _response = operation.ResponseFormatter(codec);
    private readonly StreamFormat _format = StreamFormat.For(codec);

    public override async ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();

        // A stream has no timeout by default: it may be long-lived.
        using var end = new DeadlineTokenSource(options.TimeProvider, context?.Timeout, ct, http.Closing);
        using var content = Content(request, items, end);
        try
        {
            using var message = Message(request, content, context, codec.CodecFor(typeof(TResponse)).ContentType);
            using var response = await http.SendAsync(message, end.Token).ConfigureAwait(false);
            HttpResponseReader.CopyHeaders(response, context);
            return await HttpResponseReader.ReadAsync(response, _response, operation, codec, options.MaxMessageBytes, end.Token).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            throw Translate(failure, content, end, ct);
        }
        finally
        {
            await end.CancelAsync().ConfigureAwait(false);
            await content.Ended.ConfigureAwait(false);
        }
    }

    public override async IAsyncEnumerable<TResponse> StreamAsync(
        TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, [EnumeratorCancellation] CancellationToken ct)
    {
        if (items is not null && options.Version < HttpVersion.Version20)
            throw new RpcException(RpcStatus.Unsupported, $"{operation.Path} is a duplex operation, which requires HTTP/2. Set HttpChannelOptions.Version.");
        ct.ThrowIfCancellationRequested();
        using var end = new DeadlineTokenSource(options.TimeProvider, context?.Timeout, ct, http.Closing);
        using var content = items is null ? null : Content(request, items, end);
        using var message = Message(request, content is not null ? content : _requests.HasBody ? HttpResponseReader.Body(_requests.Body, request, _requests.BodyCodec) : null, context, _format.ContentType);
        HttpResponseMessage? response = null;
        try
        {
            response = await OpenAsync(message, content, context, end, ct).ConfigureAwait(false);
            using var records = await RecordsAsync(response, end.Token).ConfigureAwait(false);
            while (true)
            {
                var (isThere, item) = await NextAsync(records, content, end, ct).ConfigureAwait(false);
                if (!isThere)
                    break;
                yield return item!;
            }

            if (context is not null)
                HttpResponseReader.CopyHeaders(response.TrailingHeaders, context);
        }
        finally
        {
            response?.Dispose();
            await end.CancelAsync().ConfigureAwait(false);
            if (content is not null)
                await content.Ended.ConfigureAwait(false);
        }
    }

    private StreamingContent<TRequest, TItem> Content(TRequest request, IAsyncEnumerable<TItem>? items, DeadlineTokenSource end)
        => new(_format, _requests.Body, _item, request, items ?? throw new ArgumentNullException(nameof(items)), end);

    private HttpRequestMessage Message(TRequest request, HttpContent? content, CallContext? context, string accept)
    {
        var message = _requests.Make(request, context);
        message.Content = content;
        message.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue(accept));
        return message;
    }

    private async ValueTask<HttpResponseMessage> OpenAsync(
        HttpRequestMessage message, StreamingContent<TRequest, TItem>? content, CallContext? context, DeadlineTokenSource end, CancellationToken ct)
    {
        try
        {
            var response = await http.SendAsync(message, end.Token).ConfigureAwait(false);
            HttpResponseReader.CopyHeaders(response, context);
            if (response.IsSuccessStatusCode)
                return response;
            using (response)
                throw await HttpResponseReader.FailureAsync(response, operation, codec, options.MaxMessageBytes, end.Token).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            throw Translate(failure, content, end, ct);
        }
    }

    private async ValueTask<StreamRecordReader> RecordsAsync(HttpResponseMessage response, CancellationToken ct)
    {
        if (!_format.Accepts(response.Content.Headers.ContentType?.MediaType))
            throw new RpcException(RpcStatus.Unsupported, $"{operation.Path} returned content type '{response.Content.Headers.ContentType}' instead of {_format.ContentType}.");
        var body = await response.Content.ReadAsStreamAsync(ct).ConfigureAwait(false);
        return new StreamRecordReader(
            PipeReader.Create(body, new StreamPipeReaderOptions(leaveOpen: true)), _format, options.MaxMessageBytes, failure => failure.ToException(operation, codec));
    }

    private async ValueTask<(bool IsThere, TResponse? Item)> NextAsync(StreamRecordReader records, StreamingContent<TRequest, TItem>? content, DeadlineTokenSource end, CancellationToken ct)
    {
        try
        {
            return await records.ReadItemAsync(_response, end.Token).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            throw Translate(failure, content, end, ct);
        }
    }

    private Exception Translate(Exception failure, StreamingContent<TRequest, TItem>? content, DeadlineTokenSource end, CancellationToken ct)
    {
        if (content?.Failure is { } own)
            ExceptionDispatchInfo.Throw(own);
        return failure is RpcException ? failure : ProblemDetailsMapping.Translate(failure, operation, _requests.Address, end, http.Closing, ct);
    }
}
