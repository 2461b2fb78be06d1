// Hot path: generated client -> this -> HttpMessageInvoker. Allocations: the request and the response, which HttpClient creates for each call.
using System.Collections.Concurrent;
using System.Net.Http.Headers;

namespace Postrider.Rpc.Http;

/// <summary>Calls one operation over HTTP.</summary>
internal sealed class HttpInvoker<TRequest, TItem, TResponse>(
    SharedHttpInvoker http, Uri address, Operation<TRequest, TItem, TResponse> operation, RpcCodec codec, HttpChannelOptions options)
    : OperationInvoker<TRequest, TItem, TResponse>
{
    private const int MaxKeptEnds = 256;

    private readonly HttpRequestFactory<TRequest> _requests = new(address, operation, operation.Route, operation.RequestFormatter, codec, options);
    private readonly RpcFormatter<TResponse> _response = operation.ResponseFormatter(codec);
    private readonly MediaTypeWithQualityHeaderValue _accept = new(codec.CodecFor(typeof(TResponse)).ContentType);
    private readonly ConcurrentQueue<PooledCancellation> _ends = new();

    public override ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => items is not null ? throw Unsupported()
        : ct.IsCancellationRequested ? ValueTask.FromCanceled<TResponse>(ct)
        : SendAsync(request, context, ct);

    public override IAsyncEnumerable<TResponse> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => throw Unsupported();

    private async ValueTask<TResponse> SendAsync(TRequest request, CallContext? context, CancellationToken ct)
    {
        var time = CallTimeout.Start(operation.Path, context, options.Timeout);
        var kept = _ends.TryDequeue(out var free) ? free : new PooledCancellation(options.TimeProvider, http.Closing);
        var end = kept.Source;
        var registration = ct.UnsafeRegister(static state => ((CancellationTokenSource)state!).Cancel(), end);
        try
        {
            if (time != Timeout.InfiniteTimeSpan)
                end.CancelAfter(time);
            using var message = Message(request, context);
            using var response = await http.SendAsync(message, end.Token).ConfigureAwait(false);
            HttpResponseReader.CopyHeaders(response, context);
            return await HttpResponseReader.ReadAsync(response, _response, operation, codec, options.MaxMessageBytes, end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw http.Closing.IsCancellationRequested ? ChannelClosed.Failure() : CallTimeout.Exceeded(operation.Path);
        }
        catch (ObjectDisposedException) when (http.Closing.IsCancellationRequested)
        {
            throw ChannelClosed.Failure();
        }
        catch (OperationCanceledException cancelled)
        {
            throw new OperationCanceledException(cancelled.Message, cancelled, ct);
        }
        catch (Exception broken) when (broken is HttpRequestException or IOException)
        {
            throw new RpcException(RpcStatus.Unavailable, $"{_requests.Address} cannot be reached: {ProblemDetailsMapping.Words(broken)}", broken) { IsUnsent = ProblemDetailsMapping.IsUnsent(broken) };
        }
        finally
        {
            registration.Dispose();
            if (end.TryReset() && _ends.Count < MaxKeptEnds)
                _ends.Enqueue(kept);
            else
                kept.Dispose();
        }
    }

    private HttpRequestMessage Message(TRequest request, CallContext? context)
    {
        var message = _requests.Make(request, context);
        message.Headers.Accept.Add(_accept);
        if (_requests.HasBody)
            message.Content = HttpResponseReader.Body(_requests.Body, request, _requests.ContentType);
        return message;
    }

    private RpcException Unsupported() => new(RpcStatus.Unsupported, $"{operation.Path} is not a streaming operation.");
}
