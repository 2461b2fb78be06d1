using System.IO.Compression;
using System.Text;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.WebSockets;

/// <summary>The same bytes to both servers: what they answer and how they close is the same.</summary>
public sealed class WebSocketAnswerTests
{
    private const string Offer = "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_no_context_takeover";

    private const string Key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

    public static TheoryData<string, string, string> Requests => new()
    {
        { "accepted", "", RawWebSocket.Request },
        { "any path", "", RawWebSocket.Request.Replace("GET / ", "GET /some/where?a=b ", StringComparison.Ordinal) },
        { "method", "", RawWebSocket.Request.Replace("GET ", "POST ", StringComparison.Ordinal) },
        { "no upgrade", "", RawWebSocket.Request.Replace("Upgrade: websocket\r\n", "", StringComparison.Ordinal) },
        { "other upgrade", "", RawWebSocket.Request.Replace("websocket\r\n", "h2c\r\n", StringComparison.Ordinal) },
        { "upgrade in a list", "", RawWebSocket.Request.Replace("websocket\r\n", "h2c, WebSocket\r\n", StringComparison.Ordinal) },
        { "no connection", "", RawWebSocket.Request.Replace("Connection: Upgrade\r\n", "", StringComparison.Ordinal) },
        { "keep-alive, upgrade", "", RawWebSocket.Request.Replace("Connection: Upgrade\r\n", "Connection: keep-alive, upgrade\r\n", StringComparison.Ordinal) },
        { "no key", "", RawWebSocket.Request.Replace(Key, "", StringComparison.Ordinal) },
        { "short key", "", RawWebSocket.Request.Replace(Key, "Sec-WebSocket-Key: AAAA\r\n", StringComparison.Ordinal) },
        { "key that is no base64", "", RawWebSocket.Request.Replace(Key, "Sec-WebSocket-Key: !!!!\r\n", StringComparison.Ordinal) },
        { "version 8", "", RawWebSocket.Request.Replace("Version: 13", "Version: 8", StringComparison.Ordinal) },
        { "no version", "", RawWebSocket.Request.Replace("Sec-WebSocket-Version: 13\r\n", "", StringComparison.Ordinal) },
        { "mqtt", "", RawWebSocket.Request.Replace("GET / ", "GET /mqtt ", StringComparison.Ordinal) },
        { "compression not configured", "", With("Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits") },
        { "compression", "compression: true", With("Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits") },
        { "another extension", "compression: true", With("Sec-WebSocket-Extensions: x-webkit-deflate-frame") },
        { "no masking", "", With("Nats-No-Masking: true") },
        { "no masking, said otherwise", "", With("Nats-No-Masking: yes") },
        { "headers of one's own", "headers { X-One: \"first\" }", RawWebSocket.Request },
        { "origin, any", "", With("Origin: https://elsewhere.org") },
        { "same origin", "same_origin: true", With("Origin: http://localhost") },
        { "same origin, port written", "same_origin: true", With("Origin: http://localhost:80") },
        { "same origin, other host", "same_origin: true", With("Origin: http://elsewhere.org") },
        { "same origin, other scheme", "same_origin: true", With("Origin: https://localhost:80") },
        { "same origin, none", "same_origin: true", RawWebSocket.Request },
        { "allowed origin", "allowed_origins: [\"https://here.org\", \"http://there.org:8080\"]", With("Origin: http://there.org:8080") },
        { "allowed origin, capitals", "allowed_origins: [\"https://here.org\"]", With("Origin: https://HERE.org") },
        { "allowed origin, default port", "allowed_origins: [\"https://here.org:443\"]", With("Origin: https://here.org") },
        { "allowed origin, other port", "allowed_origins: [\"https://here.org\"]", With("Origin: https://here.org:8443") },
        { "allowed origin, suffix", "allowed_origins: [\"https://here.org\"]", With("Origin: https://here.org.evil.com") },
        { "allowed origin, null", "allowed_origins: [\"https://here.org\"]", With("Origin: null") },
        { "old name of origin", "allowed_origins: [\"https://here.org\"]", With("Sec-WebSocket-Origin: https://there.org") },
    };

