using System.Security.Cryptography;
using System.Text;

namespace Postrider.Sockets.WebSockets;

/// <summary>A client's side of the opening handshake. Source: RFC 6455, 4.1; RFC 7692, 7.1.</summary>
/// <param name="options">The client's options.</param>
internal sealed class ClientHandshake(WebSocketClientOptions options)
{
    private readonly string _key = Convert.ToBase64String(RandomNumberGenerator.GetBytes(16));

    /// <summary>Writes the request.</summary>
    public byte[] Render()
    {
        var request = new StringBuilder("GET ").Append(options.Target).Append(" HTTP/1.1\r\nHost: ").Append(options.Host)
            .Append("\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ").Append(_key).Append("\r\nSec-WebSocket-Version: 13\r\n");
        if (options.Compression) request.Append("Sec-WebSocket-Extensions: ").Append(HandshakeTerms.CompressionOffer).Append("\r\n");
        if (options.NoMasking) request.Append(ServerHandshake.NoMasking).Append(": true\r\n");
        foreach (var (name, value) in options.Headers) request.Append(name).Append(": ").Append(value).Append("\r\n");
        return Encoding.Latin1.GetBytes(request.Append("\r\n").ToString());
    }

    /// <summary>Checks the first bytes of the response: a server of another protocol may never send the end of a head.</summary>
    /// <exception cref="WebSocketProtocolException">The bytes are not HTTP.</exception>
    public static void CheckStart(ReadOnlySpan<byte> input)
    {
        var start = "HTTP/1."u8;
        if (!input[..Math.Min(input.Length, start.Length)].SequenceEqual(start[..Math.Min(input.Length, start.Length)]))
            throw new WebSocketProtocolException("The server's response is not HTTP: is there a WebSocket listener on this port?");
    }

    /// <summary>Whether the server accepts unmasked frames, if they were requested.</summary>
    /// <param name="answer">The head of an accepting response.</param>
    public bool AcceptsNoMasking(HttpHead answer) => options.NoMasking && answer.First(ServerHandshake.NoMasking) == "true";

    /// <summary>Checks the response.</summary>
    /// <param name="answer">The head of the response.</param>
    /// <returns>Whether messages are compressed.</returns>
    /// <exception cref="WebSocketProtocolException">The server does not accept, or its response violates the protocol.</exception>
    public bool Accept(HttpHead answer)
    {
        var parts = answer.StartLine.Split(' ', 3);
        if (parts.Length < 2 || parts[1] != "101")
            throw new WebSocketProtocolException($"The server rejected the WebSocket with HTTP status {answer.StartLine[parts[0].Length..].Trim()}.");
        if (!answer.HasToken("Upgrade", "websocket") || !answer.HasToken("Connection", "Upgrade"))
            throw new WebSocketProtocolException("The server's response does not upgrade to a WebSocket.");
        if (answer.First("Sec-WebSocket-Accept") != HandshakeTerms.AcceptOf(_key))
            throw new WebSocketProtocolException("The server's response belongs to another request: Sec-WebSocket-Accept is wrong.");
        return AcceptExtensions(answer);
    }

    private bool AcceptExtensions(HttpHead answer)
    {
        var extensions = answer.All("Sec-WebSocket-Extensions").SelectMany(static value => value.Split(',')).Select(static part => part.Trim()).ToList();
        if (extensions.Count == 0) return false;
        var terms = extensions[0].Split(';').Select(static term => term.Trim()).ToList();
        if (!options.Compression || extensions.Count > 1 || !terms[0].Equals(HandshakeTerms.Compression, StringComparison.OrdinalIgnoreCase))
            throw new WebSocketProtocolException($"The server chose extensions that were not offered: {string.Join(", ", extensions)}.");
        return terms.Contains("server_no_context_takeover", StringComparer.OrdinalIgnoreCase)
            ? true
            : throw new WebSocketProtocolException("The server compresses messages that depend on earlier ones, which was not offered.");
    }
}
