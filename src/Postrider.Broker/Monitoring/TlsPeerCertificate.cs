using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>A client's certificate as monitoring shows it.</summary>
public sealed record TlsPeerCertificate
{
    /// <summary>The subject, such as <c>CN=joe,O=Example</c>.</summary>
    [JsonPropertyName("subject")] public string? Subject { get; init; }

    /// <summary>SHA-256 of the public key (SubjectPublicKeyInfo) in hex digits: what <c>pinned_certs</c> lists.</summary>
    [JsonPropertyName("spki_sha256")] public string? PublicKeySha256 { get; init; }

    /// <summary>SHA-256 of the certificate in hex digits.</summary>
    [JsonPropertyName("cert_sha256")] public string? CertificateSha256 { get; init; }
}
