using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The WebSocket listener in <c>/varz</c>. Names and units are nats-server's; unset values are absent.</summary>
public sealed record WebSocketVarz
{
    /// <summary>Address listened on.</summary>
    [JsonPropertyName("host"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Host { get; init; }

    /// <summary>Port listened on.</summary>
    [JsonPropertyName("port"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int Port { get; init; }

    /// <summary>Address that clients are told to use.</summary>
    [JsonPropertyName("advertise"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Advertise { get; init; }

    /// <summary>User of clients without credentials.</summary>
    [JsonPropertyName("no_auth_user"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? NoAuthUser { get; init; }

    /// <summary>Name of the cookie with the user's JWT.</summary>
    [JsonPropertyName("jwt_cookie"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? JwtCookie { get; init; }

    /// <summary>Time for the HTTP handshake, in nanoseconds.</summary>
    [JsonPropertyName("handshake_timeout"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public long HandshakeTimeoutNanoseconds { get; init; }

    /// <summary>Time to authenticate, in seconds.</summary>
    [JsonPropertyName("auth_timeout"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public double AuthTimeoutSeconds { get; init; }

    /// <summary>Whether the listener has no TLS.</summary>
    [JsonPropertyName("no_tls"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool NoTls { get; init; }

    /// <summary>Whether clients' certificates are mapped to users.</summary>
    [JsonPropertyName("tls_map"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool TlsMap { get; init; }

    /// <summary>The pinned certificates.</summary>
    [JsonPropertyName("tls_pinned_certs"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public IReadOnlyList<string>? TlsPinnedCertificates { get; init; }

    /// <summary>Whether only pages of the listener's own host may connect.</summary>
    [JsonPropertyName("same_origin"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool SameOrigin { get; init; }

    /// <summary>The origins whose pages may connect.</summary>
    [JsonPropertyName("allowed_origins"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public IReadOnlyList<string>? AllowedOrigins { get; init; }

    /// <summary>Whether messages are compressed.</summary>
    [JsonPropertyName("compression"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool Compression { get; init; }

    /// <summary>When the certificate expires.</summary>
    [JsonPropertyName("tls_cert_not_after"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public DateTime? TlsCertificateNotAfter { get; init; }
}
