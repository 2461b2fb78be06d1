namespace Postrider.Broker.Monitoring;

/// <summary>One connection as monitoring shows it.</summary>
public sealed record ConnectionInfo
{
    /// <summary>The broker's id of the connection.</summary>
    public required ulong Id { get; init; }

    /// <summary>Kind of connection: <c>Client</c> or <c>Leafnode</c>.</summary>
    public string Kind { get; init; } = "Client";

    /// <summary>Protocol of a client's connection: <c>nats</c> or <c>websocket</c>; empty for a leaf node.</summary>
    public string Type { get; init; } = "nats";

    /// <summary>Remote address; empty for a connection in the same process.</summary>
    public string RemoteAddress { get; init; } = "";

    /// <summary>Remote port; zero for a connection in the same process.</summary>
    public int RemotePort { get; init; }

    /// <summary>When the connection was accepted.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>When the connection last sent or received a message or changed a subscription.</summary>
    public required DateTimeOffset LastActivityAt { get; init; }

    /// <summary>When the connection ended; null while it is open.</summary>
    public DateTimeOffset? StoppedAt { get; init; }

    /// <summary>Why the connection ended, in nats-server's words such as <c>Client Closed</c>; null while it is open.</summary>
    public string? CloseReason { get; init; }

    /// <summary>Last measured time from PING to PONG; zero when none was measured.</summary>
    public TimeSpan RoundTrip { get; init; }

    /// <summary>Bytes waiting to be sent.</summary>
    public long PendingBytes { get; init; }

    /// <summary>Messages received from the connection.</summary>
    public long InMessages { get; init; }

    /// <summary>Payload and header bytes received from the connection.</summary>
    public long InBytes { get; init; }

    /// <summary>Messages sent to the connection.</summary>
    public long OutMessages { get; init; }

    /// <summary>Payload and header bytes sent to the connection.</summary>
    public long OutBytes { get; init; }

    /// <summary>Times the connection was slowed down for a subscriber that fell behind.</summary>
    public long Stalls { get; init; }

    /// <summary>Subscriptions of the connection.</summary>
    public int SubscriptionCount { get; init; }

    /// <summary>The name sent by the client; of a leaf node, its server's name.</summary>
    public string? Name { get; init; }

    /// <summary>The language sent by the client.</summary>
    public string? Language { get; init; }

    /// <summary>The version sent by the client.</summary>
    public string? Version { get; init; }

    /// <summary>User the client authenticated as; null without authentication.</summary>
    public string? User { get; init; }

    /// <summary>Account of the connection.</summary>
    public string Account { get; init; } = "$G";

    /// <summary>The account's name in its token, otherwise its own.</summary>
    internal string? AccountTag { get; init; }

    /// <summary>The user's token; null without one, and for one that is enough to connect.</summary>
    internal string? Jwt { get; init; }

    /// <summary>The key that signed the token, or the account of a user with a key; null for others.</summary>
    internal string? IssuerKey { get; init; }

    /// <summary>The tags in the user's token; null or empty for none.</summary>
    internal IReadOnlyList<string>? Tags { get; init; }

    /// <summary>Version of TLS, such as <c>1.3</c>; null without TLS.</summary>
    public string? TlsVersion { get; init; }

    /// <summary>The cipher suite's registered name; null without TLS.</summary>
    public string? TlsCipherSuite { get; init; }

    /// <summary>The client's certificate; null when it presented none.</summary>
    public TlsPeerCertificate? TlsPeer { get; init; }

    /// <summary>Whether the TLS handshake came before INFO.</summary>
    public bool TlsFirst { get; init; }

    /// <summary>The subscriptions; null when they were not requested.</summary>
    public IReadOnlyList<SubscriptionState>? Subscriptions { get; init; }
}
