namespace Postrider.Broker;

/// <summary>The listener for clients that connect over WebSockets, such as those in a browser.</summary>
/// <remarks>Either <see cref="Tls"/> or <see cref="NoTls"/>, which leaves credentials unencrypted, must be set. Source: nats-server, <c>websocket</c>.</remarks>
public sealed record WebSocketOptions
{
    /// <summary>Address listened on. Default <c>127.0.0.1</c>; <c>0.0.0.0</c> opens it to every network.</summary>
    public string Host { get; set; } = "127.0.0.1";

    /// <summary>TCP port, 1 to 65535; <see cref="BrokerOptions.RandomPort"/> takes a free one.</summary>
    public int Port { get; set; } = BrokerOptions.RandomPort;

    /// <summary><c>host</c> or <c>host:port</c> that clients are told to use; null for none.</summary>
    public string? Advertise { get; set; }

    /// <summary>TLS of this listener; null only with <see cref="NoTls"/>.</summary>
    public ServerTlsOptions? Tls { get; set; }

    /// <summary>Whether the listener has no TLS, for tests and behind a proxy that encrypts.</summary>
    public bool NoTls { get; set; }

    /// <summary>Whether a browser's page must come from the host and port that it connects to.</summary>
    public bool SameOrigin { get; set; }

    /// <summary>The origins whose pages may connect, such as <c>https://example.org</c>; empty allows all.</summary>
    public IReadOnlyList<string> AllowedOrigins { get; set; } = [];

    /// <summary>Whether messages are compressed for clients that offer it (permessage-deflate).</summary>
    public bool Compression { get; set; }

    /// <summary>Maximum time of the HTTP handshake. Default 2 s.</summary>
    public TimeSpan HandshakeTimeout { get; set; } = TimeSpan.FromSeconds(2);

    /// <summary>Name of the only user of this listener, instead of the users of other clients; null for none.</summary>
    public string? User { get; set; }

    /// <summary>Password of that user, in clear or as a bcrypt hash.</summary>
    public string? Password { get; set; }

    /// <summary>Token of this listener, in clear or as a bcrypt hash, instead of that of other clients; null for none.</summary>
    public string? Token { get; set; }

    /// <summary>The time in which a client must authenticate; null takes <see cref="BrokerOptions.AuthTimeout"/>.</summary>
    public TimeSpan? AuthTimeout { get; set; }

    /// <summary>Name of the user for clients without credentials, instead of that of other clients; null for none.</summary>
    public string? NoAuthUser { get; set; }

    /// <summary>Name of the cookie with the user's JWT; null for none.</summary>
    public string? JwtCookie { get; set; }

    /// <summary>Name of the cookie with the user's name; null for none.</summary>
    public string? UserCookie { get; set; }

    /// <summary>Name of the cookie with the password; null for none.</summary>
    public string? PasswordCookie { get; set; }

    /// <summary>Name of the cookie with the token; null for none.</summary>
    public string? TokenCookie { get; set; }

    /// <summary>Header fields of the response that accepts a client.</summary>
    public IReadOnlyDictionary<string, string> Headers { get; set; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>The interval of PINGs to idle clients of this listener; null takes <see cref="BrokerOptions.PingInterval"/>.</summary>
    public TimeSpan? PingInterval { get; set; }

    /// <summary>Whether clients of this listener are authenticated differently from others.</summary>
    internal bool ReplacesAuthorization => !string.IsNullOrEmpty(User) || !string.IsNullOrEmpty(Token) || !string.IsNullOrEmpty(NoAuthUser);

    /// <summary>Whether two sets of options differ only in TLS, which a reload applies.</summary>
    internal static bool AreSame(WebSocketOptions? one, WebSocketOptions? other)
    {
        if (one is null || other is null) return one is null && other is null;
        return one.AllowedOrigins.Order(StringComparer.Ordinal).SequenceEqual(other.AllowedOrigins.Order(StringComparer.Ordinal), StringComparer.Ordinal)
            && one.Headers.Count == other.Headers.Count
            && one.Headers.All(pair => other.Headers.TryGetValue(pair.Key, out var value) && value == pair.Value)
            && (one with { Tls = null }).Equals(other with { Tls = null, AllowedOrigins = one.AllowedOrigins, Headers = one.Headers })
            && one.Tls is null == other.Tls is null;
    }
}
