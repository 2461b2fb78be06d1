using System.Collections.Frozen;

namespace Postrider.Rpc.Http;

/// <summary>Header names and status codes of calls over HTTP.</summary>
internal static class HttpNames
{
    /// <summary>How a call failed: an <see cref="RpcStatus"/> by name.</summary>
    public const string Status = "Rpc-Status";

    /// <summary>The fault's name.</summary>
    public const string Fault = "Rpc-Fault";

    /// <summary>The failure in words, percent-encoded, where the body is a fault's detail.</summary>
    public const string Message = "Rpc-Message";

    /// <summary>The milliseconds that the call may take.</summary>
    public const string Timeout = "Rpc-Timeout";

    /// <summary>The media type of a failure in words.</summary>
    public const string Problem = "application/problem+json";

    // HTTP's own affairs: neither end sees them among a call's headers.
    private static readonly FrozenSet<string> s_own = FrozenSet.ToFrozenSet(
        [
            Status, Fault, Message, Timeout, "Host", "Connection", "Keep-Alive", "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Content-Type",
            "Content-Length", "Content-Encoding", "Accept", "Accept-Encoding", "Expect", "Date", "Server", "User-Agent", "Alt-Svc",
        ],
        StringComparer.OrdinalIgnoreCase);

    /// <summary>Whether a header may be a call's.</summary>
    public static bool IsCalls(string name) => !s_own.Contains(name) && RpcHeaders.IsName(name);

    /// <summary>Refuses what is no address of HTTP.</summary>
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

    /// <summary>What a status means that did not come from an endpoint of ours: from a proxy, or from what stands before the endpoint.</summary>
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
