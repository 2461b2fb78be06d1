using System.Text;

namespace Postrider.SystemTests.Rpc;

/// <summary>What a caller must not send over HTTP/1.1: a status says so, nothing of ours falls over, and the next call works.</summary>
public sealed class HttpBadInputTests(BadInputHost host) : IClassFixture<BadInputHost>
{
    private const string Json = "application/json";
    private const string Lines = "application/jsonl";
    private const string Packed = "application/msgpack";
    private const string Xml = "application/xml";
    private const string Id = "4a6c0a1e-7a7b-4d52-9f6a-3f6a0a4d7c11";

    // The bodies of requests that are well formed as HTTP.
    private static readonly Dictionary<string, (string Operation, string Type, byte[] Body, string Extra, int Status, string Holds)> s_bodies = new()
    {
        // JSON
        ["depth bomb of arrays"] = ("Open", Json, Text(new string('[', 100_000)), "", 400, "InvalidData"),
        ["depth bomb of objects"] = ("Open", Json, Text(string.Concat(Enumerable.Repeat("{\"a\":", 50_000))), "", 400, "InvalidData"),
        ["depth bomb in what nobody knows"] = ("Join", Json, Text("{\"first\":\"a\",\"other\":" + new string('[', 100_000) + new string(']', 100_000) + "}"), "", 400, "InvalidData"),
        ["depth bomb in a message's unknown member"] = ("Open", Json, Text("{\"other\":" + new string('[', 100_000) + new string(']', 100_000) + "}"), "", 400, "InvalidData"),
        ["parameter twice"] = ("Join", Json, Text("""{"first":"a","times":1,"first":"b"}"""), "", 400, "'first' occurs twice"),
        ["parameter twice in other case"] = ("Join", Json, Text("""{"first":"a","times":1,"Times":2}"""), "", 400, "'times' occurs twice"),
        ["number beyond its type"] = ("Buy", Json, Text("99999999999"), "", 400, "InvalidData"),
        ["number of a thousand digits"] = ("Buy", Json, Text(new string('9', 1000)), "", 400, "InvalidData"),
        ["fraction"] = ("Buy", Json, Text("1.5"), "", 400, "InvalidData"),
        ["NaN"] = ("Buy", Json, Text("NaN"), "", 400, "InvalidData"),
        ["leading zero"] = ("Buy", Json, Text("01"), "", 400, "InvalidData"),
        ["plus sign"] = ("Buy", Json, Text("+1"), "", 400, "InvalidData"),
        ["hexadecimal"] = ("Buy", Json, Text("0x10"), "", 400, "InvalidData"),
        ["word for a number"] = ("Buy", Json, Text("\"one\""), "", 400, "InvalidData"),
        ["null for a number"] = ("Buy", Json, Text("null"), "", 400, "InvalidData"),
        ["two values"] = ("Buy", Json, Text("1 2"), "", 400, "InvalidData"),
        ["two objects"] = ("Join", Json, Text("""{"first":"a","times":1}{"first":"a","times":1}"""), "", 400, "InvalidData"),
        ["comma at the end"] = ("Join", Json, Text("""{"first":"a","times":1,}"""), "", 400, "InvalidData"),
        ["comment"] = ("Buy", Json, Text("/* one */ 1"), "", 400, "InvalidData"),
        ["single quotes"] = ("Join", Json, Text("{'first':'a','times':1}"), "", 400, "InvalidData"),
        ["name without quotes"] = ("Join", Json, Text("{first:\"a\"}"), "", 400, "InvalidData"),
        ["half a surrogate"] = ("Join", Json, Text("""{"first":"\ud800","times":1}"""), "", 400, "InvalidData"),
        ["half a surrogate in a name"] = ("Join", Json, Text("""{"\udc00":"a","times":1}"""), "", 400, "InvalidData"),
        ["escape that is none"] = ("Join", Json, Text("""{"first":"\x41","times":1}"""), "", 400, "InvalidData"),
        ["escape that is cut"] = ("Join", Json, Text("{\"first\":\"\\u00"), "", 400, "InvalidData"),
        ["control character"] = ("Join", Json, Text("{\"first\":\"\u0001\",\"times\":1}"), "", 400, "InvalidData"),
        ["bytes that are no UTF-8"] = ("Join", Json, [.. Text("{\"first\":\""), 0xC3, 0x28, .. Text("\",\"times\":1}")], "", 400, "InvalidData"),
        ["overlong UTF-8"] = ("Join", Json, [.. Text("{\"first\":\""), 0xC0, 0x80, .. Text("\",\"times\":1}")], "", 400, "InvalidData"),
        ["UTF-16"] = ("Join", Json, Encoding.Unicode.GetBytes("""{"first":"a","times":1}"""), "", 400, "InvalidData"),
        ["nothing"] = ("Open", Json, [], "", 400, "InvalidData"),
        ["white space"] = ("Open", Json, Text(" \r\n\t "), "", 400, "InvalidData"),
        ["object that is cut"] = ("Open", Json, Text("{\"Id\":\"" + Id), "", 400, "InvalidData"),
        ["array for an object"] = ("Open", Json, Text("[]"), "", 400, "InvalidData"),
        ["Guid that is none"] = ("Open", Json, Text("""{"Id":"4a6c","Subject":"a","Tags":[]}"""), "", 400, "InvalidData"),
        ["text for a list"] = ("Open", Json, Text($$"""{"Id":"{{Id}}","Subject":"a","Tags":"b"}"""), "", 400, "InvalidData"),
        ["object for a text"] = ("Open", Json, Text($$"""{"Id":"{{Id}}","Subject":{},"Tags":[]}"""), "", 400, "InvalidData"),
        ["type name"] = ("Open", Json, Text("""{"$type":"System.Diagnostics.Process, System","Id":1}"""), "", 400, "InvalidData"),
        ["Base64 that is none"] = ("Echo", Json, Text("\"a*b=\""), "", 400, "InvalidData"),
        ["Base64 that is cut"] = ("Echo", Json, Text("\"YWI\""), "", 400, "InvalidData"),
        ["XML as JSON"] = ("Open", Json, Text("<Ticket/>"), "", 400, "InvalidData"),

        // Headers
        ["media type that is none"] = ("Buy", "///", Text("1"), "", 415, ""),
        ["media type nobody reads"] = ("Buy", "application/x-www-form-urlencoded", Text("count=1"), "", 415, ""),
        ["coding nobody reads"] = ("Buy", Json, Text("1"), "Content-Encoding: gzip\r\n", 415, "Accept-Encoding: identity"),
        ["two codings"] = ("Buy", Json, Text("1"), "Content-Encoding: identity, br\r\n", 415, "Accept-Encoding: identity"),
        ["answer nobody writes"] = ("Buy", Json, Text("1"), "Accept: image/png\r\n", 406, ""),
        ["quality that is none"] = ("Buy", Json, Text("1"), "Accept: application/json;q=much\r\n", 406, ""),
        ["time that is no number"] = ("Wait", Json, [], "Rpc-Timeout: soon\r\n", 400, "Rpc-Timeout is 'soon'"),
        ["time that is negative"] = ("Wait", Json, [], "Rpc-Timeout: -1\r\n", 400, "Rpc-Timeout is '-1'"),
        ["time beyond every number"] = ("Wait", Json, [], "Rpc-Timeout: 99999999999999999999\r\n", 400, "whole number of milliseconds"),
        ["two times"] = ("Wait", Json, [], "Rpc-Timeout: 1\r\nRpc-Timeout: 2\r\n", 400, "Rpc-Timeout is '1,2'"),
        ["time of a stream that is no number"] = ("CountTo", Json, Text("3"), "Rpc-Timeout: 1s\r\n", 400, "Rpc-Timeout is '1s'"),
        ["no time at all"] = ("Wait", Json, [], "Rpc-Timeout: 0\r\n", 504, "DeadlineExceeded"),

        // MessagePack
        ["no message in MessagePack"] = ("Open", Packed, [], "", 400, "InvalidData"),
        ["byte that MessagePack never uses"] = ("Open", Packed, [0xC1], "", 400, "InvalidData"),
        ["array of four billion"] = ("Open", Packed, [0xDD, 0xFF, 0xFF, 0xFF, 0xFF], "", 400, "InvalidData"),
        ["map of four billion"] = ("Open", Packed, [0xDF, 0xFF, 0xFF, 0xFF, 0xFF], "", 400, "InvalidData"),
        ["bytes of four billion"] = ("Echo", Packed, [0xC6, 0xFF, 0xFF, 0xFF, 0xFF], "", 400, "InvalidData"),
        ["text of four billion"] = ("Join", Packed, [0x93, 0xDB, 0xFF, 0xFF, 0xFF, 0xFF], "", 400, "InvalidData"),
        ["extension of four billion"] = ("Open", Packed, [0xC9, 0xFF, 0xFF, 0xFF, 0xFF, 1], "", 400, "InvalidData"),
        ["a hundred thousand arrays in each other"] = ("Open", Packed, [.. Enumerable.Repeat((byte)0x91, 100_000)], "", 400, "InvalidData"),
        ["Guid of three bytes"] = ("Open", Packed, [0x93, 0xA3, 1, 2, 3, 0xA1, 97, 0x90], "", 400, "InvalidData"),
        ["bytes after the message"] = ("Buy", Packed, [1, 2], "", 400, "InvalidData"),
        ["JSON as MessagePack"] = ("Buy", Packed, Text("{\"a\":1}"), "", 400, "InvalidData"),

        // XML
        ["document type"] = ("Open", Xml, Text("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>"), "", 400, "Document type"),
        ["entity that was never defined"] = ("Open", Xml, Text("<Ticket><Subject>&lol;</Subject></Ticket>"), "", 400, "InvalidData"),
        ["a hundred thousand elements in each other"] = ("Open", Xml, Text(string.Concat(Enumerable.Repeat("<a>", 100_000))), "", 400, "InvalidData"),
        ["a thousand attributes"] = ("Open", Xml, Text($"<a{string.Concat(Enumerable.Range(0, 1000).Select(static i => $" a{i}=''"))}/>"), "", 400, "InvalidData"),
        ["element that is not closed"] = ("Open", Xml, Text("<Ticket><Subject>"), "", 400, "InvalidData"),
        ["other root"] = ("Open", Xml, Text("<other/>"), "", 400, "InvalidData"),
        ["XML that is no UTF-8"] = ("Open", Xml, [.. Text("<a>"), 0xFF, 0xFE, .. Text("</a>")], "", 400, "InvalidData"),

        // Streams
        ["item that cannot be read"] = ("Sum", Lines, Text("\"a\"\n1\n{}\n"), "", 400, "InvalidData"),
        ["item beyond its type"] = ("Sum", Lines, Text("\"a\"\n1\n99999999999\n"), "", 400, "InvalidData"),
        ["failure that is none"] = ("Sum", Lines, Text("\"a\"\n!nothing\n"), "", 500, "Internal"),
        ["lines for a single message"] = ("Buy", Lines, Text("1\n"), "", 415, ""),
        ["depth bomb among items"] = ("Sum", Lines, Text("\"a\"\n" + new string('[', 100_000) + "\n"), "", 400, "InvalidData"),
        ["record of four billion bytes"] = ("Sum", "application/vnd.postrider.items+msgpack", [0, 0xFF, 0xFF, 0xFF, 0xFF, 1], "", 400, "ended in the middle of an item"),
        ["record of a kind that is none"] = ("Sum", "application/vnd.postrider.items+msgpack", [9, 1, 0, 0, 0, 1], "", 400, "InvalidData"),
        ["record that is cut"] = ("Sum", "application/vnd.postrider.items+msgpack", [0, 2, 0, 0, 0, 0xA1, 0x61, 0, 9, 0, 0, 0], "", 400, "InvalidData"),
    };

