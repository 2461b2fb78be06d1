using Postrider.Sockets;

namespace Postrider.Broker.Sessions;

/// <summary>nats-server's texts for why sessions end.</summary>
/// <remarks>Source: nats-server, connz field "reason".</remarks>
internal static class ClosedStateText
{
    /// <summary>The text of a state.</summary>
    public static string ToText(this ClosedState end) => end switch
    {
        ClosedState.ClientClosed => "Client Closed",
        ClosedState.AuthenticationTimeout => "Authentication Timeout",
        ClosedState.AuthenticationViolation => "Authentication Failure",
        ClosedState.SlowConsumerPendingBytes => "Slow Consumer (Pending Bytes)",
        ClosedState.SlowConsumerWriteDeadline => "Slow Consumer (Write Deadline)",
        ClosedState.WriteError => "Write Error",
        ClosedState.ReadError => "Read Error",
        ClosedState.ParseError => "Parse Error",
        ClosedState.StaleConnection => "Stale Connection",
        ClosedState.ProtocolViolation => "Protocol Violation",
        ClosedState.BadClientProtocolVersion => "Bad Client Protocol Version",
        ClosedState.MaxConnectionsExceeded => "Maximum Connections Exceeded",
        ClosedState.MaxPayloadExceeded => "Maximum Message Payload Exceeded",
        ClosedState.MaxControlLineExceeded => "Maximum Control Line Exceeded",
        ClosedState.ServerShutdown => "Server Shutdown",
        ClosedState.NoRespondersRequiresHeaders => "No Responders Requires Headers",
        ClosedState.TlsHandshakeError => "TLS Handshake Failure",
        ClosedState.MaxAccountConnectionsExceeded => "Maximum Account Connections Exceeded",
        ClosedState.MaxSubscriptionsExceeded => "Maximum Subscriptions Exceeded",
        ClosedState.Kicked => "Kicked",
        ClosedState.AuthenticationExpired => "Authentication Expired",
        ClosedState.Revoked => "Credentials Revoked",
        ClosedState.RouteRemoved => "Route Removed",
        _ => "Unknown State",
    };

    /// <summary>Whether the connection was closed because it read too slowly.</summary>
    public static bool IsSlowConsumer(this ClosedState end) => end is ClosedState.SlowConsumerPendingBytes or ClosedState.SlowConsumerWriteDeadline;

    /// <summary>The state that follows from a connection's close reason.</summary>
    public static ClosedState ToClosedState(this CloseReason reason) => reason switch
    {
        CloseReason.ByPeer => ClosedState.ClientClosed,
        CloseReason.ByUs => ClosedState.ServerShutdown,
        CloseReason.WriteError => ClosedState.WriteError,
        CloseReason.PendingBytesExceeded => ClosedState.SlowConsumerPendingBytes,
        CloseReason.WriteDeadlineExceeded => ClosedState.SlowConsumerWriteDeadline,
        CloseReason.TlsHandshakeFailed => ClosedState.TlsHandshakeError,
        CloseReason.WebSocketHandshakeFailed => ClosedState.ClientClosed,
        CloseReason.ReceiverFault => ClosedState.ProtocolViolation,
        _ => ClosedState.ReadError,
    };
}