    public static TheoryData<string, string> Frames => new()
    {
        { "connect, ping", Hex(Binary("CONNECT {\"verbose\":true}\r\n"), Binary("PING\r\n"), Close()) },
        { "text frames", Hex(RawWebSocket.Frame(0x81, "CONNECT {\"verbose\":true}\r\n"), Close()) },
        { "operation in pieces", Hex(Binary("CONNECT {\"verb"), Binary("ose\":true}\r"), Binary("\n"), Close()) },
        { "fragments", Hex(RawWebSocket.Frame(0x02, "CONNECT {\"verb"), RawWebSocket.Frame(0x00, "ose\":true}"), RawWebSocket.Frame(0x80, "\r\n"), Close()) },
        { "ping between fragments", Hex(RawWebSocket.Frame(0x02, "CONNECT {\"verb"), RawWebSocket.Frame(0x89, "now"), RawWebSocket.Frame(0x80, "ose\":true}\r\n"), Close()) },
        { "empty frames", Hex(Binary(""), Binary("CONNECT {\"verbose\":true}\r\n"), Binary(""), Close()) },
        { "ping", Hex(RawWebSocket.Frame(0x89, "hello"), Close()) },
        { "pong nobody asked for", Hex(RawWebSocket.Frame(0x8A, "hello"), Close()) },
        { "close without a status", Hex(RawWebSocket.Frame(0x88, "")) },
        { "close with a text", Hex(RawWebSocket.Frame(0x88, "\x03\xE8that is all")) },
        { "close 4000", Hex(RawWebSocket.Frame(0x88, "\x0F\xA0")) },
        { "close with bytes that are no UTF-8", Hex(RawWebSocket.Frame(0x88, "\x03\xE8\xFF\xFE")) },
        { "data behind a close", Hex(Close(), Binary("CONNECT {\"verbose\":true}\r\n")) },
        { "garbage in a frame", Hex(Binary("garbage\r\n")) },
        { "control line too long", Hex(Binary("PUB " + new string('a', 5000))) },
        { "payload too large", Hex(Binary("CONNECT {}\r\nPUB a 2000000\r\n")) },
        { "no responders without headers", Hex(Binary("CONNECT {\"no_responders\":true}\r\n")) },
    };

    public static TheoryData<string, string, string> BrokenFrames => new()
    {
        { "close with one byte", Hex(RawWebSocket.Frame(0x88, "\x03")), "close frame payload cannot be 1 byte" },
        { "close 1005", Hex(RawWebSocket.Frame(0x88, "\x03\xED")), "invalid close status code 1005" },
        { "close 1006", Hex(RawWebSocket.Frame(0x88, "\x03\xEE")), "invalid close status code 1006" },
        { "close 1004", Hex(RawWebSocket.Frame(0x88, "\x03\xEC")), "invalid close status code 1004" },
        { "close 1015", Hex(RawWebSocket.Frame(0x88, "\x03\xF7")), "invalid close status code 1015" },
        { "close 999", Hex(RawWebSocket.Frame(0x88, "\x03\xE7")), "invalid close status code 999" },
        { "close 2000", Hex(RawWebSocket.Frame(0x88, "\x07\xD0")), "invalid close status code 2000" },
        { "close 5000", Hex(RawWebSocket.Frame(0x88, "\x13\x88")), "invalid close status code 5000" },
        { "not masked", "8205" + Convert.ToHexString("PING\r"u8), "mask bit missing" },
        { "RSV1 without compression", Hex(RawWebSocket.Frame(0xC2, "PING\r\n")), "compressed frame received without negotiated permessage-deflate" },
        { "RSV2", Hex(RawWebSocket.Frame(0xA2, "PING\r\n")), "RSV2 and RSV3 must be clear" },
        { "RSV3", Hex(RawWebSocket.Frame(0x92, "PING\r\n")), "RSV2 and RSV3 must be clear" },
        { "unknown opcode 3", Hex(RawWebSocket.Frame(0x83, "PING\r\n")), "unknown opcode 3" },
        { "unknown opcode 11", Hex(RawWebSocket.Frame(0x8B, "PING\r\n")), "unknown opcode 11" },
        { "continuation of nothing", Hex(RawWebSocket.Frame(0x80, "PING\r\n")), "invalid continuation frame" },
        { "new message in a message", Hex(RawWebSocket.Frame(0x02, "PI"), RawWebSocket.Frame(0x82, "NG\r\n")), "new message started before final frame for previous message was received" },
        { "fragmented ping", Hex(RawWebSocket.Frame(0x09, "a")), "control frame does not have final bit set" },
        { "long ping", Hex(RawWebSocket.Frame(0x89, new string('a', 126))), "control frame length bigger than maximum allowed of 125 bytes" },
        { "length of 2^63", "82FF8000000000000000" + "12345678", "invalid 64-bit payload length" },
        { "what came before a fault counts", Hex(Binary("CONNECT {\"verbose\":true}\r\n"), RawWebSocket.Frame(0xA2, "PING\r\n")), "RSV2 and RSV3 must be clear" },
    };

