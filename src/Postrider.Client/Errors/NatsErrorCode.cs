namespace Postrider.Client;

/// <summary>The kinds of errors of the client.</summary>
public enum NatsErrorCode
{
    /// <summary>No server of the pool could be reached.</summary>
    ConnectionFailed,

    /// <summary>The client was closed or disposed.</summary>
    ClientClosed,

    /// <summary>The client is draining and does not accept new subscriptions, publishes or requests.</summary>
    ClientDraining,

    /// <summary>The connection ended while the operation waited for the server.</summary>
    ConnectionLost,

    /// <summary>The server did not complete the handshake in time.</summary>
    HandshakeTimeout,

    /// <summary>The server rejected the credentials, or they expired.</summary>
    AuthorizationFailed,

    /// <summary>The server requires something that this client does not support or was not configured for, or does not offer what the client requires, such as TLS.</summary>
    ServerRequirement,

    /// <summary>The server sent data that violates the protocol.</summary>
    ProtocolViolation,

    /// <summary>The server did not answer several consecutive pings.</summary>
    StaleConnection,

    /// <summary>The user may not publish to, or subscribe to, the subject.</summary>
    PermissionDenied,

    /// <summary>Headers and payload are larger than the server's max_payload.</summary>
    PayloadTooLarge,

    /// <summary>A subject, queue group or header contains characters that the protocol does not allow.</summary>
    InvalidArgument,

    /// <summary>The subject of a request has no responders.</summary>
    NoResponders,

    /// <summary>No reply arrived in time.</summary>
    RequestTimeout,

    /// <summary>There is no serializer for the type.</summary>
    NoSerializer,

    /// <summary>The serializer could not deserialize the payload.</summary>
    PayloadUnreadable,

    /// <summary>The client is not connected and its reconnect buffer is full.</summary>
    ReconnectBufferFull,

    /// <summary>A subscription's handler threw.</summary>
    HandlerFailed,

    /// <summary>A service replied with an error.</summary>
    ServiceError,

    /// <summary>The server sent an error that has no code of its own.</summary>
    ServerError,

    /// <summary>An option has an invalid value.</summary>
    InvalidOption,

    /// <summary>JetStream rejected the request: see <see cref="JetStreamException"/>.</summary>
    JetStreamError,

    /// <summary>No JetStream server is reachable, or JetStream is not enabled for the account.</summary>
    JetStreamUnavailable,

    /// <summary>A consumer was deleted, or is not a pull consumer.</summary>
    ConsumerEnded,

    /// <summary>A key or object does not exist in its bucket.</summary>
    NotFound,

    /// <summary>A key was changed by another client, or already exists.</summary>
    WrongRevision,

    /// <summary>The bytes of an object do not match its digest.</summary>
    DigestMismatch,

    /// <summary>The TLS handshake failed: a certificate was not accepted, or the other side does not use TLS.</summary>
    TlsHandshakeFailed,

    /// <summary>The client has no credentials for the server: <see cref="ClientOptions.Credentials"/> could not provide them, the server asks for an
    /// nkey or a JWT and the client has none, or the client has an nkey and the server does not ask for one.</summary>
    CredentialsUnavailable,
}
