using System.Globalization;
using Microsoft.AspNetCore.Http;
using Postrider.Rpc.Server;

namespace Postrider.Rpc.Grpc;

/// <summary>Reads a gRPC call from its request and writes its response, except for messages.</summary>
internal static class GrpcCall
{
    /// <summary>The caller's timeout, or null.</summary>
    /// <exception cref="RpcException">gRPC does not define it.</exception>
    public static TimeSpan? Time(HttpContext http)
        => !http.Request.Headers.TryGetValue(GrpcNames.Timeout, out var text) ? null
        : GrpcNames.TryParseTimeout(text.ToString(), out var time) ? time
        : throw new RpcException(RpcStatus.InvalidData, $"Invalid {GrpcNames.Timeout} '{text}'.");

    /// <summary>Whether the caller's messages may be compressed with gzip.</summary>
    /// <exception cref="RpcException">They are compressed in a different way.</exception>
    public static bool IsZipped(HttpContext http)
    {
        var encoding = http.Request.Headers[GrpcNames.Encoding].ToString();
        if (encoding is "" or GrpcNames.Identity or GrpcNames.Gzip)
            return encoding == GrpcNames.Gzip;
        http.Response.Headers[GrpcNames.AcceptEncoding] = GrpcNames.Known;
        throw new RpcException(RpcStatus.Unsupported, $"Unsupported {GrpcNames.Encoding} '{encoding}'. Supported: {GrpcNames.Known}.");
    }

    /// <summary>Whether the caller reads messages compressed by gzip.</summary>
    public static bool AcceptsZipped(HttpContext http)
        => http.Request.Headers.TryGetValue(GrpcNames.AcceptEncoding, out var accepted)
        && accepted.ToString().Split(',', StringSplitOptions.TrimEntries).Contains(GrpcNames.Gzip, StringComparer.Ordinal);

    public static CallContext Context(HttpContext http, TimeSpan? time)
    {
        var context = HttpCall.NewContext(http, time);
        foreach (var (name, values) in http.Request.Headers)
        {
            if ((GrpcNames.IsCalls(name) || name.Equals(GrpcNames.Encoding, StringComparison.OrdinalIgnoreCase)) && values.ToString() is var value && RpcHeaders.IsValue(value))
                context.Headers[name] = value;
        }

        return context;
    }

    /// <summary>Adds the operation's headers to those of the response.</summary>
    public static void AddHeaders(HttpContext http, CallContext? context)
    {
        if (context?.InitialHeadersOrNull is not { } headers)
            return;
        foreach (var (name, value) in headers)
        {
            if (GrpcNames.IsCalls(name))
                http.Response.Headers[name] = value;
        }
    }

    /// <summary>Completes the call successfully.</summary>
    public static void End(HttpContext http, CallContext? context)
    {
        http.Response.AppendTrailer(GrpcNames.Status, "0");
        if (context?.ResponseHeadersOrNull is not { } headers)
            return;
        foreach (var (name, value) in headers)
        {
            if (GrpcNames.IsCalls(name) && http.Response.Headers[name] != value)
                http.Response.AppendTrailer(name, value);
        }
    }

    /// <summary>Ends the call with a failure: before the first message, the headers are the trailers.</summary>
    public static void Fail(HttpContext http, CallFailure failure, Operation operation, RpcCodec codec, CallContext? context)
    {
        var hasStarted = http.Response.HasStarted;
        if (!hasStarted)
        {
            // All of them are in the single block of headers.
            _ = context?.ResponseHeadersOrNull;
            AddHeaders(http, context);
        }

        foreach (var (name, value) in GrpcTrailers.Trailers(failure, operation, codec))
        {
            if (hasStarted)
                http.Response.AppendTrailer(name, value);
            else
                http.Response.Headers[name] = value;
        }
    }

    /// <summary>Rejects requests that are not gRPC calls, and calls in an unsupported form.</summary>
    public static void Reject(HttpContext http, IEnumerable<string> types)
    {
        // Trailers need HTTP/2.
        http.Response.StatusCode = http.Response.SupportsTrailers() && !HttpProtocol.IsHttp11(http.Request.Protocol)
            ? StatusCodes.Status415UnsupportedMediaType
            : StatusCodes.Status426UpgradeRequired;
        if (http.Response.StatusCode == StatusCodes.Status426UpgradeRequired)
            http.Response.Headers.Upgrade = "HTTP/2";
        else
            (http.Response.Headers[GrpcNames.Status], http.Response.Headers[GrpcNames.Message]) = (
                GrpcStatus.From(RpcStatus.Internal).ToString(CultureInfo.InvariantCulture),
                GrpcNames.Encode($"Unsupported content type '{http.Request.ContentType}'. Supported: {string.Join(", ", types)}."));
    }
}
