using System.Net;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>Paths, queries, headers and bodies: our client, requests by hand and OpenAPI agree.</summary>
public class RouteTests : IAsyncLifetime
{
    private const string Id = "0f8fad5b-d9cb-469f-a165-70867728950e";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly Shelf _shelf = new();
    private readonly HttpClient _http = new() { DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact };
    private WebApplication _app = null!;
    private HttpChannel _channel = null!;
    private ShelfClient _client = null!;

    public static TheoryData<string, string, string?, int, string> Requests => new()
    {
        // method, path, body, status, what the answer holds
        { "GET", $"shelves/a/books/{Id}", null, 200, "\"of a\"" },
        { "GET", $"shelves/a/books/{Id.Replace("-", "", StringComparison.Ordinal)}", null, 200, Id },
        { "GET", "shelves/a%2Fb/books", null, 200, "a/b - - 10" },
        { "GET", "shelves/a%252Fb/books", null, 200, "a%2Fb - - 10" },
        { "GET", "shelves/a%20b%C3%A4/books", null, 200, "a b\u00E4 -" },
        { "GET", "shelves/a/books", null, 200, "a - - 10 [-] [-] - False True" },
        { "GET", "shelves/a/books?title=x+y&colour=green&most=3&tag=p&tag=q&years=1&years=2&since=2026-01-31T12:30:00%2B01:00&lent=true", null, 200, "a x y Green 3 [p|q] [1|2] 2026-01-31 11:30 True" },
        { "GET", "shelves/a/books?TITLE=x&Most=4", null, 200, "a x - 4" },
        { "GET", "shelves/a/books?most=&colour=", null, 200, "a - - 10" },
        { "GET", "shelves/a/books?title=", null, 200, "a  - 10" },
        { "GET", "shelves/a/books?other=1", null, 200, "a - - 10" },
        { "GET", "shelves/a/books?since=2026-01-31", null, 200, "2026-01-31 00:00" },
        { "POST", "shelves/a/books?dry=true", $$"""{"Id":"{{Id}}","Title":"t","Year":1}""", 200, "\"a t True none\"" },
        { "PUT", $"shelves/a/books/{Id}", """{"title":"t","year":5}""", 200, $"a {Id} t 5" },
        { "PATCH", $"shelves/a/books/{Id}/title", "\"t\"", 204, "" },
        { "PATCH", $"shelves/a/books/{Id}/title", "\"\"", 400, "A title has letters." },
        { "DELETE", $"shelves/a/books/{Id}?fine=1.25", null, 200, "125" },
        { "GET", "echo/x-7", null, 200, "x 7" },
        { "GET", "shelves/a/files/b/c.txt", null, 200, "a b/c.txt" },
        { "GET", "shelves/a/files/b%2Fc%20d", null, 200, "a b/c d" },
        { "GET", "shelves/a/count/6?step=2", null, 200, "2\n4\n6\n" },
        { "POST", "shelves/a/notes/k", "\"n\"", 202, "" },
        { "POST", "shelf/Plain", "\"p\"", 200, "p" },
        { "HEAD", "shelves/a/books", null, 200, "" },
        { "GET", "shelves/a/books/7", null, 400, "Path parameter 'id' is '7'; it must be a Guid such as" },
        { "GET", "shelves/a/books?most=many", null, 400, "Query parameter 'most' is 'many'; it must be a whole number from -2147483648 to 2147483647." },
        { "GET", "shelves/a/books?most=1,000", null, 400, "'1,000'" },
        { "GET", "shelves/a/books?most=99999999999", null, 400, "'99999999999'" },
        { "GET", "shelves/a/books?most=1&most=2", null, 400, "Query parameter 'most' occurs 2 times; it must be a whole number" },
        { "GET", "shelves/a/books?colour=blue", null, 400, "Query parameter 'colour' is 'blue'; it must be one of Red, Green." },
        { "GET", "shelves/a/books?colour=7", null, 400, "one of Red, Green" },
        { "GET", "shelves/a/books?years=1&years=x", null, 400, "Query parameter 'years' is 'x'" },
        { "GET", "shelves/a/books?since=yesterday", null, 400, "Query parameter 'since' is 'yesterday'; it must be a time such as" },
        { "GET", "shelves/a/books?lent=ja", null, 400, "true or false" },
        { "GET", "echo/x-y", null, 400, "Path parameter 'second' is 'y'" },
        { "GET", "shelves/a/required", null, 400, "Query parameter 'number' is missing; it must be a whole number" },
        { "GET", "shelves/a/required?number=1", null, 400, "Header parameter 'key' is missing; it must be text." },
        { "DELETE", $"shelves/a/books/{Id}?fine=NaN", null, 400, "Query parameter 'fine' is 'NaN'" },
        { "POST", "shelves/a/books", null, 400, "InvalidData" },
        { "POST", "shelves/a/books?dry=perhaps", $$"""{"Id":"{{Id}}","Title":"t","Year":1}""", 400, "Query parameter 'dry' is 'perhaps'" },
        { "PUT", $"shelves/a/books/{Id}", "[]", 400, "InvalidData" },
        { "POST", $"shelves/a/books/{Id}", "{}", 405, "" },
        { "GET", "shelves/a/nowhere", null, 404, "" },
        { "POST", "shelf/Get", "{}", 404, "" },
    };

