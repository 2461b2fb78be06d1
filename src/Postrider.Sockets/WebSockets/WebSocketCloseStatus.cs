namespace Postrider.Sockets.WebSockets;

/// <summary>Why a WebSocket was closed. Source: RFC 6455, 7.4.1.</summary>
public enum WebSocketCloseStatus
{
    /// <summary>No status: nothing was said.</summary>
    None = 0,

    /// <summary>What it was opened for is done.</summary>
    NormalClosure = 1000,

    /// <summary>The side that closes goes away.</summary>
    GoingAway = 1001,

    /// <summary>The other side broke the protocol.</summary>
    ProtocolError = 1002,

    /// <summary>What was received is not what it is said to be.</summary>
    InvalidPayloadData = 1007,

    /// <summary>The other side may not do what it did.</summary>
    PolicyViolation = 1008,

    /// <summary>A message was too large.</summary>
    MessageTooBig = 1009,

    /// <summary>An unexpected condition on the side that closes.</summary>
    InternalServerError = 1011,

    /// <summary>The TLS handshake failed; never sent.</summary>
    TlsHandshake = 1015,
}
