using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Postrider.Sockets;

namespace Postrider.Client.Sessions;

/// <summary>Errors of handshakes, with the option to set.</summary>
internal static class HandshakeErrors
{
    /// <summary>The server does not offer the TLS that the client requires.</summary>
    public static NatsClientException WithoutTls(ServerAddress server, ClientOptions options)
        => new(NatsErrorCode.ServerRequirement, $"The server {server.HostAndPort} does not offer TLS, which {(server.RequiresTls ? "its address" : options.NameOf(nameof(ClientOptions.Tls)))} requires.");

    /// <summary>The error of the lower-level handshake that ended a connection; null if there was none.</summary>
    public static NatsClientException? FromEnd(ServerAddress server, ClientOptions options, CloseReason reason, Exception? error) => reason switch
    {
        CloseReason.TlsHandshakeFailed => TlsFailed(server, options, error),
        CloseReason.WebSocketHandshakeFailed => WebSocketFailed(server, error),
        _ => null,
    };

    /// <summary>The connection ended for the given reason.</summary>
    public static NatsClientException Lost(ServerAddress server, CloseReason reason, Exception? error)
        => new(NatsErrorCode.ConnectionLost, LostText(server.HostAndPort, reason, error), error);

    private static string LostText(string server, CloseReason reason, Exception? error) => reason switch
    {
        CloseReason.ByPeer => $"The server {server} closed the connection.",
        CloseReason.ByUs => $"The client closed its connection to {server}.",
        CloseReason.ReadError => $"Reading from {server} failed{Because(error)}.",
        CloseReason.WriteError => $"Writing to {server} failed{Because(error)}.",
        CloseReason.PendingBytesExceeded => $"The connection to {server} was closed: more bytes waited to be sent than are allowed.",
        CloseReason.WriteDeadlineExceeded => $"The connection to {server} was closed: the server received nothing for too long.",
        _ => $"The connection to {server} failed{Because(error)}.",
    };

    private static string Because(Exception? error) => error is null ? "" : $": {error.Message.TrimEnd('.')}";

    private static NatsClientException TlsFailed(ServerAddress server, ClientOptions options, Exception? error)
        => new(NatsErrorCode.TlsHandshakeFailed, $"The TLS handshake with {server.HostAndPort} failed: {Describe(error).TrimEnd('.')}. {TlsHint(options, error)}", error);

    // .NET reports the problem of a certificate only as text; the names in it are those of the enumerations in every language.
    private static string TlsHint(ClientOptions options, Exception? error)
    {
        if (error is not AuthenticationException { Message: { } text })
            return "Check that the server offers TLS at this address.";
        if (text.Contains(nameof(X509ChainStatusFlags.PartialChain), StringComparison.Ordinal) || text.Contains(nameof(X509ChainStatusFlags.UntrustedRoot), StringComparison.Ordinal))
        {
            return options.Tls is { CaFile: { Length: > 0 } file }
                ? $"No authority in {file} has issued the server's certificate: set {options.NameOf("Tls.CaFile")} to the file of the one that has."
                : $"This machine does not know the authority that has issued the server's certificate: set {options.NameOf("Tls.CaFile")} to the file of the authority.";
        }

        return text.Contains("RemoteCertificateNameMismatch", StringComparison.Ordinal)
            ? $"Use an address in {options.NameOf(nameof(ClientOptions.Servers))} for which the certificate was issued{(options.NameOf("Tls.ServerName") is { Length: > 0 } name ? $", or set {name} to a name in the certificate" : "")}."
            : $"Check the server's certificate and {options.NameOf(nameof(ClientOptions.Tls))}.";
    }

    private static NatsClientException WebSocketFailed(ServerAddress server, Exception? error)
        => new(
            error is TimeoutException ? NatsErrorCode.HandshakeTimeout : NatsErrorCode.ConnectionFailed,
            $"The WebSocket handshake with {server.HostAndPort} failed: {Describe(error)}",
            error);

    /// <summary>The server ended the connection when the client had completed the TLS handshake.</summary>
    public static NatsClientException EndedAfterTls(ServerAddress server, ClientOptions options, Exception? error)
    {
        var hint = options.Tls switch
        {
            { Certificate: not null } => $"It may not accept the certificate in {options.NameOf("Tls.Certificate")}.",
            { CertFile: not null } => $"It may not accept the certificate in {options.NameOf("Tls.CertFile")}.",
            _ => $"It may require a certificate: set {options.NameOf("Tls.CertFile")} and {options.NameOf("Tls.KeyFile")}.",
        };
        return new NatsClientException(NatsErrorCode.TlsHandshakeFailed, $"{server.HostAndPort} ended the connection right after the TLS handshake. {hint}", error);
    }

    /// <summary>The server required a signature and rejected a client without credentials.</summary>
    public static NatsClientException WithoutCredentials(ServerAddress server, ClientOptions options, string text)
        => new(NatsErrorCode.CredentialsUnavailable, $"The server {server.HostAndPort} asks for credentials such as an nkey or a JWT, and the client has none: set {options.NameOf(nameof(ClientOptions.Credentials))}. It reported: {text}");

    private static string Describe(Exception? error)
    {
        if (error is null) return "the server closed the connection.";
        return error.InnerException is { } inner ? $"{error.Message} {inner.Message}" : error.Message;
    }
}
