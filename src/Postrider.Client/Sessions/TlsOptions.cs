using System.Security.Cryptography.X509Certificates;

namespace Postrider.Client;

/// <summary>How a client uses TLS. Files are in PEM format and are read at each connect, so that renewed ones are used from the next connection on.</summary>
/// <remarks>Setting <see cref="ClientOptions.Tls"/> requires TLS: a server that does not offer it is rejected. Otherwise a client uses TLS with the
/// system's authorities if the server requires TLS or the address begins with <c>tls://</c>.</remarks>
public sealed record TlsOptions
{
    /// <summary>File with the authorities for the server's certificate; null uses <see cref="CaCertificates"/>, or the system's.</summary>
    public string? CaFile { get; init; }

    /// <summary>The authorities that may have issued the server's certificate, instead of a file.</summary>
    public X509Certificate2Collection? CaCertificates { get; init; }

    /// <summary>File with the client's certificate, followed by the intermediate certificates.</summary>
    public string? CertFile { get; init; }

    /// <summary>File with the private key of <see cref="CertFile"/>, unencrypted.</summary>
    public string? KeyFile { get; init; }

    /// <summary>The client's certificate with its private key, instead of files. It is not disposed.</summary>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>The name that the server's certificate must be for; null takes the host of the server's address.</summary>
    public string? ServerName { get; init; }

    /// <summary>Whether the handshake comes before the server's INFO, for servers with <c>handshake_first</c>. Default false.</summary>
    public bool HandshakeFirst { get; init; }

    /// <summary>Whether any certificate of the server is accepted: only for tests, because anyone on the network can then read and change
    /// everything. Default false.</summary>
    public bool Insecure { get; init; }
}
