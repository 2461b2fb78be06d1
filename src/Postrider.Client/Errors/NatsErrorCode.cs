namespace Postrider.Client;

/// <summary>What went wrong, for code that decides by it.</summary>
public enum NatsErrorCode
{
    /// <summary>No server of the pool could be reached.</summary>
    ConnectionFailed,

    /// <summary>The client was closed or disposed; nothing can be sent or received any more.</summary>
    ClientClosed,

    /// <summary>The client is draining and takes no new subscriptions, publishes or requests.</summary>
    ClientDraining,

    /// <summary>The connection ended while the operation waited for the server.</summary>
    ConnectionLost,

    /// <summary>The server did not finish the handshake in time.</summary>
    HandshakeTimeout,

    /// <summary>The server refused the credentials, or they expired.</summary>
    AuthorizationFailed,

    /// <summary>The server insists on something this client was not told to offer, such as TLS.</summary>
    ServerRequirement,

    /// <summary>The server sent bytes that are not the protocol.</summary>
    ProtocolViolation,

    /// <summary>The server answered too many pings in a row not at all.</summary>
    StaleConnection,

    /// <summary>The user may not publish to, or subscribe to, the subject.</summary>
    PermissionDenied,

    /// <summary>Headers and payload are larger than the server's max_payload.</summary>
    PayloadTooLarge,

    /// <summary>A subject, queue group or header contains what the protocol does not allow there.</summary>
    InvalidArgument,

    /// <summary>Nobody listens on the subject of a request.</summary>
    NoResponders,

    /// <summary>No reply came in time.</summary>
    RequestTimeout,

    /// <summary>There is no serializer for the type.</summary>
    NoSerializer,

    /// <summary>The serializer could not read the payload.</summary>
    PayloadUnreadable,

    /// <summary>The client is not connected and its reconnect buffer is full.</summary>
    ReconnectBufferFull,

    /// <summary>A subscription's handler threw.</summary>
    HandlerFailed,

    /// <summary>A service answered with an error.</summary>
    ServiceError,

    /// <summary>The server sent an error this client has no other code for.</summary>
    ServerError,

    /// <summary>An option has a value that makes no sense.</summary>
    InvalidOption,

    /// <summary>JetStream refused: <see cref="JetStreamException"/> says why.</summary>
    JetStreamError,

    /// <summary>No server with JetStream can be reached, or the account has none.</summary>
    JetStreamUnavailable,

    /// <summary>A consumer ended: it was deleted, or it cannot be pulled from.</summary>
    ConsumerEnded,

    /// <summary>A bucket's key or object is not there.</summary>
    NotFound,

    /// <summary>A key changed meanwhile, or is there already.</summary>
    WrongRevision,

    /// <summary>An object's bytes are not what their digest says.</summary>
    DigestMismatch,
}
