using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>Leaf nodes in <c>/varz</c>. Names and units are nats-server's; unset values are absent.</summary>
public sealed record LeafVarz
{
    /// <summary>Address listened on.</summary>
    [JsonPropertyName("host"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Host { get; init; }

    /// <summary>Port listened on.</summary>
    [JsonPropertyName("port"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int Port { get; init; }

    /// <summary>Time to authenticate, in seconds.</summary>
    [JsonPropertyName("auth_timeout"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public double AuthTimeoutSeconds { get; init; }

    /// <summary>Time for a TLS handshake, in seconds.</summary>
    [JsonPropertyName("tls_timeout"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public double TlsTimeoutSeconds { get; init; }

    /// <summary>Whether connections must be encrypted.</summary>
    [JsonPropertyName("tls_required"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool TlsRequired { get; init; }

    /// <summary>Whether a certificate is required.</summary>
    [JsonPropertyName("tls_verify"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool TlsVerify { get; init; }

    /// <summary>The servers that the broker connects to.</summary>
    [JsonPropertyName("remotes"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public IReadOnlyList<LeafRemoteVarz>? Remotes { get; init; }

    /// <summary>Maximum time of one write in nanoseconds; absent unless it is set.</summary>
    [JsonPropertyName("write_deadline"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public long WriteDeadlineNanoseconds { get; init; }

    /// <summary>What happens when a write takes longer, <c>close</c> or <c>retry</c>; absent unless it is set.</summary>
    [JsonPropertyName("write_timeout"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? WriteTimeout { get; init; }

    /// <summary>When the certificate expires.</summary>
    [JsonPropertyName("tls_cert_not_after"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public DateTime? TlsCertificateNotAfter { get; init; }
}
