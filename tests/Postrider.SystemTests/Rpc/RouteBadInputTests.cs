using System.Text;

namespace Postrider.SystemTests.Rpc;

/// <summary>What a stranger may say to paths, queries, headers and files: a status answers, and the next call works.</summary>
public sealed class RouteBadInputTests(BadInputHost host) : IClassFixture<BadInputHost>
{
    private static readonly Dictionary<string, (byte[] Bytes, int[] Statuses)> s_requests = new()
    {
        ["path parameter with a broken escape"] = (Text("GET /api/shelves/%zz/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [200, 400]),
        ["path parameter with half an escape"] = (Text("GET /api/shelves/%2/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [200, 400]),
        ["path parameter with a zero"] = (Text("GET /api/shelves/a%00b/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [400]),
        ["path parameter with bytes that are no UTF-8"] = (Text("GET /api/shelves/%ff%fe/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [200, 400]),
        ["path parameter with an overlong slash"] = (Text("GET /api/shelves/%c0%af/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [200, 400]),
        ["path parameter that climbs"] = (Text("GET /api/shelves/../books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [404]),
        ["path parameter that climbs in escapes"] = (Text("GET /api/shelves/%2e%2e/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [404]),
        ["path parameter that climbs behind a slash in escapes"] = (Text("GET /api/shelves/..%2f..%2fetc/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [200]),
        ["path parameter that climbs in escapes of escapes"] = (Text("GET /api/shelves/%252e%252e/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [200]),
        ["path parameter that is empty"] = (Text("GET /api/shelves//books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [400, 404]),
        ["rest of a path that is empty"] = (Text("GET /api/shelves/a/files/ HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [200]),
        ["rest of a path that climbs"] = (Text("GET /api/shelves/a/files/b/../../../../etc HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [404]),
        ["Guid with a slash in escapes"] = (Text("GET /api/shelves/a/books/0f8fad5b%2Fd9cb HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [400]),
        ["query without a value"] = (Text("GET /api/shelves/a/required?number HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [400]),
        ["query with a broken escape"] = (Text("GET /api/shelves/a/books?most=%zz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [400]),
        ["query with a zero"] = (Text("GET /api/shelves/a/books?most=%00 HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [400]),
        ["query with a number beyond its type"] = (Text("GET /api/shelves/a/books?most=9999999999999999999999 HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [400]),
        ["query with a value twice"] = (Text("GET /api/shelves/a/books?most=1&MOST=2 HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [400]),
        ["query with a key alone"] = (Text("GET /api/shelves/a/books?&&==&=most HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [200]),
        ["query of a time with a lost plus"] = (Text("GET /api/shelves/a/books?since=2026-01-31T12:30:00+01:00 HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [400]),
        ["header that is required twice"] = (Text("GET /api/shelves/a/required?number=1 HTTP/1.1\r\nHost: here\r\nConnection: close\r\nkey: a\r\nkey: b\r\n\r\n"), [400]),
        ["header that is required and empty"] = (Text("GET /api/shelves/a/required?number=1 HTTP/1.1\r\nHost: here\r\nConnection: close\r\nkey: \r\n\r\n"), [200]),
        ["body where none is read"] = (Text("GET /api/shelves/a/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 17\r\n\r\nnobody reads this"), [200]),
        ["body of a media type where none is read"] = (Text("GET /api/shelves/a/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Type: ///\r\n\r\n"), [200]),
        ["no body where one is needed"] = (Text("POST /api/shelves/a/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [400]),
        ["method in small letters"] = (Text("get /api/shelves/a/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [200, 405]),
        ["method that a route does not have"] = (Text("PATCH /api/shelves/a/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [405]),
        ["method that asks for itself"] = (Text("TRACE /api/shelves/a/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [405]),
        ["method of a proxy"] = (Text("CONNECT here:80 HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [400, 404, 405]),
        ["target of a proxy"] = (Text("GET http://elsewhere/api/shelves/a/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [200, 400]),
        ["options of everything"] = (Text("OPTIONS * HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [200, 400, 404, 405]),
        ["ranges by the hundred"] = (Text("GET /api/depot/file?kind=small HTTP/1.1\r\nHost: here\r\nConnection: close\r\nRange: bytes=" + string.Join(",", Enumerable.Repeat("0-0", 500)) + "\r\n\r\n"), [200]),
        ["range beyond the end"] = (Text("GET /api/depot/file?kind=small HTTP/1.1\r\nHost: here\r\nConnection: close\r\nRange: bytes=99-\r\n\r\n"), [416]),
        ["range that is none"] = (Text("GET /api/depot/file?kind=small HTTP/1.1\r\nHost: here\r\nConnection: close\r\nRange: bytes=a-b\r\n\r\n"), [200]),
        ["tag that is none"] = (Text("GET /api/depot/file?kind=small HTTP/1.1\r\nHost: here\r\nConnection: close\r\nIf-None-Match: v1\r\n\r\n"), [200]),
        ["time that is none"] = (Text("GET /api/depot/file?kind=small HTTP/1.1\r\nHost: here\r\nConnection: close\r\nIf-Modified-Since: now\r\n\r\n"), [200]),
        ["query of 20,000 letters"] = (Text($"GET /api/shelves/a/books?title={new string('a', 20_000)} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [414, 400]),
        ["query of 3,000 keys"] = (Text($"GET /api/shelves/a/books?{string.Concat(Enumerable.Repeat("&a", 3000))} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [200]),
        ["query of 1,000 numbers"] = (Text($"GET /api/shelves/a/books?{string.Concat(Enumerable.Repeat("&tag=x", 1000))} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"), [200]),
    };

    public static TheoryData<string> Requests => [.. s_requests.Keys];

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task Strange_request_is_answered_and_the_next_is_served(string name)
    {
        var (bytes, statuses) = s_requests[name];
        using var raw = await RawHttp.OpenAsync(host.Http1);

        await raw.SendAsync(bytes);

        var (answered, text) = await raw.ReadAnswerAsync();
        Assert.True(statuses.Contains(answered), $"{answered}: {text}");
        await AssertAnswersAsync();
    }

    [Fact]
    public async Task Other_method_is_told_which_there_are()
    {
        using var raw = await RawHttp.OpenAsync(host.Http1);

        await raw.SendAsync(Text("PATCH /api/shelves/a/books HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"));

        var (_, text) = await raw.ReadAnswerAsync();
        Assert.Matches("Allow: .*GET.*", text);
    }

    [Fact]
    public async Task Hundred_readers_that_leave_a_file_without_end_leave_nothing_behind()
    {
        for (var i = 0; i < 100; i++)
        {
            var raw = await RawHttp.OpenAsync(host.Http1);
            await raw.SendAsync(Text("GET /api/depot/file?kind=endless HTTP/1.1\r\nHost: here\r\n\r\n"));
            await raw.ReadUntilAsync("\r\n\r\n"u8.ToArray());
            raw.Reset();
        }

        await AssertAnswersAsync();
    }

    private static byte[] Text(string text) => Encoding.UTF8.GetBytes(text);

    private async Task AssertAnswersAsync()
    {
        using var raw = await RawHttp.OpenAsync(host.Http1);
        await raw.SendAsync(Text("GET /api/shelves/a/books?most=3 HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"));
        var (status, text) = await raw.ReadAnswerAsync();
        Assert.True(status == 200, text);
        Assert.Contains("a - - 3", text, StringComparison.Ordinal);
    }
}
