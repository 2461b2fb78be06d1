using Postrider.Sockets;

namespace Postrider.Broker.Sessions;

/// <summary>The reference's words for the ends of sessions.</summary>
/// <remarks>Source: nats-server, connz field "reason".</remarks>
internal static class SessionEndText
{
    /// <summary>The words of an end.</summary>
    public static string ToText(this SessionEnd end) => end switch
    {
        SessionEnd.ClientClosed => "Client Closed",
        SessionEnd.AuthenticationTimeout => "Authentication Timeout",
        SessionEnd.AuthenticationViolation => "Authentication Failure",
        SessionEnd.SlowConsumerPendingBytes => "Slow Consumer (Pending Bytes)",
        SessionEnd.SlowConsumerWriteDeadline => "Slow Consumer (Write Deadline)",
        SessionEnd.WriteError => "Write Error",
        SessionEnd.ReadError => "Read Error",
        SessionEnd.ParseError => "Parse Error",
        SessionEnd.StaleConnection => "Stale Connection",
        SessionEnd.ProtocolViolation => "Protocol Violation",
        SessionEnd.BadClientProtocolVersion => "Bad Client Protocol Version",
        SessionEnd.MaxConnectionsExceeded => "Maximum Connections Exceeded",
        SessionEnd.MaxPayloadExceeded => "Maximum Message Payload Exceeded",
        SessionEnd.MaxControlLineExceeded => "Maximum Control Line Exceeded",
        SessionEnd.ServerShutdown => "Server Shutdown",
        SessionEnd.NoRespondersRequiresHeaders => "No Responders Requires Headers",
        SessionEnd.Kicked => "Kicked",
        _ => "Unknown State",
    };

    /// <summary>The end that a connection's own end means.</summary>
    public static SessionEnd ToSessionEnd(this CloseReason reason) => reason switch
    {
        CloseReason.ByPeer => SessionEnd.ClientClosed,
        CloseReason.ByUs => SessionEnd.ServerShutdown,
        CloseReason.WriteError => SessionEnd.WriteError,
        CloseReason.PendingBytesExceeded => SessionEnd.SlowConsumerPendingBytes,
        CloseReason.WriteDeadlineExceeded => SessionEnd.SlowConsumerWriteDeadline,
        CloseReason.ReceiverFault => SessionEnd.ProtocolViolation,
        _ => SessionEnd.ReadError,
    };
}