    // Bytes that are no good request. After those whose answer waits for more the sender says that nothing more will come: the server
    // may answer or just close (0).
    private static readonly Dictionary<string, (byte[] Bytes, int[] Statuses)> s_requests = new()
    {
        ["noise"] = ([0, 1, 2, 3, 0xFF, 0xFE, 13, 10, 13, 10], [400]),
        ["words"] = (Text("hello, is there anybody?\r\n\r\n"), [400]),
        ["TLS"] = ([0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3], [400, 0]),
        ["the socket's greeting"] = (RawPeer.Hello(), [400, 0]),
        ["HTTP/0.9"] = (Text("GET /\r\n\r\n"), [400]),
        ["HTTP/3.7"] = (Text("POST /api/desk/Count HTTP/3.7\r\nHost: here\r\n\r\n"), [505]),
        ["no host"] = (Text("POST /api/desk/Count HTTP/1.1\r\nContent-Length: 0\r\n\r\n"), [400]),
        ["two hosts"] = (Text("POST /api/desk/Count HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 0\r\n\r\n"), [400]),
        ["verb nobody knows"] = (Text("BREW /api/desk/Count HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [405]),
        ["verb of a reader"] = (Text("GET /api/desk/Count HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [405]),
        ["verb that deletes"] = (Text("DELETE /api/desk/Count HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [405]),
        ["operation that is not there"] = (RawHttp.Post("/api/desk/Nowhere", Json, []), [404]),
        ["service that is not there"] = (RawHttp.Post("/api/nowhere/Count", Json, []), [404]),
        ["path that climbs"] = (RawHttp.Post("/api/desk/../../../etc/passwd", Json, []), [404]),
        ["path with a zero"] = (RawHttp.Post("/api/desk/Count%00", Json, []), [400, 404]),
        ["path with broken escapes"] = (RawHttp.Post("/api/desk/%zz%", Json, []), [400, 404]),
        ["path of 20,000 letters"] = (RawHttp.Post("/api/desk/" + new string('a', 20_000), Json, []), [414, 400]),
        ["length that is negative"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nContent-Length: -1\r\n\r\n1"), [400]),
        ["length that is no number"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nContent-Length: one\r\n\r\n1"), [400]),
        ["length beyond every number"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nContent-Length: 99999999999999999999\r\n\r\n1"), [400]),
        ["two lengths"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n1"), [400]),
        ["length beyond the limit"] = (Text($"POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: {17 * 1024 * 1024}\r\n\r\n1"), [413]),
        ["length beyond Kestrel's limit"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 3000000000\r\n\r\n1"), [413]),
        ["no length"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n1"), [400]),
        ["chunks that are none"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n1\r\n0\r\n\r\n"), [400]),
        ["chunk of negative size"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n1\r\n0\r\n\r\n"), [400]),
        ["chunk beyond every size"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n1"), [400]),
        ["chunk longer than it says"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n123\r\n0\r\n\r\n"), [400]),
        ["coding of transfer nobody knows"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nConnection: close\r\nTransfer-Encoding: squeezed\r\n\r\n1"), [400, 501]),
        ["chunked and more"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nConnection: close\r\nTransfer-Encoding: chunked, gzip\r\n\r\n1"), [400, 501]),
        ["body that ends too soon"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n1"), [400, 0]),
        ["chunk that ends too soon"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: here\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n1"), [400, 0]),
        ["head that ends too soon"] = (Text("POST /api/desk/Buy HTTP/1.1\r\nHost: he"), [400, 0]),
        ["stream that ends too soon"] = (Text("POST /api/desk/Sum HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Type: application/jsonl\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n\"a\"\n\r\n2\r\n1\n"), [400, 0]),
        ["header without a colon"] = (Text("POST /api/desk/Count HTTP/1.1\r\nHost: here\r\nnothing\r\n\r\n"), [400]),
        ["header with a space in its name"] = (Text("POST /api/desk/Count HTTP/1.1\r\nHost: here\r\na b: c\r\n\r\n"), [400]),
        ["header with a zero"] = (Text("POST /api/desk/Count HTTP/1.1\r\nHost: here\r\na: b\0c\r\n\r\n"), [400]),
        ["header that is folded"] = (Text("POST /api/desk/Count HTTP/1.1\r\nHost: here\r\na: b\r\n c\r\n\r\n"), [400]),
        ["header of 64 KiB"] = (Text($"POST /api/desk/Count HTTP/1.1\r\nHost: here\r\na: {new string('b', 65536)}\r\n\r\n"), [431]),
        ["a thousand headers"] = (Text($"POST /api/desk/Count HTTP/1.1\r\nHost: here\r\n{string.Concat(Enumerable.Range(0, 1000).Select(static i => $"a{i}: b\r\n"))}\r\n"), [431]),
        ["WebSocket without a key"] = (Text("GET /rpc HTTP/1.1\r\nHost: here\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n"), [400, 426]),
        ["WebSocket of another version"] = (Text("GET /rpc HTTP/1.1\r\nHost: here\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 7\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"), [400, 426]),
        ["WebSocket with a key that is none"] = (Text("GET /rpc HTTP/1.1\r\nHost: here\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n\r\n"), [400, 426]),
        ["WebSocket of a subprotocol nobody speaks"] = (Text("GET /rpc HTTP/1.1\r\nHost: here\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: chat\r\n\r\n"), [400]),
        ["WebSocket by a post"] = (RawHttp.Post("/rpc", Json, []), [405]),
        ["SOAP that ends too soon"] = (Text("POST /desk.svc HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Type: text/xml\r\nContent-Length: 500\r\n\r\n<s:Envelope"), [400, 500, 0]),
        ["SOAP beyond the limit"] = (Text($"POST /desk.svc HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Type: text/xml\r\nContent-Length: {17 * 1024 * 1024}\r\n\r\n<a"), [413, 500]),
    };

    public static TheoryData<string> Bodies => [.. s_bodies.Keys];

    public static TheoryData<string> Requests => [.. s_requests.Keys];

    [Theory]
    [MemberData(nameof(Bodies))]
    public async Task Body_that_cannot_be_read_is_answered_in_words(string name)
    {
        var (operation, type, body, extra, status, holds) = s_bodies[name];
        using var raw = await RawHttp.OpenAsync(host.Http1);

        await raw.SendAsync(RawHttp.Post($"/api/desk/{operation}", type, body, extra));

        var (answered, text) = await raw.ReadAnswerAsync();
        Assert.True(answered == status, $"{answered}: {text}");
        Assert.Contains(holds, text, StringComparison.Ordinal);
        await AssertAnswersAsync();
    }

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task Request_that_is_none_is_refused_and_the_next_is_served(string name)
    {
        var (bytes, statuses) = s_requests[name];
        using var raw = await RawHttp.OpenAsync(host.Http1);

        await raw.SendAsync(bytes);
        if (statuses.Contains(0))
            raw.Finish();

        var (answered, text) = await raw.ReadAnswerAsync();
        Assert.True(statuses.Contains(answered), $"{answered}: {text}");
        await AssertAnswersAsync();
    }

    [Fact]
    public async Task Request_that_comes_byte_by_byte_is_served()
    {
        using var raw = await RawHttp.OpenAsync(host.Http1);

        foreach (var one in RawHttp.Post("/api/desk/Join", Json, Text("""{"first":"a","times":3}""")))
            await raw.SendAsync([one]);

        var (status, text) = await raw.ReadAnswerAsync();
        Assert.Equal(200, status);
        Assert.EndsWith("\"aaa\"", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Hundred_uploads_that_are_reset_in_the_middle_leave_nothing_behind()
    {
        for (var i = 0; i < 100; i++)
        {
            var raw = await RawHttp.OpenAsync(host.Http1);
            await raw.SendAsync(Text("POST /api/desk/Sum HTTP/1.1\r\nHost: here\r\nContent-Type: application/jsonl\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n\"a\"\n\r\n2\r\n1\n\r\n"));
            raw.Reset();
        }

        await AssertAnswersAsync();
    }

    [Fact]
    public async Task Hundred_readers_that_leave_a_stream_without_end_leave_nothing_behind()
    {
        for (var i = 0; i < 100; i++)
        {
            var raw = await RawHttp.OpenAsync(host.Http1);
            await raw.SendAsync(RawHttp.Post("/api/desk/Tick", Json, []));
            await raw.ReadUntilAsync("\r\n\r\n"u8.ToArray());
            raw.Reset();
        }

        await AssertAnswersAsync();
    }

    private static byte[] Text(string text) => Encoding.UTF8.GetBytes(text);

    private async Task AssertAnswersAsync()
    {
        using var raw = await RawHttp.OpenAsync(host.Http1);
        await raw.SendAsync(RawHttp.Post("/api/desk/Join", Json, Text("""{"first":"a","times":2,"separator":"-"}""")));
        var (status, text) = await raw.ReadAnswerAsync();
        Assert.Equal(200, status);
        Assert.EndsWith("\"a-a\"", text, StringComparison.Ordinal);
    }
}
