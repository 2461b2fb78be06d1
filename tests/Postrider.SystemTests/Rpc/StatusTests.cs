using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>How calls end, in numbers and in words.</summary>
public sealed class StatusTests : IAsyncLifetime
{
    private static readonly RpcJsonCodec Codec = new(StatusesJson.Default);

    private readonly HttpClient _http = new();
    private WebApplication _app = null!;
    private WebApplication _grpc = null!;
    private SocketServer _server = null!;

    public static TheoryData<string, RpcStatus> Ends
    {
        get
        {
            var ends = new TheoryData<string, RpcStatus>();
            foreach (var transport in (string[])["grpc", "http", "socket"])
            {
                foreach (var status in Enum.GetValues<RpcStatus>().Except([RpcStatus.Ok, RpcStatus.Fault]))
                    ends.Add(transport, status);
            }

            return ends;
        }
    }

    public async ValueTask InitializeAsync()
    {
        var service = StatusesContract.Serve(new Statuses());
        _app = await DeskHost.StartAsync(routes => routes.MapRpc(service, [Codec]), HttpProtocols.Http1);
        _grpc = await DeskHost.StartAsync(routes => routes.MapGrpc(service, [Codec]), HttpProtocols.Http2);
        _server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, service);
    }

    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        await _server.DisposeAsync();
        await _grpc.DisposeAsync();
        await _app.DisposeAsync();
    }

    [Theory]
    [MemberData(nameof(Ends))]
    public async Task Status_reaches_the_caller_over_every_transport(string transport, RpcStatus status)
    {
        await using var channel = Channel(transport);

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await new StatusesClient(channel).EndAsync((int)status, new CallContext(), TestContext.Current.CancellationToken));

        Assert.Equal((status, "As told."), (failure.Status, failure.Message));
    }

    [Theory]
    [InlineData("grpc")]
    [InlineData("http")]
    [InlineData("socket")]
    public async Task Headers_before_and_after_the_message_reach_the_caller(string transport)
    {
        await using var channel = Channel(transport);
        var context = new CallContext();

        await new StatusesClient(channel).EndAsync(0, context, TestContext.Current.CancellationToken);

        Assert.Equal(("a", "b"), (context.ResponseHeaders["first"], context.ResponseHeaders["last"]));
    }

    [Fact]
    public async Task Grpc_sends_trailers_of_a_unary_answer_after_its_message()
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, _grpc.Urls.Single() + "/statuses/End")
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = new ByteArrayContent([0, 0, 0, 0, 1, (byte)'0']),
        };
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/grpc+json");

        using var response = await _http.SendAsync(request, TestContext.Current.CancellationToken);
        await response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);

        Assert.Equal(("a", "b"), (response.Headers.GetValues("first").Single(), response.TrailingHeaders.GetValues("last").Single()));
        Assert.False(response.Headers.Contains("last"));
    }

    [Theory]
    [InlineData("End", "1.5", "application/json", null, 400)]
    [InlineData("End", "\"x\"", "application/vnd.shop+json", null, 400)]
    [InlineData("End", "0", "application/vnd.shop+json; charset=utf-8", null, 200)]
    [InlineData("End", "0", "application/json; charset=utf-16", null, 415)]
    [InlineData("End", "0", "application/json", ";;", 200)]
    [InlineData("Draw", "{\"radius\":1}", "application/json", null, 400)]
    [InlineData("Draw", "{\"radius\":1,\"$type\":\"circle\"}", "application/json", null, 400)]
    [InlineData("Draw", "{\"$type\":\"square\"}", "application/json", null, 400)]
    [InlineData("Set", "{\"number\":true}", "application/json", null, 400)]
    [InlineData("Set", "{\"number\":1,\"detail\":{}}", "application/json", null, 400)]
    [InlineData("Set", "{\"number\":1,\"detail\":[]}", "application/json", null, 400)]
    [InlineData("Set", "{\"number\":1,", "application/json", null, 400)]
    [InlineData("Set", "[]", "application/json", null, 400)]
    [InlineData("Set", "", "application/json", null, 400)]
    [InlineData("End", "", "application/json", null, 400)]
    [InlineData("Number", "\"NaN\"", "application/json", null, 400)]
    [InlineData("Number", "1e999", "application/json", null, 400)]
    [InlineData("Nothing", "{}", "application/json", null, 404)]
    public async Task Request_is_answered_by_the_status_that_fits_and_without_words_of_the_platform(string operation, string body, string type, string? accept, int status)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, $"{_app.Urls.Single()}/statuses/{operation}") { Content = new ByteArrayContent(Encoding.UTF8.GetBytes(body)) };
        request.Content.Headers.TryAddWithoutValidation("Content-Type", type);
        if (accept is not null)
            request.Headers.TryAddWithoutValidation("Accept", accept);

        using var response = await _http.SendAsync(request, TestContext.Current.CancellationToken);
        var text = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);

        Assert.Equal(status, (int)response.StatusCode);
        PlatformWords.None(text);
        if (status != 200)
            Assert.Equal((status, "application/problem+json"), (JsonDocument.Parse(text).RootElement.GetProperty("status").GetInt32(), response.Content.Headers.ContentType?.MediaType));
    }

    [Theory]
    [InlineData("statuses/Name", "\"none\"")]
    [InlineData("statuses/Pair", "\"none none\"")]
    [InlineData("statuses/7/name", "\"7 none\"")]
    [InlineData("statuses/Length", "-1")]
    public async Task Empty_body_is_null_where_the_parameters_may_be(string path, string answer)
    {
        using var typed = new StringContent("", Encoding.UTF8, "application/json");
        using var first = await _http.PostAsync(new Uri($"{_app.Urls.Single()}/{path}"), typed, TestContext.Current.CancellationToken);
        using var second = await _http.PostAsync(new Uri($"{_app.Urls.Single()}/{path}"), null, TestContext.Current.CancellationToken);

        Assert.Equal((answer, answer), (await first.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), await second.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)));
    }

    [Theory]
    [InlineData("GET")]
    [InlineData("PUT")]
    [InlineData("DELETE")]
    public async Task Other_method_than_POST_is_refused_with_the_one_that_is_allowed(string method)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), $"{_app.Urls.Single()}/statuses/Set");

        using var response = await _http.SendAsync(request, TestContext.Current.CancellationToken);

        Assert.Equal((405, "application/problem+json", "POST"), ((int)response.StatusCode, response.Content.Headers.ContentType?.MediaType, response.Content.Headers.Allow.Single()));
        Assert.Contains($"Unsupported method '{method}' for statuses/Set. Supported: POST.", await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    private RpcChannel Channel(string transport) => transport switch
    {
        "grpc" => new RpcGrpcChannel(new Uri(_grpc.Urls.Single()), Codec),
        "http" => new HttpChannel(new Uri(_app.Urls.Single()), Codec),
        _ => new SocketChannel(_server.EndPoint, Codec),
    };
}
