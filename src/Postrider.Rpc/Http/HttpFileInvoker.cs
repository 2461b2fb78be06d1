using System.Net;

namespace Postrider.Rpc.Http;

/// <summary>Calls an operation that returns a file over HTTP.</summary>
/// <remarks>The channel's timeout applies until the response starts; the content is then read without a timeout.</remarks>
internal sealed class HttpFileInvoker<TRequest, TItem>(
    SharedHttpInvoker http, Uri address, Operation<TRequest, TItem, RpcFile> operation, RpcCodec codec, HttpChannelOptions options)
    : OperationInvoker<TRequest, TItem, RpcFile>
{
    private readonly HttpRequestFactory<TRequest> _requests = new(address, operation, operation.Route, operation.RequestFormatter, codec, options);

    public override async ValueTask<RpcFile> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        using var end = new DeadlineTokenSource(options.TimeProvider, context?.Timeout ?? options.Timeout, ct, http.Closing);
        HttpResponseMessage? response = null;
        try
        {
            using var message = _requests.Make(request, context);
            if (_requests.HasBody)
                message.Content = HttpResponseReader.Body(_requests.Body, request, _requests.ContentType);
            response = await http.SendAsync(message, end.Token).ConfigureAwait(false);
            HttpResponseReader.CopyHeaders(response, context);
            if (!response.IsSuccessStatusCode && response.StatusCode != HttpStatusCode.NotModified)
                throw await HttpResponseReader.FailureAsync(response, operation, codec, options.MaxMessageBytes, end.Token).ConfigureAwait(false);
            var file = await ReadAsync(response, end.Token).ConfigureAwait(false);
            response = null;
            return file;
        }
        catch (Exception failure) when (failure is not RpcException)
        {
            throw ProblemDetailsMapping.Translate(failure, operation, _requests.Address, end, http.Closing, ct);
        }
        finally
        {
            response?.Dispose();
        }
    }

    public override IAsyncEnumerable<RpcFile> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => throw new RpcException(RpcStatus.Unsupported, $"{operation.Path} is not a streaming operation.");

    private static async ValueTask<RpcFile> ReadAsync(HttpResponseMessage response, CancellationToken ct)
    {
        var headers = response.Content.Headers;
        return new RpcFile(
            await response.Content.ReadAsStreamAsync(ct).ConfigureAwait(false), headers.ContentType?.ToString() is { Length: > 0 } type ? type : "application/octet-stream", response)
        {
            Name = headers.ContentDisposition?.FileNameStar ?? headers.ContentDisposition?.FileName?.Trim('"'),
            IsInline = headers.ContentDisposition?.DispositionType == "inline",
            EntityTag = response.Headers.ETag?.ToString(),
            LastModified = headers.LastModified,
            CacheControl = response.Headers.CacheControl?.ToString(),
            Length = headers.ContentLength,
            Offset = headers.ContentRange?.From,
            IsUnchanged = response.StatusCode == HttpStatusCode.NotModified,
        };
    }
}
