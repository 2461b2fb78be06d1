// Hot path: HttpInvoker -> this -> RpcFormatter. Allocations: none of its own.
using System.Buffers;
using System.Net.Http.Headers;
using Postrider.Memory;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Http;

/// <summary>Reads bodies and headers on the client side.</summary>
internal static class HttpResponseReader
{
    private const int FirstBytes = 4096;

    /// <summary>A message as a request's body.</summary>
    public static PooledContent Body<T>(RpcFormatter<T> formatter, T request, MediaTypeHeaderValue type)
    {
        var buffer = FrameBuffer.Rent();
        try
        {
            buffer.BeginBody(formatter.ExpectedBytes);
            formatter.Write(buffer, request);
            var length = buffer.Length;
            formatter.ExpectedBytes = length;
            return new PooledContent(buffer.Detach(), length, type);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <inheritdoc cref="Body{T}(RpcFormatter{T}, T, MediaTypeHeaderValue)"/>
    public static PooledContent Body<T>(RpcFormatter<T> formatter, T request, RpcCodec codec) => Body(formatter, request, new MediaTypeHeaderValue(codec.ContentType));

    public static void AddHeaders(HttpRequestMessage message, CallContext? context)
    {
        if (context?.HeadersOrNull is not { } headers)
            return;
        foreach (var (name, value) in headers)
            message.Headers.TryAddWithoutValidation(name, value);
    }

    public static void CopyHeaders(HttpResponseMessage response, CallContext? context)
    {
        if (context is not null)
            CopyHeaders(response.Headers, context);
    }

    public static void CopyHeaders(HttpHeaders from, CallContext context)
    {
        foreach (var (name, values) in from.NonValidated)
        {
            if (HttpNames.IsCalls(name) && values.ToString() is var value && RpcHeaders.IsValue(value))
                context.ResponseHeaders[name] = value;
        }
    }

    /// <summary>Reads the message of a response.</summary>
    /// <exception cref="RpcException">It is a failure, or cannot be read.</exception>
    public static async ValueTask<T> ReadAsync<T>(
        HttpResponseMessage response, RpcFormatter<T> formatter, Operation operation, RpcCodec codec, int maxBytes, CancellationToken ct)
    {
        var (bytes, length) = await ReadBytesAsync(response.Content, maxBytes, ct).ConfigureAwait(false);
        try
        {
            var body = new ReadOnlySequence<byte>(bytes, 0, length);
            if (!response.IsSuccessStatusCode)
                throw ProblemDetailsMapping.Read(response, body, operation, codec);
            if (length > 0 && response.Content.Headers.ContentType?.MediaType is { } type && codec.CodecFor(typeof(T)) is var answered && !answered.Accepts(type))
                throw new RpcException(RpcStatus.Unsupported, $"{operation.Path} returned content type '{type}' instead of {answered.ContentType}.");
            return formatter.Read(body);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    /// <summary>Creates the exception for an unsuccessful response.</summary>
    public static async ValueTask<RpcException> FailureAsync(HttpResponseMessage response, Operation operation, RpcCodec codec, int maxBytes, CancellationToken ct)
    {
        var (bytes, length) = await ReadBytesAsync(response.Content, maxBytes, ct).ConfigureAwait(false);
        try
        {
            return ProblemDetailsMapping.Read(response, new ReadOnlySequence<byte>(bytes, 0, length), operation, codec);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    /// <summary>Reads the whole body into a pooled array, which the caller returns.</summary>
    /// <exception cref="RpcException"><see cref="RpcStatus.TooLarge"/>.</exception>
    public static async ValueTask<(byte[] Bytes, int Length)> ReadBytesAsync(HttpContent content, int maxBytes, CancellationToken ct)
    {
        var stated = content.Headers.ContentLength;
        if (stated > maxBytes)
            throw TooLarge(stated.Value, maxBytes);
        var bytes = ArrayPool<byte>.Shared.Rent((int)(stated ?? FirstBytes) + 1);
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
                if (length > maxBytes)
                    throw TooLarge(length, maxBytes);
                if (length < bytes.Length)
                    continue;
                var larger = ArrayPool<byte>.Shared.Rent(bytes.Length * 2);
                BulkCopy.Copy(bytes.AsSpan(0, length), larger);
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

    private static RpcException TooLarge(long bytes, int maxBytes) => new(RpcStatus.TooLarge, $"The response of {bytes} bytes exceeds the limit {maxBytes}.");
}