    private protected Uri Address { get; private set; } = null!;

    private protected virtual Version Version => HttpVersion.Version11;

    public async ValueTask InitializeAsync()
    {
        _http.DefaultRequestVersion = Version;
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = Version.Major == 2 ? HttpProtocols.Http2 : HttpProtocols.Http1));
        builder.Services.AddOpenApi(options => options.AddRpc());
        _app = builder.Build();
        var codec = new RpcJsonCodec(ShelfJson.Default);
        var service = ShelfContract.Serve(_shelf);
        _app.MapGroup("/api/v1").MapRpc(service, [codec, new RpcMessagePackCodec(ShelfMessages.Default)]);
        _app.MapOpenApi("/openapi.json");
        await _app.StartAsync();
        Address = new Uri(_app.Urls.Single() + "/api/v1/");
        _channel = new HttpChannel(Address, codec, new HttpChannelOptions { Version = Version });
        _client = new ShelfClient(_channel);
    }

    public async ValueTask DisposeAsync()
    {
        await _channel.DisposeAsync();
        _http.Dispose();
        await _app.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task Request_by_hand_is_bound(string method, string path, string? body, int status, string holds)
    {
        using var response = await SendAsync(method, path, body);

        Assert.Equal(status, (int)response.StatusCode);
        var text = await response.Content.ReadAsStringAsync();
        if (text.Length > 0 && response.Content.Headers.ContentType?.MediaType is "application/json" or "application/problem+json")
            text = JsonDocument.Parse(text) is { RootElement: { ValueKind: JsonValueKind.Object } problem } && problem.TryGetProperty("detail", out var detail) ? $"{problem.GetProperty("title")}: {detail}"
                : text.StartsWith('"') ? $"\"{JsonDocument.Parse(text).RootElement.GetString()}\"" : text;
        Assert.Contains(holds, text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("a")]
    [InlineData("a/b")]
    [InlineData("a%2Fb")]
    [InlineData("%252f")]
    [InlineData("a b?c#d&e=f+g")]
    [InlineData("gr\u00F6sse/\u65E5\u672C \U0001F4DA")]
    [InlineData("..a")]
    [InlineData("a;b=c,d")]
    public async Task Text_in_path_and_query_arrives_as_it_was(string text)
    {
        Assert.Equal($"{text} {text} - 10 [{text}|{text}] [-] - False True", await _client.FindAsync(text, text, tags: [text, text]));
        Assert.Equal($"{text} x/{text}", await _client.FileAsync(text, $"x/{text}"));
    }

    [Theory]
    [InlineData("")]
    [InlineData(".")]
    [InlineData("..")]
    public async Task Text_that_would_be_another_path_is_refused_before_it_is_sent(string text)
    {
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await _client.FindAsync(text));

        Assert.Equal((RpcStatus.InvalidData, $"Path parameter 'shelf' cannot be '{text}': it would be another path."), (failure.Status, failure.Message));
    }

    [Fact]
    public async Task Client_and_server_agree_on_every_operation()
    {
        var id = Guid.NewGuid();
        var context = new CallContext { Headers = { ["reason"] = "old" } };

        Assert.Equal(new Book(id, "of a", 1999), await _client.GetAsync("a", id));
        Assert.Equal("a - Green 7 [] [3|4] 2026-01-31 11:30 True True", await _client.FindAsync(
            "a", colour: Colour.Green, most: 7, tags: [], years: [3, 4], since: new DateTimeOffset(2026, 1, 31, 12, 30, 0, TimeSpan.FromHours(1)), lent: true)
            .AsTask().ContinueWith(static t => t.Result.Replace("[-]", "[]", StringComparison.Ordinal)));
        Assert.Equal(new Book(id, "a t True north", 1), await _client.AddAsync("a", new(id, "t", 1), dry: true, "north"));
        Assert.Equal($"a {id} t 5", await _client.ReplaceAsync("a", id, "t", 5));
        await _client.RenameAsync("a", id, "t");
        Assert.Equal(253, await _client.RemoveAsync("a", id, 2.5m, context));
        Assert.Equal("x 7", await _client.EchoAsync("x", 7));
        Assert.Equal([2, 4, 6], await _client.CountAsync("a", 6, 2).ToListAsync());
        Assert.Equal("a l 6", await _client.SumAsync("a", "l", new[] { 1, 2, 3 }.ToAsyncEnumerable()));
        Assert.Equal("3 k", await _client.RequiredAsync("a", 3, "k"));
        Assert.Equal("p", await _client.PlainAsync("p"));
        await _client.NoteAsync("a", "k", "n");
        Assert.Equal("a k n", await _shelf.Notes.Reader.ReadAsync().AsTask().WaitAsync(Patience));
    }

    [Fact]
    public async Task Other_codec_takes_the_same_routes()
    {
        await using var channel = new HttpChannel(Address, new RpcMessagePackCodec(ShelfMessages.Default), new HttpChannelOptions { Version = Version });
        var client = new ShelfClient(channel);
        var id = Guid.NewGuid();

        Assert.Equal(new Book(id, "of a", 1999), await client.GetAsync("a", id));
        Assert.Equal(new Book(id, "a t False none", 1), await client.AddAsync("a", new(id, "t", 1)));
        Assert.Equal("a l 6", await client.SumAsync("a", "l", new[] { 1, 2, 3 }.ToAsyncEnumerable()));
    }

    [Fact]
    public async Task Bad_value_reaches_the_caller_in_words()
    {
        using var response = await SendAsync("GET", "shelves/a/books?most=" + new string('9', 4000), null);

        var detail = JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement.GetProperty("detail").GetString()!;
        Assert.Equal(400, (int)response.StatusCode);
        Assert.InRange(detail.Length, 100, 300);
    }

    [Fact]
    public async Task Header_that_cannot_be_sent_is_refused_before_it_is_sent()
    {
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await _client.RequiredAsync("a", 1, "k\r\nx: y"));

        Assert.Equal(RpcStatus.InvalidData, failure.Status);
    }

    [Theory]
    [InlineData("BREW", "shelves/a/books", "GET, HEAD, POST")]
    [InlineData("OPTIONS", "shelves/a/books/" + Id, "DELETE, GET, HEAD, PUT")]
    [InlineData("PUT", "shelf/Plain", "POST")]
    public async Task Other_method_is_told_which_there_are(string method, string path, string allowed)
    {
        using var response = await SendAsync(method, path, null);

        Assert.Equal(HttpStatusCode.MethodNotAllowed, response.StatusCode);
        Assert.Equal(allowed, string.Join(", ", response.Content.Headers.Allow.Order(StringComparer.Ordinal)));
    }

    [Fact]
    public async Task OpenApi_describes_the_same_routes()
    {
        var paths = JsonDocument.Parse(await _http.GetStringAsync(new Uri(Address, "/openapi.json"))).RootElement.GetProperty("paths");

        Assert.Equal(
            [
                "/api/v1/echo/{first}-{second} get", "/api/v1/shelf/Plain post", "/api/v1/shelves/{shelf}/books get post", "/api/v1/shelves/{shelf}/books/{id} delete get put",
                "/api/v1/shelves/{shelf}/books/{id}/title patch", "/api/v1/shelves/{shelf}/count/{last} get", "/api/v1/shelves/{shelf}/files/{path} get",
                "/api/v1/shelves/{shelf}/notes/{kind} post", "/api/v1/shelves/{shelf}/required get", "/api/v1/shelves/{shelf}/sum/{label} post",
            ],
            paths.EnumerateObject().Select(p => $"{p.Name} {string.Join(' ', p.Value.EnumerateObject().Select(m => m.Name).Order(StringComparer.Ordinal))}").Order(StringComparer.Ordinal));
        Assert.Equal(
            ["path shelf string True", "query title string False", "query colour string Red|Green False", "query most integer False", "query tag array string False", "query years array integer False", "query since string date-time False", "query lent boolean False"],
            paths.GetProperty("/api/v1/shelves/{shelf}/books").GetProperty("get").GetProperty("parameters").EnumerateArray().Select(Described));
        var put = paths.GetProperty("/api/v1/shelves/{shelf}/books/{id}").GetProperty("put");
        Assert.Equal(["title", "year"], put.GetProperty("requestBody").GetProperty("content").GetProperty("application/json").GetProperty("schema").GetProperty("properties").EnumerateObject().Select(p => p.Name));
        Assert.False(paths.GetProperty("/api/v1/shelves/{shelf}/books").GetProperty("get").TryGetProperty("requestBody", out _));
    }

    private static string Described(JsonElement parameter)
    {
        var schema = parameter.GetProperty("schema");
        var type = schema.GetProperty("type").GetString();
        if (type == "array")
            type += " " + schema.GetProperty("items").GetProperty("type").GetString();
        if (schema.TryGetProperty("format", out var format))
            type += " " + format.GetString();
        if (schema.TryGetProperty("enum", out var names))
            type += " " + string.Join('|', names.EnumerateArray());
        return $"{parameter.GetProperty("in").GetString()} {parameter.GetProperty("name").GetString()} {type} {parameter.TryGetProperty("required", out var isRequired) && isRequired.GetBoolean()}";
    }

    private async Task<HttpResponseMessage> SendAsync(string method, string path, string? body)
    {
        // As it is written here: the address is not to be tidied before it is sent.
        using var request = new HttpRequestMessage(new HttpMethod(method), new Uri(Address + path, new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true }));
        if (body is not null)
            request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        (request.Version, request.VersionPolicy) = (Version, HttpVersionPolicy.RequestVersionExact);
        return await _http.SendAsync(request);
    }
}

public sealed class Http2RouteTests : RouteTests
{
    private protected override Version Version => HttpVersion.Version20;

    [Fact]
    public async Task Caller_that_speaks_the_older_version_is_told_so()
    {
        await using var older = new HttpChannel(Address, new RpcJsonCodec(ShelfJson.Default));

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await new ShelfClient(older).GetAsync("a", Guid.Empty));

        Assert.Equal(
            $"shelf/Get failed with HTTP status 400 at {Address}shelves/a/books/{Guid.Empty}: An HTTP/1.x request was sent to an HTTP/2 only endpoint.", failure.Message);
    }
}
