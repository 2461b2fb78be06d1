using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>The contract over HTTP/1.1 on Kestrel.</summary>
public abstract class HttpTests : StreamContract
{
    private WebApplication _app = null!;

    private protected Uri Address { get; private set; } = null!;

    private protected abstract RpcCodec Codec { get; }

    /// <summary>The server's codecs besides those that it always has.</summary>
    private protected virtual RpcCodec[] More => [];

    private protected override async ValueTask<RpcChannel> StartAsync(RpcService service)
    {
        (_app, Address) = await DeskHost.StartAsync(service, HttpProtocols.Http1, More);
        return new HttpChannel(Address, Codec);
    }

    private protected override async ValueTask StopAsync() => await _app.DisposeAsync();
}

/// <summary>The contract over HTTP/2 on Kestrel.</summary>
public abstract class Http2Tests : DuplexContract
{
    private WebApplication _app = null!;

    private protected abstract RpcCodec Codec { get; }

    /// <summary>The server's codecs besides those that it always has.</summary>
    private protected virtual RpcCodec[] More => [];

    private protected override async ValueTask<RpcChannel> StartAsync(RpcService service)
    {
        (_app, var address) = await DeskHost.StartAsync(service, HttpProtocols.Http2, More);
        return new HttpChannel(address, Codec, new HttpChannelOptions { Version = HttpVersion.Version20 });
    }

    private protected override async ValueTask StopAsync() => await _app.DisposeAsync();
}

public sealed class Http2MessagePackTests : Http2Tests
{
    private protected override RpcCodec Codec => new RpcMessagePackCodec(DeskMessages.Default);
}

public sealed class Http2JsonTests : Http2Tests
{
    private protected override RpcCodec Codec => new RpcJsonCodec(DeskJson.Default);
}

public sealed class HttpMessagePackTests : HttpTests
{
    private protected override RpcCodec Codec => new RpcMessagePackCodec(DeskMessages.Default);

    [Fact]
    public async Task Stream_both_ways_is_refused_with_words()
    {
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await Client.ShoutAsync(AsyncEnumerable.Empty<string>()).ToListAsync());

        Assert.Equal(RpcStatus.Unsupported, failure.Status);
    }

    [Fact]
    public async Task Server_that_is_gone_is_unavailable()
    {
        await StopAsync();

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await Client.CountAsync());

        Assert.Equal(RpcStatus.Unavailable, failure.Status);
    }
}

public sealed class HttpJsonTests : HttpTests
{
    public static TheoryData<string, string?, string?, string, int, string> Requests => new()
    {
        // path, content type, accept, body, status, beginning of the answer's type
        { "Count", null, null, "", 200, "application/json" },
        { "Count", "application/json; charset=utf-8", "*/*", "", 200, "application/json" },
        { "Count", null, "application/msgpack", "", 200, "application/msgpack" },
        { "Count", null, "text/html, application/x-msgpack;q=0.9, application/json;q=0.1", "", 200, "application/msgpack" },
        { "Count", null, "text/html", "", 406, "application/problem+json" },
        { "Count", "text/xml", null, "<a/>", 415, "application/problem+json" },
        { "Join", "application/json", null, """{"times":2,"first":"x"}""", 200, "application/json" },
        { "Join", "application/json", null, """{"times":"many"}""", 400, "application/problem+json" },
        { "Join", "application/json", null, """{"times":2""", 400, "application/problem+json" },
        { "Join", "application/json", null, "[]", 400, "application/problem+json" },
        { "Join", "application/json", null, "", 400, "application/problem+json" },
        { "Join", "application/msgpack", null, "xyz", 400, "application/problem+json" },
        { "Buy", "application/json", null, "101", 422, "application/problem+json" },
        { "Buy", "application/json", "application/msgpack", "101", 422, "application/msgpack" },
        { "Buy", "application/json", null, "0", 500, "application/problem+json" },
        { "Buy", "application/json", null, "-1", 403, "application/problem+json" },
        { "Note", "application/json", null, "\"x\"", 202, "" },
        { "Clear", null, null, "", 204, "" },
        { "CountTo", "application/json", null, "3", 200, "application/jsonl" },
        { "CountTo", "application/json", "application/x-ndjson", "3", 200, "application/jsonl" },
        { "CountTo", "application/json", "text/event-stream", "3", 200, "text/event-stream" },
        { "CountTo", "application/msgpack", "text/event-stream", "\u0003", 200, "text/event-stream" },
        { "CountTo", "application/json", "text/event-stream;q=0.5, application/jsonl", "3", 200, "application/jsonl" },
        { "CountTo", "application/json", "text/html", "3", 406, "application/problem+json" },
        { "CountTo", "text/event-stream", null, "3", 415, "application/problem+json" },
        { "Count", "application/json", "text/event-stream", "", 406, "application/problem+json" },
        { "CountTo", "application/json", "application/msgpack", "3", 200, "application/vnd.postrider.items+msgpack" },
        { "CountTo", "application/json", null, "\"x\"", 400, "application/problem+json" },
        { "CountTo", "application/jsonl", null, "3", 415, "application/problem+json" },
        { "Sell", "application/json", null, "0", 422, "application/problem+json" },
        { "Sum", "application/jsonl", null, "\"twice\"\n1\n2\n3", 200, "application/json" },
        { "Sum", "application/x-ndjson", null, "\"twice\"\n\n1\r\n", 200, "application/json" },
        { "Sum", "application/json", null, "1", 415, "application/problem+json" },
        { "Sum", "application/jsonl", null, "", 400, "application/problem+json" },
        { "Sum", "application/jsonl", null, "\n1\n", 400, "application/problem+json" },
        { "Sum", "application/jsonl", null, "\"\"\nx\n", 400, "application/problem+json" },
        { "Sum", "application/jsonl", null, "\"\"\n!{\"title\":\"Busy\"}\n", 429, "application/problem+json" },
        { "Sum", "application/jsonl", null, "\"\"\n!\n", 500, "application/problem+json" },
        { "Sum", "application/vnd.postrider.items+msgpack", null, "", 400, "application/problem+json" },
        { "Sum", "application/vnd.postrider.items+msgpack", null, "\0\u0001\0\0", 400, "application/problem+json" },
        { "Sum", "application/vnd.postrider.items+msgpack", null, "\0\u0009\0\0\0a", 400, "application/problem+json" },
        { "Sum", "application/vnd.postrider.items+msgpack", null, "\u0007\u0001\0\0\0a", 400, "application/problem+json" },
        { "Shout", "application/jsonl", null, "\n\"a\"\n\"b\"\n", 200, "application/jsonl" },
        { "Nowhere", "application/json", null, "", 404, "application/problem+json" },
    };

