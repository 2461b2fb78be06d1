using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The cluster in <c>/varz</c>; empty without one. Names and their order are nats-server's.</summary>
public sealed record ClusterVarz
{
    /// <summary>The cluster's name.</summary>
    [JsonPropertyName("name"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Name { get; init; }

    /// <summary>The host listened on.</summary>
    [JsonPropertyName("addr"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Host { get; init; }

    /// <summary>The port listened on.</summary>
    [JsonPropertyName("cluster_port"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int Port { get; init; }

    /// <summary>Time to authenticate, in seconds.</summary>
    [JsonPropertyName("auth_timeout"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public double AuthTimeoutSeconds { get; init; }

    /// <summary>The configured servers, <c>host:port</c>.</summary>
    [JsonPropertyName("urls"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public IReadOnlyList<string>? Urls { get; init; }

    /// <summary>Time for a TLS handshake, in seconds.</summary>
    [JsonPropertyName("tls_timeout"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public double TlsTimeoutSeconds { get; init; }

    /// <summary>Whether routes are encrypted.</summary>
    [JsonPropertyName("tls_required"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool TlsRequired { get; init; }

    /// <summary>Whether certificates are verified.</summary>
    [JsonPropertyName("tls_verify"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool TlsVerify { get; init; }

    /// <summary>Number of connections to each server; -1 without a pool.</summary>
    [JsonPropertyName("pool_size"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int PoolSize { get; init; }

    /// <summary>Maximum time of one write, in nanoseconds; absent when it is that of clients.</summary>
    [JsonPropertyName("write_deadline"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public long WriteDeadlineNanoseconds { get; init; }

    /// <summary>What happens when a write takes longer, <c>close</c> or <c>retry</c>; absent unless it is set.</summary>
    [JsonPropertyName("write_timeout"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? WriteTimeout { get; init; }

    /// <summary>When the certificate expires; absent without TLS.</summary>
    [JsonPropertyName("tls_cert_not_after"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public DateTime? TlsCertificateNotAfter { get; init; }
}
