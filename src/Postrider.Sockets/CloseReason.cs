namespace Postrider.Sockets;

/// <summary>The reason why a connection was closed, as far as the socket layer knows.</summary>
public enum CloseReason
{
    /// <summary>The other side closed it.</summary>
    ByPeer,

    /// <summary>This side closed it.</summary>
    ByUs,

    /// <summary>Reading failed.</summary>
    ReadError,

    /// <summary>Writing failed.</summary>
    WriteError,

    /// <summary>The receiver threw an exception: a defect on this side.</summary>
    ReceiverFault,

    /// <summary>The bytes waiting for the other side exceeded <see cref="Outbox.MaxPendingBytes"/>.</summary>
    PendingBytesExceeded,

    /// <summary>The other side received nothing for longer than <see cref="Outbox.WriteDeadline"/>.</summary>
    WriteDeadlineExceeded,

    /// <summary>The TLS handshake failed or took too long.</summary>
    TlsHandshakeFailed,

    /// <summary>The WebSocket handshake failed or took too long.</summary>
    WebSocketHandshakeFailed,
}
