using System.Buffers;
using System.Globalization;
using System.Security.Claims;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Http;

namespace Postrider.Rpc.Server;

/// <summary>Reads a call from its request and writes its response, except for streams.</summary>
internal static class HttpCall
{
    // The amount that Kestrel buffers before the writer has to wait: a larger body written at once would first be copied to its buffers.
    private const int MaxSentBytes = 64 * 1024;

    /// <summary>Reads the message: the whole body.</summary>
    public static async ValueTask<TRequest> ReadAsync<TRequest, TItem, TResponse>(HttpContext http, HttpOperationBinding<TRequest, TItem, TResponse> binding, int maxBytes)
    {
        ContiguousBody body;
        try
        {
            body = await ContiguousBody.ReceiveAsync(http, maxBytes).ConfigureAwait(false);
        }
        catch (IOException broken)
        {
            throw Unreadable(broken);
        }

        try
        {
            return binding.Read(http, new ReadOnlySequence<byte>(body.Bytes));
        }
        finally
        {
            body.Release();
        }
    }

    /// <summary>Removes the limits that would cut off a long or pausing stream: each message has its own limit.</summary>
    public static void LiftLimits(HttpContext http)
    {
        if (http.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } size)
            size.MaxRequestBodySize = null;
        if (http.Features.Get<IHttpMinRequestBodyDataRateFeature>() is { } there)
            there.MinDataRate = null;
        if (http.Features.Get<IHttpMinResponseDataRateFeature>() is { } back)
            back.MinDataRate = null;
    }

    /// <summary>The exception for a body that ended early, or whose chunks are malformed.</summary>
    public static Exception Unreadable(IOException broken)
        => broken is BadHttpRequestException ? broken : new RpcException(RpcStatus.InvalidData, $"The request's body cannot be read: {broken.Message}", broken);

    /// <summary>Responds with a message, or with nothing.</summary>
    public static async ValueTask WriteAsync<T>(HttpContext http, RpcCodec codec, RpcFormatter<T> formatter, T response, CallContext? context)
    {
        AddHeaders(http, context);
        if (typeof(T) == typeof(Unit))
        {
            http.Response.StatusCode = StatusCodes.Status204NoContent;
            return;
        }

        var (bytes, length) = Bytes(formatter, response);
        try
        {
            http.Response.ContentType = codec.ContentType;
            await SendAsync(http, bytes.AsMemory(0, length)).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    /// <summary>Sends the whole body of the response: over HTTP/2 its end can be sent when the handler ends.</summary>
    /// <param name="http">The call.</param>
    /// <param name="bytes">Not used any more afterwards.</param>
    public static async ValueTask SendAsync(HttpContext http, ReadOnlyMemory<byte> bytes)
    {
        http.Response.ContentLength = bytes.Length;
        if (bytes.Length <= MaxSentBytes && HttpProtocol.IsHttp2(http.Request.Protocol))
        {
            // Not flushed: headers, body and the stream's end are sent together when the handler ends.
            http.Response.BodyWriter.Write(bytes.Span);
            return;
        }

        while (bytes.Length > MaxSentBytes)
        {
            await http.Response.BodyWriter.WriteAsync(bytes[..MaxSentBytes], CancellationToken.None).ConfigureAwait(false);
            bytes = bytes[MaxSentBytes..];
        }

        // Flushed: over HTTP/1.1 Kestrel does not send data written after a flush by itself if the body has a length.
        await http.Response.BodyWriter.WriteAsync(bytes, CancellationToken.None).ConfigureAwait(false);
    }

    /// <summary>Responds with a failure, unless the caller has disconnected.</summary>
    public static async ValueTask FailAsync(
        HttpContext http, Exception failure, Operation operation, RpcCodec codec, CallContext? context, RpcServerOptions options, ILogger logger)
    {
        var described = Describe(failure, operation, codec, options, logger);
        if (http.RequestAborted.IsCancellationRequested)
            return;
        AddHeaders(http, context);
        await ProblemDetailsWriter.WriteAsync(http, described, codec).ConfigureAwait(false);
    }

    /// <summary>The description of a failure for the caller.</summary>
    public static CallFailure Describe(Exception failure, Operation operation, RpcCodec codec, RpcServerOptions options, ILogger logger)
    {
        CallFailure described;
        try
        {
            described = failure is BadHttpRequestException bad
                ? new CallFailure(HttpNames.FromHttp(bad.StatusCode), bad.Message)
                : CallFailure.From(failure, operation, codec, options.EnableDetailedErrors);
        }
        catch (Exception unwritable)
        {
            // The detail of the fault cannot be serialized.
            Log.OperationFailed(logger, unwritable, operation.Path);
            return new(RpcStatus.Internal, "The operation failed.");
        }

        if (described.Status == RpcStatus.Internal)
            Log.OperationFailed(logger, failure, operation.Path);
        return described;
    }

    public static void AddHeaders(HttpContext http, CallContext? context)
    {
        if (context?.ResponseHeadersOrNull is not { } headers)
            return;
        foreach (var (name, value) in headers)
        {
            if (HttpNames.IsCalls(name))
                http.Response.Headers[name] = value;
        }
    }

    public static CallContext Context(HttpContext http)
    {
        var context = NewContext(http, Time(http));
        foreach (var (name, values) in http.Request.Headers)
        {
            if (HttpNames.IsCalls(name) && values.ToString() is var value && RpcHeaders.IsValue(value))
                context.Headers[name] = value;
        }

        return context;
    }

    /// <summary>Creates the context of a call without its headers, which each format reads differently.</summary>
    public static CallContext NewContext(HttpContext http, TimeSpan? timeout) => new()
    {
        Peer = http.Connection.RemoteIpAddress?.ToString(),
        Timeout = timeout,
        User = Caller(http),
        Services = http.RequestServices,
    };

    /// <summary>The caller if ASP.NET Core has authenticated it, or null.</summary>
    public static ClaimsPrincipal? Caller(HttpContext http) => http.User.Identity?.IsAuthenticated == true ? http.User : null;

    /// <summary>The timeout that the caller requests, or null.</summary>
    /// <exception cref="RpcException">It is not a number of milliseconds: <see cref="RpcStatus.InvalidData"/>.</exception>
    public static TimeSpan? Time(HttpContext http)
    {
        if (!http.Request.Headers.TryGetValue(HttpNames.Timeout, out var text))
            return null;
        if (!uint.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var milliseconds))
            throw new RpcException(RpcStatus.InvalidData, $"{HttpNames.Timeout} is '{text}'; it must be a whole number of milliseconds up to {uint.MaxValue}.");
        return TimeSpan.FromMilliseconds(Math.Min(milliseconds, int.MaxValue));
    }

    private static (byte[] Bytes, int Length) Bytes<T>(RpcFormatter<T> formatter, T response)
    {
        var buffer = FrameBuffer.Rent();
        try
        {
            buffer.BeginBody(formatter.ExpectedBytes);
            formatter.Write(buffer, response);
            var length = buffer.Length;
            formatter.ExpectedBytes = length;
            return (buffer.Detach(), length);
        }
        finally
        {
            buffer.Return();
        }
    }
}
