using System.Text;

namespace Postrider.Sockets.WebSockets;

/// <summary>A server's side of the opening handshake. Source: RFC 6455, 4.2; RFC 7692, 7.1; the reasons are nats-server's.</summary>
internal static class ServerHandshake
{
    /// <summary>The header with which a client of NATS requests not to mask what it sends; <c>true</c> is the only value.</summary>
    public const string NoMasking = "Nats-No-Masking";

    private const int KeyBytes = 16;

    /// <summary>Checks the requirements for every WebSocket request.</summary>
    /// <returns>Null when the request is valid.</returns>
    public static WebSocketRefusal? Check(WebSocketRequest request)
    {
        if (request.Method != "GET") return new WebSocketRefusal(405, "request method must be GET");
        if (request.Host.Length == 0) return new WebSocketRefusal(400, "'Host' missing in request");
        if (!request.HasToken("Upgrade", "websocket")) return new WebSocketRefusal(400, "invalid value for header 'Upgrade'");
        if (!request.HasToken("Connection", "Upgrade")) return new WebSocketRefusal(400, "invalid value for header 'Connection'");
        var key = request.Find("Sec-WebSocket-Key");
        if (string.IsNullOrEmpty(key)) return new WebSocketRefusal(400, "key missing");
        Span<byte> decoded = stackalloc byte[KeyBytes + 1];
        if (!Convert.TryFromBase64String(key, decoded, out var length) || length != KeyBytes) return new WebSocketRefusal(400, "invalid websocket key");
        return request.HasToken("Sec-WebSocket-Version", "13") ? null : new WebSocketRefusal(400, "invalid version");
    }

    /// <summary>Whether the client offers to compress messages.</summary>
    public static bool OffersCompression(WebSocketRequest request)
        => request.All("Sec-WebSocket-Extensions")
            .SelectMany(static value => value.Split(','))
            .Any(static extension => extension.Split(';')[0].Trim().Equals(HandshakeTerms.Compression, StringComparison.OrdinalIgnoreCase));

    /// <summary>Writes the accepting response.</summary>
    /// <param name="request">The request.</param>
    /// <param name="compresses">Whether messages are compressed.</param>
    /// <param name="isUnmasked">Whether the client does not mask.</param>
    /// <param name="headers">Further lines.</param>
    public static byte[] Accept(WebSocketRequest request, bool compresses, bool isUnmasked, string headers)
    {
        var answer = new StringBuilder("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ")
            .Append(HandshakeTerms.AcceptOf(request.Find("Sec-WebSocket-Key")!)).Append("\r\n");
        if (compresses) answer.Append("Sec-WebSocket-Extensions: ").Append(HandshakeTerms.CompressionOffer).Append("\r\n");
        if (isUnmasked) answer.Append(NoMasking).Append(": true\r\n");
        return Encoding.Latin1.GetBytes(answer.Append(headers).Append("\r\n").ToString());
    }

    /// <summary>Writes the rejecting response.</summary>
    public static byte[] Refuse(int status)
    {
        var text = status switch
        {
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            503 => "Service Unavailable",
            _ => "Error",
        };
        return Encoding.Latin1.GetBytes(
            $"HTTP/1.1 {status} {text}\r\nContent-Type: text/plain; charset=utf-8\r\nSec-Websocket-Version: 13\r\nX-Content-Type-Options: nosniff\r\n"
            + $"Connection: close\r\nContent-Length: {text.Length + 1}\r\n\r\n{text}\n");
    }
}
