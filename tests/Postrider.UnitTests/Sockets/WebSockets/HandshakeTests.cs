using System.Text;
using Postrider.Sockets.WebSockets;

namespace Postrider.UnitTests.Sockets.WebSockets;

public sealed class HandshakeTests
{
    [Fact]
    public void Accept_is_the_example_of_the_specification()
        => Assert.Equal("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", HandshakeTerms.AcceptOf("dGhlIHNhbXBsZSBub25jZQ=="));

    [Fact]
    public void Head_is_read_once_it_is_whole()
    {
        var text = Encoding.Latin1.GetBytes("GET /a?b HTTP/1.1\r\nHost: x\r\nCookie: a=1; b=\"two\"\r\nX:\r\n\r\nrest");
        for (var length = 0; length < text.Length - 4; length++) Assert.Equal(0, HttpHead.Read(text.AsSpan(0, length), out _));

        var read = HttpHead.Read(text, out var head);
        var request = WebSocketRequest.Read(head!, isSecure: false);

        Assert.Equal(text.Length - 4, read);
        Assert.Equal(("GET", "/a?b", "x"), (request.Method, request.Target, request.Host));
        Assert.Equal("1", request.FindCookie("a"));
        Assert.Equal("two", request.FindCookie("b"));
        Assert.Null(request.FindCookie("c"));
        Assert.Equal("", request.Find("x"));
    }

    [Theory]
    [InlineData("GET / HTTP/1.1\r\nHost : x\r\n\r\n")]
    [InlineData("GET / HTTP/1.1\r\n Host: x\r\n\r\n")]
    [InlineData("GET / HTTP/1.1\r\nHost\r\n\r\n")]
    [InlineData("GET / HTTP/1.1\r\nHost: x\nEvil: y\r\n\r\n")]
    [InlineData("GET / HTTP/1.1\r\n: x\r\n\r\n")]
    [InlineData("GET /\r\n\r\n")]
    [InlineData("GET / a b HTTP/1.1\r\n\r\n")]
    [InlineData("GET / HTTP/2\r\n\r\n")]
    public void Head_that_others_may_read_differently_is_refused(string text)
        => Assert.Throws<WebSocketProtocolException>(() =>
        {
            HttpHead.Read(Encoding.Latin1.GetBytes(text), out var head);
            WebSocketRequest.Read(head!, isSecure: false);
        });

    [Fact]
    public void Head_has_a_limit()
    {
        var bytes = new byte[HttpHead.MaxBytes];
        bytes.AsSpan().Fill((byte)'a');

        Assert.Equal(0, HttpHead.Read(bytes.AsSpan(1), out _));
        Assert.Throws<WebSocketProtocolException>(() => HttpHead.Read(bytes, out _));
    }

    [Theory]
    [InlineData("HTTP/1.1 403 Forbidden\r\n\r\n", "HTTP status 403 Forbidden")]
    [InlineData("HTTP/1.1 101 Switching Protocols\r\n\r\n", "does not upgrade")]
    [InlineData("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", "belongs to another request")]
    public void Client_says_what_is_wrong_with_an_answer(string answer, string expected)
    {
        var handshake = new ClientHandshake(new WebSocketClientOptions { Host = "x" });
        HttpHead.Read(Encoding.Latin1.GetBytes(answer), out var head);

        var error = Assert.Throws<WebSocketProtocolException>(() => handshake.Accept(head!));

        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Client_refuses_compression_that_it_did_not_offer()
    {
        var handshake = new ClientHandshake(new WebSocketClientOptions { Host = "x", Compression = true });
        var request = Encoding.Latin1.GetString(handshake.Render());
        var key = request.Split("Sec-WebSocket-Key: ")[1].Split("\r\n")[0];
        var answer = $"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {HandshakeTerms.AcceptOf(key)}\r\nSec-WebSocket-Extensions: ";

        Assert.Throws<WebSocketProtocolException>(() => Accept("permessage-deflate"));
        Assert.Throws<WebSocketProtocolException>(() => Accept("other"));
        Assert.True(Accept("permessage-deflate; server_no_context_takeover"));

        bool Accept(string extensions)
        {
            HttpHead.Read(Encoding.Latin1.GetBytes(answer + extensions + "\r\n\r\n"), out var head);
            return handshake.Accept(head!);
        }
    }
}
