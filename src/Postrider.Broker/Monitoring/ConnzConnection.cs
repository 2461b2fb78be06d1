using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>One connection on <c>/connz</c>.</summary>
public sealed record ConnzConnection
{
    /// <summary>The broker's id of the connection.</summary>
    [JsonPropertyName("cid")] public required ulong Id { get; init; }

    /// <summary>Kind of connection: <c>Client</c> or <c>Leafnode</c>.</summary>
    [JsonPropertyName("kind")] public required string Kind { get; init; }

    /// <summary>Protocol of a client's connection; absent for a leaf node.</summary>
    [JsonPropertyName("type")] public string? Type { get; init; }

    /// <summary>Remote address.</summary>
    [JsonPropertyName("ip")] public required string RemoteAddress { get; init; }

    /// <summary>Remote port.</summary>
    [JsonPropertyName("port")] public required int RemotePort { get; init; }

    /// <summary>When it was accepted.</summary>
    [JsonPropertyName("start")] public required DateTime Start { get; init; }

    /// <summary>When it was last used.</summary>
    [JsonPropertyName("last_activity")] public required DateTime LastActivity { get; init; }

    /// <summary>When it ended; absent while it is open.</summary>
    [JsonPropertyName("stop")] public DateTime? Stop { get; init; }

    /// <summary>Why it ended; absent while it is open.</summary>
    [JsonPropertyName("reason")] public string? Reason { get; init; }

    /// <summary>Round trip, as <c>1.5ms</c>.</summary>
    [JsonPropertyName("rtt")] public string? RoundTrip { get; init; }

    /// <summary>Time since the start, as <c>1d2h3m4s</c>.</summary>
    [JsonPropertyName("uptime")] public required string Uptime { get; init; }

    /// <summary>Time since the last use.</summary>
    [JsonPropertyName("idle")] public required string Idle { get; init; }

    /// <summary>Bytes waiting to be sent.</summary>
    [JsonPropertyName("pending_bytes")] public required long PendingBytes { get; init; }

    /// <summary>Messages received from it.</summary>
    [JsonPropertyName("in_msgs")] public required long InMessages { get; init; }

    /// <summary>Messages sent to it.</summary>
    [JsonPropertyName("out_msgs")] public required long OutMessages { get; init; }

    /// <summary>Bytes received in messages.</summary>
    [JsonPropertyName("in_bytes")] public required long InBytes { get; init; }

    /// <summary>Bytes sent in messages.</summary>
    [JsonPropertyName("out_bytes")] public required long OutBytes { get; init; }

    /// <summary>Times the connection was slowed down; absent if never.</summary>
    [JsonPropertyName("stalls"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public long Stalls { get; init; }

    /// <summary>Number of subscriptions.</summary>
    [JsonPropertyName("subscriptions")] public required int SubscriptionCount { get; init; }

    /// <summary>The name sent by the client.</summary>
    [JsonPropertyName("name")] public string? Name { get; init; }

    /// <summary>The language sent by the client.</summary>
    [JsonPropertyName("lang")] public string? Language { get; init; }

    /// <summary>The version sent by the client.</summary>
    [JsonPropertyName("version")] public string? Version { get; init; }

    /// <summary>Version of TLS; absent without TLS.</summary>
    [JsonPropertyName("tls_version")] public string? TlsVersion { get; init; }

    /// <summary>The cipher suite; absent without TLS.</summary>
    [JsonPropertyName("tls_cipher_suite")] public string? TlsCipherSuite { get; init; }

    /// <summary>The client's certificate; only when requested.</summary>
    [JsonPropertyName("tls_peer_certs")] public IReadOnlyList<TlsPeerCertificate>? TlsPeers { get; init; }

    /// <summary>Whether the TLS handshake came before INFO; absent if not.</summary>
    [JsonPropertyName("tls_first"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool TlsFirst { get; init; }

    /// <summary>User; only when requested.</summary>
    [JsonPropertyName("authorized_user")] public string? AuthorizedUser { get; init; }

    /// <summary>Account; only when requested.</summary>
    [JsonPropertyName("account")] public string? Account { get; init; }

    /// <summary>The user's token, except a bearer token; only when requested.</summary>
    [JsonPropertyName("jwt")] public string? Jwt { get; init; }

    /// <summary>The key that signed the user's token, or the account of an nkey user; only when requested.</summary>
    [JsonPropertyName("issuer_key")] public string? IssuerKey { get; init; }

    /// <summary>The tags in the user's token; only when requested.</summary>
    [JsonPropertyName("tags")] public IReadOnlyList<string>? Tags { get; init; }

    /// <summary>Subjects of the subscriptions; only when requested.</summary>
    [JsonPropertyName("subscriptions_list")] public IReadOnlyList<string>? Subjects { get; init; }

    /// <summary>The subscriptions in detail; only when requested.</summary>
    [JsonPropertyName("subscriptions_list_detail")] public IReadOnlyList<SubscriptionDetail>? SubscriptionDetails { get; init; }

    /// <summary>Name of the account; only when requested.</summary>
    [JsonPropertyName("name_tag")] public string? NameTag { get; init; }
}