    // To a server that allows compression and has a max_payload of 64 KiB; the last column is what ours says.
    public static TheoryData<string, bool, string, string> CompressedFrames => new()
    {
        { "compressed operation", true, Hex(Deflated(0xC2, "CONNECT {\"verbose\":true}\r\n"), Close()), "[close 1000 ]" },
        { "compressed operation in fragments", true, Hex([.. Halves(0x42, 0x80, "CONNECT {\"verbose\":true}\r\n"), .. Close()]), "[close 1000 ]" },
        { "more than may be decompressed", true, Hex(Deflated(0xC2, Bomb)), "[close 1009 a compressed message is larger than 524288 bytes]" },
        { "more than may be decompressed, in fragments", true, Hex(Halves(0x42, 0x80, Bomb)), "[close 1009 a compressed message is larger than 524288 bytes]" },
        { "compressed bytes without an end", true, Hex(RawWebSocket.Frame(0x42, new string('\xAA', 600_000))), "[close 1009 a compressed message is larger than 524288 bytes]" },
        { "broken deflate data", true, Hex(RawWebSocket.Frame(0xC2, "\xFF\xFF\xFF\xFF\xFF\xFF")), "[close 1007 a compressed message is damaged]" },
        { "not negotiated", false, Hex(Deflated(0xC2, "PING\r\n")), "[close 1002 compressed frame received without negotiated permessage-deflate]" },
        { "compressed ping", true, Hex(RawWebSocket.Frame(0xC9, "now")), "[close 1002 control frame must not be compressed]" },
        { "compressed close", true, Hex(RawWebSocket.Frame(0xC8, "\x03\xE8")), "[close 1002 control frame must not be compressed]" },
        { "compressed continuation", true, Hex([.. Halves(0x42, 0xC0, "CONNECT {}\r\n")]), "[close 1002 invalid continuation frame]" },
        { "compressed and RSV2", true, Hex(Deflated(0xE2, "PING\r\n")), "[close 1002 RSV2 and RSV3 must be clear]" },
    };

    private static string Bomb => "CONNECT {\"verbose\":false}\r\n" + string.Concat(Enumerable.Repeat($"PUB a 60000\r\n{new string('x', 60_000)}\r\n", 100));

