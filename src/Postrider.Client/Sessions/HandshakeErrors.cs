using Postrider.Sockets;

namespace Postrider.Client.Sessions;

/// <summary>Errors of handshakes, with the option to set.</summary>
internal static class HandshakeErrors
{
    /// <summary>The server does not offer the TLS that the client requires.</summary>
    public static NatsClientException WithoutTls(ServerAddress server)
        => new(NatsErrorCode.ServerRequirement, $"The server {server.HostAndPort} does not offer TLS, which {(server.RequiresTls ? "its address" : "ClientOptions.Tls")} requires.");

    /// <summary>The error of the lower-level handshake that ended a connection; null if there was none.</summary>
    public static NatsClientException? FromEnd(ServerAddress server, CloseReason reason, Exception? error) => reason switch
    {
        CloseReason.TlsHandshakeFailed => TlsFailed(server, error),
        CloseReason.WebSocketHandshakeFailed => WebSocketFailed(server, error),
        _ => null,
    };

    /// <summary>The connection ended for the given reason.</summary>
    public static NatsClientException Lost(ServerAddress server, CloseReason reason, Exception? error)
        => new(NatsErrorCode.ConnectionLost, $"The connection to {server.HostAndPort} ended: {reason}.", error);

    private static NatsClientException TlsFailed(ServerAddress server, Exception? error)
        => new(NatsErrorCode.TlsHandshakeFailed, $"The TLS handshake with {server.HostAndPort} failed: {Describe(error)}", error);

    private static NatsClientException WebSocketFailed(ServerAddress server, Exception? error)
        => new(
            error is TimeoutException ? NatsErrorCode.HandshakeTimeout : NatsErrorCode.ConnectionFailed,
            $"The WebSocket handshake with {server.HostAndPort} failed: {Describe(error)}",
            error);

    /// <summary>The server ended the connection when the client had completed the TLS handshake.</summary>
    public static NatsClientException EndedAfterTls(ServerAddress server, TlsOptions? options, Exception? error)
    {
        var hint = options is { CertFile: not null } or { Certificate: not null }
            ? "It may not accept the certificate in ClientOptions.Tls."
            : "It may require a certificate: set ClientOptions.Tls.";
        return new NatsClientException(NatsErrorCode.TlsHandshakeFailed, $"{server.HostAndPort} ended the connection right after the TLS handshake. {hint}", error);
    }

    /// <summary>The server required a signature and rejected a client without credentials.</summary>
    public static NatsClientException WithoutCredentials(ServerAddress server, string text)
        => new(NatsErrorCode.CredentialsUnavailable, $"The server {server.HostAndPort} asks for credentials such as an nkey or a JWT, and the client has none: set ClientOptions.Credentials. It reported: {text}");

    private static string Describe(Exception? error)
    {
        if (error is null) return "the server closed the connection.";
        return error.InnerException is { } inner ? $"{error.Message} {inner.Message}" : error.Message;
    }
}
