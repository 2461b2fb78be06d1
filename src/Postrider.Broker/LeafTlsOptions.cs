using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace Postrider.Broker;

/// <summary>TLS of a connection that the broker solicits as a leaf node. Files are in PEM format and are read at each connect.</summary>
public sealed record LeafTlsOptions
{
    /// <summary>File with the authorities for the remote's certificate; null uses <see cref="CaCertificates"/>, or the system's.</summary>
    public string? CaFile { get; init; }

    /// <summary>The authorities that may have issued the remote's certificate, instead of a file.</summary>
    public X509Certificate2Collection? CaCertificates { get; init; }

    /// <summary>File with the broker's own certificate for this connection; null presents none.</summary>
    public string? CertFile { get; init; }

    /// <summary>File with the private key of <see cref="CertFile"/>, unencrypted.</summary>
    public string? KeyFile { get; init; }

    /// <summary>Whether any certificate of the remote is accepted: only for tests. Default false.</summary>
    public bool Insecure { get; init; }

    /// <summary>Whether the handshake comes before the remote's INFO. Default false.</summary>
    public bool HandshakeFirst { get; init; }

    /// <summary>The lowest version of TLS: 1.2 or 1.3. Default 1.2.</summary>
    public SslProtocols MinVersion { get; init; } = SslProtocols.Tls12;

    /// <summary>Maximum time for the handshake. Default 2 s.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(2);
}
