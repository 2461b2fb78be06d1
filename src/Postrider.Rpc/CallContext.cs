using System.Security.Claims;

namespace Postrider.Rpc;

/// <summary>What goes beside the message of one call: a parameter of this type in a contract's method, filled by either side.</summary>
/// <remarks>The caller gives headers and a time; the implementation reads them and may answer with headers of its own. One
/// call's: make another for the next. Not thread-safe.</remarks>
public sealed class CallContext
{
    private RpcHeaders? _headers;
    private RpcHeaders? _responseHeaders;
    private RpcHeaders? _responseTrailers;

    /// <summary>The caller's headers.</summary>
    public RpcHeaders Headers => _headers ??= [];

    /// <summary>The implementation's headers, seen by the caller when the call has ended.</summary>
    public RpcHeaders ResponseHeaders => _responseHeaders ??= [];

    /// <summary>Headers of the implementation's that are known when the operation has ended: gRPC sends them after its messages. Other transports
    /// send them with <see cref="ResponseHeaders"/>, where every caller finds them.</summary>
    public RpcHeaders ResponseTrailers => _responseTrailers ??= [];

    /// <summary>How long the call may take, counted from its start at the caller and from its arrival at the server; null for the channel's own
    /// limit, <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> (or more than 24 days) for none. At 0 or less it is over before it begins: nothing is sent.</summary>
    public TimeSpan? Timeout { get; set; }

    /// <summary>At the server: where the call came from, in the transport's words; null at the caller.</summary>
    public string? Peer { get; init; }

    /// <summary>At the server: who calls, where the transport knows it (HTTP by ASP.NET Core's authentication); null otherwise.</summary>
    public ClaimsPrincipal? User { get; init; }

    /// <summary>The caller's headers, or null when there are none: no list is made.</summary>
    public RpcHeaders? HeadersOrNull => _headers is { Count: > 0 } ? _headers : null;

    /// <summary>The implementation's headers, or null when there are none: no list is made.</summary>
    public RpcHeaders? ResponseHeadersOrNull
    {
        get
        {
            if (_responseTrailers is not { Count: > 0 })
                return InitialHeadersOrNull;
            foreach (var (name, value) in _responseTrailers)
                ResponseHeaders[name] = value;
            _responseTrailers = null;
            return InitialHeadersOrNull;
        }
    }

    /// <summary>Those of <see cref="ResponseHeaders"/> alone, for a transport that sends the others apart.</summary>
    internal RpcHeaders? InitialHeadersOrNull => _responseHeaders is { Count: > 0 } ? _responseHeaders : null;

    /// <summary>The same call once more, with what is left of its time.</summary>
    /// <param name="timeout">What is left, or null.</param>
    /// <param name="hasOwnAnswer">Another attempt is under way: the headers of the answer are kept apart.</param>
    internal CallContext Again(TimeSpan? timeout, bool hasOwnAnswer)
        => new() { Timeout = timeout, _headers = _headers, _responseHeaders = hasOwnAnswer ? null : ResponseHeaders };
}
