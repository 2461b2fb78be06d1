using System.Net.Security;

namespace Postrider.Sockets;

/// <summary>The decisions of a server about one connection that may be upgraded to TLS.</summary>
public interface ITlsServer
{
    /// <summary>Whether the client may continue without TLS. Read at the client's first byte, or when it sent none in time.</summary>
    bool AllowsPlain { get; }

    /// <summary>Called when the client begins a handshake. On the reading thread; must not block.</summary>
    /// <returns>The options of the handshake; null to reject it, after closing the connection.</returns>
    SslServerAuthenticationOptions? BeginHandshake();

    /// <summary>Called once after the handshake, before the first byte is received.</summary>
    /// <remarks>On a thread that computes handshakes; must be short. Closing the connection here rejects the client.</remarks>
    void Secured();

    /// <summary>Called once when the client continues without TLS, before its first byte is received.</summary>
    void StaysPlain();
}
