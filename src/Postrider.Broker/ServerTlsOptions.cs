using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace Postrider.Broker;

/// <summary>TLS for client connections: the server's certificate and the requirements for clients.</summary>
/// <remarks>Files are in PEM format and are read when the broker starts and at every reload, so that a renewed certificate is used for new
/// connections while open ones stay.</remarks>
public sealed record ServerTlsOptions
{
    /// <summary>File with the server's certificate, followed by the intermediate certificates; null when
    /// <see cref="Certificate"/> or <see cref="CertificateFiles"/> is set.</summary>
    public string? CertFile { get; init; }

    /// <summary>File with the certificate's private key, unencrypted.</summary>
    public string? KeyFile { get; init; }

    /// <summary>The server's certificate with its private key, instead of files. It is not disposed.</summary>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>Several certificates instead of one; the client's server name selects one, the first is the default.</summary>
    public IReadOnlyList<CertificateFilePair> CertificateFiles { get; init; } = [];

    /// <summary>File with the authorities of client certificates; null uses <see cref="CaCertificates"/>, or the system's.</summary>
    public string? CaFile { get; init; }

    /// <summary>The authorities of client certificates, instead of a file.</summary>
    public X509Certificate2Collection? CaCertificates { get; init; }

    /// <summary>Whether clients must present a certificate of one of the authorities.</summary>
    public bool Verify { get; init; }

    /// <summary>Whether the client's certificate is also mapped to a user: by an e-mail address, DNS name or URI in it, or by its
    /// subject. Includes <see cref="Verify"/>.</summary>
    public bool VerifyAndMap { get; init; }

    /// <summary>Allowed client certificates, each by the SHA-256 of its public key (SubjectPublicKeyInfo) in 64 hex digits; empty allows all.</summary>
    public IReadOnlyList<string> PinnedCertificates { get; init; } = [];

    /// <summary>The lowest version of TLS: 1.2 or 1.3. Default 1.2.</summary>
    public SslProtocols MinVersion { get; init; } = SslProtocols.Tls12;

    /// <summary>The allowed cipher suites; empty uses the system's. A list makes each handshake slower, and is not available on Windows.</summary>
    public IReadOnlyList<TlsCipherSuite> CipherSuites { get; init; } = [];

    /// <summary>Whether the handshake comes before INFO instead of after it. Only clients that are set up for it can connect then, unless
    /// <see cref="HandshakeFirstFallback"/> is set.</summary>
    public bool HandshakeFirst { get; init; }

    /// <summary>With <see cref="HandshakeFirst"/>: time after which INFO is sent to a client that has not begun the handshake. Zero never sends it.</summary>
    public TimeSpan HandshakeFirstFallback { get; init; }

    /// <summary>Maximum time for the handshake. Default 2 s.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Maximum number of handshakes per second; further clients are rejected. Zero for no limit.</summary>
    public long ConnectionRateLimit { get; init; }

    /// <summary>Whether clients must present a certificate.</summary>
    internal bool RequiresCertificate => Verify || VerifyAndMap;
}