    [Theory]
    [MemberData(nameof(CompressedFrames))]
    public async Task Compressed_frames_are_read_or_end_the_connection(string name, bool isNegotiated, string frames, string end)
    {
        var answers = await AskBothAsync("compression: true", "max_payload: 64kb", isNegotiated ? With(Offer) : RawWebSocket.Request, Convert.FromHexString(frames));

        Assert.NotEmpty(name);
        Assert.EndsWith(end, answers[1], StringComparison.Ordinal);
        // nats-server seldom gets to say why it ends a connection.
        Assert.StartsWith(answers[0].Split("[close")[0], answers[1], StringComparison.Ordinal);
        Assert.Equal(answers[0].Contains("+OK", StringComparison.Ordinal), answers[1].Contains("+OK", StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task Request_gets_the_same_answer(string name, string block, string request)
    {
        // Who does not mask says so to a server that believes it.
        byte[] close = request.Contains("No-Masking: true", StringComparison.Ordinal) ? [0x88, 0x02, 0x03, 0xE8] : Close();
        var answers = await AskBothAsync(block, "", request, close);

        Assert.NotEmpty(name);
        Assert.Equal(answers[0], answers[1]);
    }

    [Theory]
    [MemberData(nameof(Frames))]
    public async Task Frames_get_the_same_answer(string name, string frames)
    {
        var answers = await AskBothAsync("", "", RawWebSocket.Request, Convert.FromHexString(frames));

        Assert.NotEmpty(name);
        // Where it ends a connection on its own, nats-server seldom gets to say why.
        Assert.StartsWith(answers[0].Split("[close 10")[0], answers[1], StringComparison.Ordinal);
        if (answers[0].Contains("[close", StringComparison.Ordinal)) Assert.Equal(answers[0], answers[1]);
    }

    [Theory]
    [MemberData(nameof(BrokenFrames))]
    public async Task Broken_frames_end_the_connection(string name, string frames, string text)
    {
        var answers = await AskBothAsync("", "", RawWebSocket.Request, Convert.FromHexString(frames));

        Assert.NotEmpty(name);
        // nats-server writes the same into its log, and seldom gets to say it, or what it answered before.
        var words = $"[close 1002 {text}]";
        Assert.EndsWith(words, answers[1], StringComparison.Ordinal);
        Assert.StartsWith(answers[0].Replace(words, "", StringComparison.Ordinal), answers[1], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "authorization { user: a, password: b }", "CONNECT {\"user\":\"a\",\"pass\":\"b\",\"verbose\":true}\r\n")]
    [InlineData("", "authorization { user: a, password: b }", "CONNECT {\"user\":\"a\",\"pass\":\"c\"}\r\n")]
    [InlineData("", "authorization { user: a, password: b }", "SUB a 1\r\n")]
    [InlineData("authorization { token: \"t\" }", "", "CONNECT {\"auth_token\":\"t\",\"verbose\":true}\r\n")]
    [InlineData("authorization { token: \"t\" }", "", "CONNECT {\"auth_token\":\"u\"}\r\n")]
    [InlineData("authorization { user: a, pass: b }", "authorization { token: \"t\" }", "CONNECT {\"user\":\"a\",\"pass\":\"b\",\"verbose\":true}\r\n")]
    [InlineData("authorization { user: a, pass: b }", "authorization { token: \"t\" }", "CONNECT {\"auth_token\":\"t\"}\r\n")]
    [InlineData("no_auth_user: guest", "authorization { users: [ { user: guest, password: g, permissions: { publish: \"open\" } }, { user: a, password: b } ] }", "CONNECT {\"verbose\":true}\r\nPUB shut 0\r\n\r\nPUB open 0\r\n\r\n")]
    [InlineData("", "authorization { users: [ { user: a, password: b, allowed_connection_types: [ \"STANDARD\" ] } ] }", "CONNECT {\"user\":\"a\",\"pass\":\"b\"}\r\n")]
    [InlineData("", "authorization { users: [ { user: a, password: b, allowed_connection_types: [ \"WEBSOCKET\" ] } ] }", "CONNECT {\"user\":\"a\",\"pass\":\"b\",\"verbose\":true}\r\n")]
    [InlineData("authorization { user: a, pass: b, timeout: 0.2 }", "", "")]
    public async Task Credentials_get_the_same_answer(string block, string more, string operations)
    {
        byte[] frames = operations.Length == 0 ? [] : [.. Binary(operations), .. Close()];

        var answers = await AskBothAsync(block, more, RawWebSocket.Request, frames);

        Assert.Equal(answers[0], answers[1]);
    }

    [Theory]
    [InlineData("user_cookie: u, pass_cookie: p", "authorization { user: a, password: b }", "Cookie: x=1; u=a; p=b", "")]
    [InlineData("user_cookie: u, pass_cookie: p", "authorization { user: a, password: b }", "Cookie: u=a; p=c", "")]
    [InlineData("user_cookie: u, pass_cookie: p", "authorization { user: a, password: b }", "Cookie: u=a; p=c", "\"user\":\"a\",\"pass\":\"b\",")]
    [InlineData("token_cookie: t", "authorization { token: secret }", "Cookie: t=secret", "")]
    [InlineData("token_cookie: t", "authorization { token: secret }", "Cookie: other=secret", "")]
    [InlineData("token_cookie: t", "authorization { token: secret }", "Cookie: t=\"secret\"", "")]
    public async Task Cookies_stand_in_for_what_CONNECT_leaves_out(string block, string more, string cookie, string said)
    {
        var answers = await AskBothAsync(block, more, With(cookie), [.. Binary($"CONNECT {{{said}\"verbose\":true}}\r\n"), .. Close()]);

        Assert.Equal(answers[0], answers[1]);
    }

    private static async Task<List<string>> AskBothAsync(string block, string more, string request, byte[] frames)
    {
        var answers = new List<string>();
        foreach (var kind in (ServerKind[])[ServerKind.Go, ServerKind.Postrider])
        {
            await using var server = await WebSocketServers.StartAsync(kind, block, more);
            answers.Add(await RawWebSocket.ExchangeAsync(server.WebSocketPort(), request, frames));
        }
        return answers;
    }

    private static string With(string header) => RawWebSocket.Request.Insert(RawWebSocket.Request.Length - 2, header + "\r\n");

    private static byte[] Binary(string text) => RawWebSocket.Frame(0x82, text);

    private static byte[] Close() => RawWebSocket.Frame(0x88, "\x03\xE8");

    private static byte[] Deflated(byte first, string text) => RawWebSocket.Frame(first, Deflate(text));

    // A compressed message in two frames.
    private static byte[] Halves(byte first, byte second, string text)
    {
        var deflated = Deflate(text);
        return [.. RawWebSocket.Frame(first, deflated[..(deflated.Length / 2)]), .. RawWebSocket.Frame(second, deflated[(deflated.Length / 2)..])];
    }

    // One character a byte, without the four bytes that end a flush.
    private static string Deflate(string text)
    {
        using var target = new MemoryStream();
        using (var deflate = new DeflateStream(target, CompressionLevel.Optimal, leaveOpen: true))
        {
            deflate.Write(Encoding.Latin1.GetBytes(text));
            deflate.Flush();
            return Encoding.Latin1.GetString(target.ToArray()[..^4]);
        }
    }

    private static string Hex(params byte[][] frames) => string.Concat(frames.Select(Convert.ToHexString));
}