    private protected override RpcCodec Codec => new RpcJsonCodec(DeskJson.Default);

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task Request_by_hand_is_answered_as_its_headers_ask(string operation, string? type, string? accept, string body, int status, string answered)
    {
        using var response = await PostAsync(operation, type, accept, Encoding.UTF8.GetBytes(body));

        Assert.Equal((status, answered), ((int)response.StatusCode, response.Content.Headers.ContentType?.MediaType ?? ""));
    }

    [Fact]
    public async Task Fault_is_problem_details_with_the_detail()
    {
        using var response = await PostAsync("Buy", "application/json", null, "101"u8.ToArray());
        var problem = JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement;

        Assert.Equal(
            ("SoldOut", 422, "Only 100 are left.", 100, "tea"),
            (problem.GetProperty("title").GetString(), problem.GetProperty("status").GetInt32(), problem.GetProperty("detail").GetString(),
                problem.GetProperty("fault").GetProperty("left").GetInt32(), problem.GetProperty("fault").GetProperty("item").GetString()));
    }

    [Theory]
    [InlineData("CountTo", "application/json", "3", "1\n2\n3\n")]
    [InlineData("CountTo", "application/json", "13", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n!{\"title\":\"InvalidData\",\"status\":400,\"detail\":\"13 is not counted.\"}\n")]
    [InlineData("Sum", "application/jsonl", "\"twice\"\n1\n2\n3\n", "12")]
    [InlineData("Shout", "application/jsonl", "\n\"a\"\n\"b\"", "\"A\"\n\"B\"\n")]
    public async Task Streams_are_lines(string operation, string type, string body, string answer)
    {
        using var response = await PostAsync(operation, type, null, Encoding.UTF8.GetBytes(body));

        Assert.Equal(answer, await response.Content.ReadAsStringAsync());
    }

    [Theory]
    [InlineData("3", "data: 1\n\ndata: 2\n\ndata: 3\n\nevent: end\ndata:\n\n")]
    [InlineData("0", "event: end\ndata:\n\n")]
    [InlineData("11", "data: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\ndata: 5\n\ndata: 6\n\ndata: 7\n\ndata: 8\n\ndata: 9\n\ndata: 10\n\ndata: 11\n\nevent: end\ndata:\n\n")]
    public async Task Streams_are_events_for_a_page_that_asks_so(string body, string answer)
    {
        using var response = await PostAsync("CountTo", "application/json", "text/event-stream", Encoding.UTF8.GetBytes(body));

        Assert.Equal(answer, await response.Content.ReadAsStringAsync());
        Assert.Equal("no-store", response.Headers.CacheControl?.ToString());
    }

    [Fact]
    public async Task Failure_within_events_is_the_last()
    {
        using var response = await PostAsync("CountTo", "application/json", "text/event-stream", "13"u8.ToArray());

        Assert.EndsWith("data: 12\n\nevent: failure\ndata: {\"title\":\"InvalidData\",\"status\":400,\"detail\":\"13 is not counted.\"}\n\n", await response.Content.ReadAsStringAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Item_beyond_the_limit_ends_the_stream()
    {
        using var response = await PostAsync("Shout", "application/jsonl", null, [(byte)'\n', .. "\"a\"\n"u8, .. Enumerable.Repeat((byte)' ', 17 * 1024 * 1024)]);

        var lines = (await response.Content.ReadAsStringAsync()).Split('\n');
        Assert.Equal("\"A\"", lines[0]);
        Assert.StartsWith("!{\"title\":\"TooLarge\"", lines[1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Other_verb_is_refused()
    {
        using var http = new HttpClient();

        using var response = await http.GetAsync(new Uri(Address, "/api/desk/Count"));

        Assert.Equal(HttpStatusCode.MethodNotAllowed, response.StatusCode);
    }

    [Fact]
    public async Task Body_beyond_the_limit_is_refused()
    {
        using var response = await PostAsync("Echo", "application/json", null, new byte[17 * 1024 * 1024]);

        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, response.StatusCode);
    }

    private async Task<HttpResponseMessage> PostAsync(string operation, string? type, string? accept, byte[] body)
    {
        using var http = new HttpClient();
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(Address, $"/api/desk/{operation}")) { Content = new ByteArrayContent(body) };
        if (type is not null)
            request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(type);
        if (accept is not null)
            request.Headers.TryAddWithoutValidation("Accept", accept);
        return await http.SendAsync(request);
    }
}
