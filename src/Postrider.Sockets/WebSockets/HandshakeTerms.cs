using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using System.Text;

namespace Postrider.Sockets.WebSockets;

/// <summary>The names and computations of both sides of the opening handshake. Source: RFC 6455, 1.3; RFC 7692, 7.</summary>
internal static class HandshakeTerms
{
    /// <summary>The extension that compresses messages.</summary>
    public const string Compression = "permessage-deflate";

    /// <summary>Each message is compressed separately, in both directions: no connection keeps a window.</summary>
    public const string CompressionOffer = Compression + "; server_no_context_takeover; client_no_context_takeover";

    private const string Salt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    /// <summary>The value of <c>Sec-WebSocket-Accept</c>.</summary>
    /// <param name="key">The value of <c>Sec-WebSocket-Key</c>.</param>
    [SuppressMessage("Security", "CA5350", Justification = "The protocol asks for SHA-1; nothing secret depends on it.")]
    public static string AcceptOf(string key) => Convert.ToBase64String(SHA1.HashData(Encoding.Latin1.GetBytes(key + Salt)));
}
