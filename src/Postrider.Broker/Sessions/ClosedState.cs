namespace Postrider.Broker.Sessions;

/// <summary>Why a session ended, as monitoring shows it.</summary>
internal enum ClosedState
{
    /// <summary>The client closed the connection.</summary>
    ClientClosed = 1,

    /// <summary>The client did not send CONNECT in time.</summary>
    AuthenticationTimeout,

    /// <summary>Wrong or missing credentials.</summary>
    AuthenticationViolation,

    /// <summary>Too many bytes waited for the client.</summary>
    SlowConsumerPendingBytes,

    /// <summary>The client read nothing for too long.</summary>
    SlowConsumerWriteDeadline,

    /// <summary>Writing failed.</summary>
    WriteError,

    /// <summary>Reading failed.</summary>
    ReadError,

    /// <summary>The client sent an unknown operation.</summary>
    ParseError,

    /// <summary>PINGs went unanswered.</summary>
    StaleConnection,

    /// <summary>The client violated the protocol in another way.</summary>
    ProtocolViolation,

    /// <summary>The client requested an unknown protocol version.</summary>
    BadClientProtocolVersion,

    /// <summary>There are too many connections.</summary>
    MaxConnectionsExceeded,

    /// <summary>A payload was too large.</summary>
    MaxPayloadExceeded,

    /// <summary>An operation's line was too long.</summary>
    MaxControlLineExceeded,

    /// <summary>The broker stopped.</summary>
    ServerShutdown,

    /// <summary>The client requested no-responders without headers.</summary>
    NoRespondersRequiresHeaders,

    /// <summary>The TLS handshake failed.</summary>
    TlsHandshakeError,

    /// <summary>The account has too many connections.</summary>
    MaxAccountConnectionsExceeded,

    /// <summary>The account allows no subscriptions.</summary>
    MaxSubscriptionsExceeded,

    /// <summary>An administrator ended it.</summary>
    Kicked,

    /// <summary>The token of the user or of its account expired.</summary>
    AuthenticationExpired,

    /// <summary>The user was revoked.</summary>
    Revoked,

    /// <summary>The route is no longer configured.</summary>
    RouteRemoved,
}
