using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Http;
using Postrider.Rpc.Operations;
using Postrider.Rpc.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>The contract over HTTP on Kestrel.</summary>
public abstract class HttpTests : CancelContract
{
    private WebApplication _app = null!;

    private protected Uri Address { get; private set; } = null!;

    private protected abstract RpcCodec Codec { get; }

    private protected override async ValueTask<RpcChannel> StartAsync(ServiceEndpoint service)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        _app = builder.Build();
        _app.MapGroup("/api").MapRpc(service, [new RpcJsonCodec(DeskJson.Default), new RpcMessagePackCodec(DeskMessages.Default)]);
        await _app.StartAsync();
        Address = new Uri(_app.Urls.Single() + "/api");
        return new HttpChannel(Address, Codec);
    }

    private protected override async ValueTask StopAsync() => await _app.DisposeAsync();
}

public sealed class HttpMessagePackTests : HttpTests
{
    private protected override RpcCodec Codec => new RpcMessagePackCodec(DeskMessages.Default);

    [Fact]
    public async Task Stream_is_refused_with_words()
    {
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await Client.CountToAsync(3).ToListAsync());

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
        { "Count", null, "text/html", "", 406, "" },
        { "Count", "text/xml", null, "<a/>", 415, "" },
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
        { "CountTo", "application/json", null, "3", 501, "application/problem+json" },
        { "Nowhere", "application/json", null, "", 404, "" },
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
