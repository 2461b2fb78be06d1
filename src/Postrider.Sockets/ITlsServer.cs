using System.Net.Security;

namespace Postrider.Sockets;

/// <summary>The decisions of a server about one connection that may be upgraded to TLS.</summary>
public interface ITlsServer
{
    /// <summary>Whether the client may go on without TLS. Read at the client's first byte, and when it sent none in time.</summary>
    bool AllowsPlain { get; }

    /// <summary>Called when the client begins a handshake. On the reading thread; must not block.</summary>
    /// <returns>The options of the handshake; null to refuse it: the implementer has closed the connection then.</returns>
    SslServerAuthenticationOptions? BeginHandshake();

    /// <summary>Called once after the handshake, before the first byte is received.</summary>
    /// <remarks>On a thread that does handshakes; must be short. Closing the connection here refuses the client.</remarks>
    void Secured();

    /// <summary>Called once when the client goes on without TLS, before its first byte is received.</summary>
    void StaysPlain();
}
