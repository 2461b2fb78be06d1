using System.Security.Claims;

namespace Postrider.Rpc;

/// <summary>Data of a call besides its message. A contract's method receives it as a parameter of this type; both sides fill
/// it.</summary>
/// <remarks>The caller sets headers and a timeout; the implementation reads them and may add response headers. Use a new instance for
/// each call. Not thread-safe.</remarks>
public sealed class CallContext
{
    private const long NoTimeout = long.MinValue;

    private RpcHeaders? _headers;
    private long _timeoutTicks = NoTimeout;
    private Extras? _extras;

    /// <summary>The request headers.</summary>
    public RpcHeaders Headers => _headers ??= [];

    /// <summary>The response headers. The caller can read them when the call has ended.</summary>
    public RpcHeaders ResponseHeaders => Extra.ResponseHeaders ??= [];

    /// <summary>Response headers that are only known when the operation has ended: a transport that has trailers sends them there, the
    /// others send them with <see cref="ResponseHeaders"/>, where every caller finds them.</summary>
    public RpcHeaders ResponseTrailers => Extra.ResponseTrailers ??= [];

    /// <summary>The timeout of the call, measured from its start at the caller and from its arrival at the server; null for the channel's
    /// timeout, <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> (or more than 24 days) for none. With 0 or less the call fails
    /// without being sent.</summary>
    public TimeSpan? Timeout
    {
        get => _timeoutTicks == NoTimeout ? null : new TimeSpan(_timeoutTicks);
        set => _timeoutTicks = value is { } timeout ? Math.Max(timeout.Ticks, NoTimeout + 1) : NoTimeout;
    }

    /// <summary>On the server: the address of the caller as the transport reports it; null on the client.</summary>
    public string? Peer
    {
        get => _extras?.Peer;
        init
        {
            if (value is not null)
                Extra.Peer = value;
        }
    }

    /// <summary>On the server: the authenticated caller, if the transport provides it (HTTP: ASP.NET Core authentication) or an
    /// interceptor sets it; otherwise null.</summary>
    public ClaimsPrincipal? User
    {
        get => _extras?.User;
        set
        {
            if (value is not null || _extras is not null)
                Extra.User = value;
        }
    }

    /// <summary>What interceptors and the implementation pass to each other within this process; not sent.</summary>
    public IDictionary<object, object?> Items => Extra.Items ??= [];

    /// <summary>On the server: the services of the call's scope where the transport or the host has one (HTTP: those of the request);
    /// otherwise null.</summary>
    public IServiceProvider? Services
    {
        get => _extras?.Services;
        set
        {
            if (value is not null || _extras is not null)
                Extra.Services = value;
        }
    }

    /// <summary>On the server: what lives as long as the connection of the call; null if the transport has no connections.</summary>
    internal ConnectionResources? Connection
    {
        get => _extras?.Connection;
        init => Extra.Connection = value;
    }

    /// <summary>The request headers, or null if there are none. Does not allocate.</summary>
    public RpcHeaders? HeadersOrNull => _headers is { Count: > 0 } ? _headers : null;

    /// <summary>The response headers, or null if there are none. Does not allocate.</summary>
    public RpcHeaders? ResponseHeadersOrNull
    {
        get
        {
            if (_extras?.ResponseTrailers is not { Count: > 0 } trailers)
                return InitialHeadersOrNull;
            foreach (var (name, value) in trailers)
                ResponseHeaders[name] = value;
            _extras.ResponseTrailers = null;
            return InitialHeadersOrNull;
        }
    }

    /// <summary>The headers of <see cref="ResponseHeaders"/> without the trailers, for a transport that sends those separately.</summary>
    internal RpcHeaders? InitialHeadersOrNull => _extras?.ResponseHeaders is { Count: > 0 } headers ? headers : null;

    private Extras Extra => _extras ??= new();

    /// <summary>Copies the context for another attempt with the remaining time.</summary>
    /// <param name="timeout">The remaining time, or null.</param>
    /// <param name="hasOwnAnswer">Whether another attempt is running, so that the response headers must be kept separate.</param>
    internal CallContext Again(TimeSpan? timeout, bool hasOwnAnswer)
        => new()
        {
            Timeout = timeout,
            _headers = _headers,
            _extras = new() { ResponseHeaders = hasOwnAnswer ? null : ResponseHeaders, Items = _extras?.Items },
        };

    // Every intercepted call allocates a context, so members that few calls use are in a separate object.
    private sealed class Extras
    {
        internal RpcHeaders? ResponseHeaders;
        internal RpcHeaders? ResponseTrailers;
        internal Dictionary<object, object?>? Items;
        internal string? Peer;
        internal ClaimsPrincipal? User;
        internal IServiceProvider? Services;
        internal ConnectionResources? Connection;
    }
}
