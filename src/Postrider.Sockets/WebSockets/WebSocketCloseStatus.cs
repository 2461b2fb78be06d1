namespace Postrider.Sockets.WebSockets;

/// <summary>Why a WebSocket was closed. Source: RFC 6455, 7.4.1.</summary>
public enum WebSocketCloseStatus
{
    /// <summary>The close frame had no status.</summary>
    None = 0,

    /// <summary>The purpose of the connection is fulfilled.</summary>
    NormalClosure = 1000,

    /// <summary>The side that closes goes away.</summary>
    GoingAway = 1001,

    /// <summary>The other side violated the protocol.</summary>
    ProtocolError = 1002,

    /// <summary>The received data does not match its type.</summary>
    InvalidPayloadData = 1007,

    /// <summary>The other side violated a policy.</summary>
    PolicyViolation = 1008,

    /// <summary>A message was too large.</summary>
    MessageTooBig = 1009,

    /// <summary>An unexpected condition on the closing side.</summary>
    InternalServerError = 1011,

    /// <summary>The TLS handshake failed; never sent.</summary>
    TlsHandshake = 1015,
}
