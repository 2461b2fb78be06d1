using System.Collections.Frozen;

namespace Postrider.Rpc.Http;

/// <summary>Header names and status codes of calls over HTTP.</summary>
internal static class HttpNames
{
    /// <summary>The status of a failed call: an <see cref="RpcStatus"/> by name.</summary>
    public const string Status = "Rpc-Status";

    /// <summary>The fault's name.</summary>
    public const string Fault = "Rpc-Fault";

    /// <summary>The error message, percent-encoded, if the body is a fault's detail.</summary>
    public const string Message = "Rpc-Message";

    /// <summary>The timeout of the call in milliseconds.</summary>
    public const string Timeout = "Rpc-Timeout";

    /// <summary>The media type of a problem details body.</summary>
    public const string Problem = "application/problem+json";

    // Headers of HTTP itself: they are not part of a call's headers on either side.
    private static readonly FrozenSet<string> s_own = FrozenSet.ToFrozenSet(
        [
            Status, Fault, Message, Timeout, "Host", "Connection", "Keep-Alive", "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Content-Type",
            "Content-Length", "Content-Encoding", "Accept", "Accept-Encoding", "Expect", "Date", "Server", "User-Agent", "Alt-Svc",
        ],
        StringComparer.OrdinalIgnoreCase);

    /// <summary>Whether a header can be a header of a call.</summary>
    public static bool IsCalls(string name) => !s_own.Contains(name) && RpcHeaders.IsName(name);

    /// <summary>Rejects a URI that is not an HTTP address.</summary>
    /// <exception cref="ArgumentException">It is not an absolute address: <c>localhost:5000</c> without its scheme is one of the scheme <c>localhost</c>, for example.</exception>
    public static void CheckAddress(Uri address)
    {
        if (!address.IsAbsoluteUri || (address.Scheme != Uri.UriSchemeHttp && address.Scheme != Uri.UriSchemeHttps))
            throw new ArgumentException($"'{address}' is not an HTTP address. It must begin with http:// or https://.", nameof(address));
    }

    public static int ToHttp(RpcStatus status) => status switch
    {
        RpcStatus.Ok => 200,
        RpcStatus.Cancelled => 499,
        RpcStatus.DeadlineExceeded => 504,
        RpcStatus.NotFound => 404,
        RpcStatus.InvalidData or RpcStatus.ProtocolError or RpcStatus.OutOfRange => 400,
        RpcStatus.AlreadyExists or RpcStatus.Aborted => 409,
        RpcStatus.FailedPrecondition => 412,
        RpcStatus.TooLarge => 413,
        RpcStatus.Busy => 429,
        RpcStatus.Unavailable => 503,
        RpcStatus.Fault => 422,
        RpcStatus.Unsupported => 501,
        RpcStatus.Unauthenticated => 401,
        RpcStatus.Forbidden => 403,
        _ => 500,
    };

    /// <summary>Maps a status that did not come from a Postrider endpoint, but from a proxy or middleware in front of it.</summary>
    public static RpcStatus FromHttp(int status) => status switch
    {
        400 or 416 => RpcStatus.InvalidData,
        409 => RpcStatus.Aborted,
        412 => RpcStatus.FailedPrecondition,
        401 => RpcStatus.Unauthenticated,
        403 => RpcStatus.Forbidden,
        404 => RpcStatus.NotFound,
        408 or 504 => RpcStatus.DeadlineExceeded,
        413 => RpcStatus.TooLarge,
        405 or 406 or 415 or 501 => RpcStatus.Unsupported,
        429 => RpcStatus.Busy,
        499 => RpcStatus.Cancelled,
        502 or 503 => RpcStatus.Unavailable,
        _ => RpcStatus.Internal,
    };
}
