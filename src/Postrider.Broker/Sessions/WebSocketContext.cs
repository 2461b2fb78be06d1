using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Sockets.WebSockets;

namespace Postrider.Broker.Sessions;

/// <summary>The state shared by the clients of the WebSocket listener. Immutable; replaced by a reload.</summary>
internal sealed class WebSocketContext
{
    // As in nats-server: a WebSocket message may contain several of the largest messages.
    private const int PayloadsPerMessage = 8;
    private const long MaxMessageLimit = 64 * 1024 * 1024;

    private readonly HashSet<WebSocketOrigin> _origins;

    /// <summary>Reads the options.</summary>
    /// <param name="options">Valid options of the broker with a listener.</param>
    /// <param name="listener">The listener's options.</param>
    /// <param name="tls">Its certificates; null without TLS.</param>
    /// <param name="accounts">The accounts that users belong to.</param>
    public WebSocketContext(BrokerOptions options, WebSocketOptions listener, TlsMaterial? tls, AccountRegistry accounts)
    {
        Options = listener;
        Tls = tls;
        Authenticator = new Authenticator(AuthenticationOf(options, listener), accounts, listener.Tls);
        MaxMessageBytes = Math.Min(MaxMessageLimit, (options.MaxPayloadBytes < 0 ? MaxMessageLimit : Math.Max(1, options.MaxPayloadBytes)) * PayloadsPerMessage);
        AnswerHeaders = listener.Headers.Aggregate(new StringBuilder(), static (lines, pair) => lines.Append(pair.Key).Append(": ").Append(pair.Value).Append("\r\n")).ToString();
        _origins = [.. listener.AllowedOrigins.Select(static text => WebSocketOrigin.TryParse(text, out var origin, out _) ? origin : default)];
    }

    /// <summary>The options.</summary>
    public WebSocketOptions Options { get; }

    /// <summary>The certificates; null without TLS.</summary>
    public TlsMaterial? Tls { get; }

    /// <summary>The authenticator of its clients.</summary>
    public Authenticator Authenticator { get; }

    /// <summary>Maximum size of a compressed message.</summary>
    public long MaxMessageBytes { get; }

    /// <summary>Additional lines of the response that accepts a client.</summary>
    public string AnswerHeaders { get; }

    /// <summary>Checks whether a page may connect.</summary>
    /// <param name="request">The request; one without an origin does not come from a browser.</param>
    /// <returns>The problem, or null.</returns>
    public string? CheckOrigin(WebSocketRequest request)
    {
        if (!Options.SameOrigin && _origins.Count == 0) return null;
        var text = request.Find("Origin") ?? request.Find("Sec-WebSocket-Origin");
        if (string.IsNullOrEmpty(text)) return null;
        if (!WebSocketOrigin.TryParse(text, out var origin, out var problem)) return problem;
        if (Options.SameOrigin && WebSocketOrigin.OfHost(request.IsSecure, request.Host) != origin) return "not same origin";
        return _origins.Count == 0 || _origins.Contains(origin) ? null : "not in the allowed list";
    }

    // As for other clients, except for the listener's own settings.
    private static BrokerOptions AuthenticationOf(BrokerOptions options, WebSocketOptions listener)
    {
        if (!listener.ReplacesAuthorization) return options;
        var authorization = (options.Authorization ?? new AuthorizationOptions()) with
        {
            User = listener.User,
            Password = listener.Password,
            Token = listener.Token,
            NoAuthUser = listener.NoAuthUser,
        };
        return options with { Authorization = authorization };
    }
}
