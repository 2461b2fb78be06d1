// Hot path: generated client -> this -> HttpMessageInvoker. Allocations: the request and the response, which HTTP's client makes anew.
using System.Buffers;
using System.Collections.Concurrent;
using System.Globalization;
using System.Net.Http.Headers;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Http;

/// <summary>Calls one operation over HTTP.</summary>
internal sealed class HttpCaller<TRequest, TItem, TResponse>(
    HttpMessageInvoker http, Uri address, Operation<TRequest, TItem, TResponse> operation, RpcCodec codec, HttpChannelOptions options)
    : Caller<TRequest, TItem, TResponse>
{
    private const int MostKeptSources = 256;

    private readonly RpcFormatter<TRequest> _request = operation.RequestFormatter(codec);
    private readonly RpcFormatter<TResponse> _response = codec.Of<TResponse>();
    private readonly MediaTypeHeaderValue _contentType = new(codec.ContentType);
    private readonly MediaTypeWithQualityHeaderValue _accept = new(codec.ContentType);
    private readonly ConcurrentQueue<CancellationTokenSource> _sources = new();

    public override ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => items is not null ? throw Unsupported()
        : ct.IsCancellationRequested ? ValueTask.FromCanceled<TResponse>(ct)
        : SendAsync(request, context, ct);

    public override IAsyncEnumerable<TResponse> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => throw Unsupported();

    private async ValueTask<TResponse> SendAsync(TRequest request, CallContext? context, CancellationToken ct)
    {
        var time = context?.Timeout ?? options.Timeout;
        var end = _sources.TryDequeue(out var kept) ? kept : new CancellationTokenSource(Timeout.InfiniteTimeSpan, options.TimeProvider);
        var registration = ct.UnsafeRegister(static state => ((CancellationTokenSource)state!).Cancel(), end);
        try
        {
            if (time != Timeout.InfiniteTimeSpan)
                end.CancelAfter(time < TimeSpan.Zero ? TimeSpan.Zero : time);
            using var message = Message(request, context);
            using var response = await http.SendAsync(message, end.Token).ConfigureAwait(false);
            return await ReadAsync(response, context, end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw new RpcException(RpcStatus.DeadlineExceeded, $"{operation.Path} took longer than it may.");
        }
        catch (OperationCanceledException cancelled)
        {
            throw new OperationCanceledException(cancelled.Message, cancelled, ct);
        }
        catch (Exception broken) when (broken is HttpRequestException or IOException)
        {
            throw new RpcException(RpcStatus.Unavailable, $"{address} cannot be reached: {broken.Message}", broken);
        }
        finally
        {
            registration.Dispose();
            if (end.TryReset() && _sources.Count < MostKeptSources)
                _sources.Enqueue(end);
            else
                end.Dispose();
        }
    }

    private HttpRequestMessage Message(TRequest request, CallContext? context)
    {
        var message = new HttpRequestMessage(HttpMethod.Post, address) { Version = options.Version, VersionPolicy = HttpVersionPolicy.RequestVersionExact };
        message.Headers.Accept.Add(_accept);
        if (context?.Timeout is { } time)
            message.Headers.Add(HttpNames.Timeout, Math.Ceiling(time.TotalMilliseconds).ToString(CultureInfo.InvariantCulture));
        if (context?.HeadersOrNull is { } headers)
        {
            foreach (var (name, value) in headers)
                message.Headers.TryAddWithoutValidation(name, value);
        }

        var buffer = FrameBuffer.Rent();
        try
        {
            buffer.BeginBody();
            _request.Write(buffer, request);
            var length = buffer.Length;
            message.Content = new PooledContent(buffer.Detach(), length, _contentType);
            return message;
        }
        finally
        {
            buffer.Return();
        }
    }

    private async ValueTask<TResponse> ReadAsync(HttpResponseMessage response, CallContext? context, CancellationToken ct)
    {
        if (context is not null)
        {
            foreach (var (name, values) in response.Headers.NonValidated)
            {
                if (HttpNames.IsCalls(name) && values.ToString() is var value && RpcHeaders.IsValue(value))
                    context.ResponseHeaders[name] = value;
            }
        }

        var (bytes, length) = await BodyAsync(response.Content, ct).ConfigureAwait(false);
        try
        {
            var body = new ReadOnlySequence<byte>(bytes, 0, length);
            if (!response.IsSuccessStatusCode)
                throw HttpFailure.Read(response, body, operation, codec);
            return _response.Read(body);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    private async ValueTask<(byte[] Bytes, int Length)> BodyAsync(HttpContent content, CancellationToken ct)
    {
        var stated = content.Headers.ContentLength;
        if (stated > options.MaxMessageBytes)
            throw TooLarge(stated.Value);
        var bytes = ArrayPool<byte>.Shared.Rent((int)(stated ?? 4096) + 1);
        var length = 0;
        try
        {
            var stream = await content.ReadAsStreamAsync(ct).ConfigureAwait(false);
            while (true)
            {
                var read = await stream.ReadAsync(bytes.AsMemory(length), ct).ConfigureAwait(false);
                length += read;
                if (read == 0)
                    return (bytes, length);
                if (length > options.MaxMessageBytes)
                    throw TooLarge(length);
                if (length < bytes.Length)
                    continue;
                var larger = ArrayPool<byte>.Shared.Rent(bytes.Length * 2);
                bytes.AsSpan(0, length).CopyTo(larger);
                ArrayPool<byte>.Shared.Return(bytes);
                bytes = larger;
            }
        }
        catch
        {
            ArrayPool<byte>.Shared.Return(bytes);
            throw;
        }
    }

    private RpcException TooLarge(long bytes) => new(RpcStatus.TooLarge, $"The answer of {bytes} bytes exceeds the limit {options.MaxMessageBytes}.");

    private RpcException Unsupported() => new(RpcStatus.Unsupported, $"{operation.Path} streams, which is not carried over HTTP.");
}
