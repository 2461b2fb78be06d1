using System.Security.Cryptography.X509Certificates;

namespace Postrider.InteropTests.Attacks;

/// <summary>One attempt on a port with TLS.</summary>
/// <param name="Server">The server of <see cref="TlsAttackServers"/> that it is tried on.</param>
internal sealed record TlsAttack(string Server)
{
    /// <summary>What the client sends in place of a handshake; null for one that begins a real one.</summary>
    public byte[]? Bytes { get; init; }

    /// <summary>Whether the client ends its side behind the bytes.</summary>
    public bool EndsItsSide { get; init; }

    /// <summary>The certificate of a real handshake; null for none.</summary>
    public Func<TlsAttackServers, X509Certificate2>? Certificate { get; init; }

    /// <summary>Whether the real handshake uses TLS 1.2 although both could do better.</summary>
    public bool IsTls12 { get; init; }
}
