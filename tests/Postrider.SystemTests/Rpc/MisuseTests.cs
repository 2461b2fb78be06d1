using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Server;
using Postrider.Rpc.Soap;
using Postrider.Rpc.Soap.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>What callers and servers do by mistake: each is told what is wrong.</summary>
public sealed class MisuseTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly RpcMessagePackCodec Codec = new(DeskMessages.Default);
    private static readonly RpcJsonCodec Json = new(DeskJson.Default);

    private readonly RpcService _desk = DeskContract.Serve(new Desk());

    [Theory]
    [MemberData(nameof(DeskTransports.All), MemberType = typeof(DeskTransports))]
    public async Task Stream_of_the_caller_that_is_null_is_refused_at_once(string transport)
    {
        await using var transports = new DeskTransports();
        await using var channel = await transports.StartAsync(transport, _desk);
        var client = new DeskClient(channel);

        Assert.Equal("numbers", (await Assert.ThrowsAsync<ArgumentNullException>(() => client.SumAsync("", null!))).ParamName);
        Assert.Equal("words", Assert.Throws<ArgumentNullException>(() => client.ShoutAsync(null!)).ParamName);
        Assert.Equal(0, await client.CountAsync());
    }

    [Theory]
    [InlineData("localhost:5000")]
    [InlineData("/orders")]
    [InlineData("ftp://localhost/")]
    [InlineData("ws://localhost/")]
    public void Address_that_is_none_of_http_is_refused_at_once(string text)
    {
        var address = new Uri(text, UriKind.RelativeOrAbsolute);

        Assert.StartsWith($"'{text}' is not an HTTP address. It must begin with http:// or https://.", Assert.Throws<ArgumentException>(() => new HttpChannel(address, Codec)).Message, StringComparison.Ordinal);
        Assert.StartsWith($"'{text}' is not an HTTP address. It must begin with http:// or https://.", Assert.Throws<ArgumentException>(() => new RpcGrpcChannel(address, Codec)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("localhost:5000")]
    [InlineData("/rpc")]
    [InlineData("http://localhost/rpc")]
    public void Address_that_is_none_of_a_websocket_is_refused_at_once(string text)
    {
        var failure = Assert.Throws<ArgumentException>(() => new WebSocketChannel(new Uri(text, UriKind.RelativeOrAbsolute), Codec));

        Assert.StartsWith($"'{text}' is not a WebSocket address. It must begin with ws:// or wss://.", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Http_of_the_older_version_on_a_port_of_the_newer_says_so()
    {
        await using var app = await DeskHost.StartAsync(routes => routes.MapRpc(_desk, [Codec]), HttpProtocols.Http2);
        await using var channel = new HttpChannel(Address(app), Codec);

        Assert.Equal($"desk/Count failed with HTTP status 400 at {Address(app)}desk/Count: An HTTP/1.x request was sent to an HTTP/2 only endpoint.", (await FailAsync(channel)).Message);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Http_of_the_newer_version_on_a_port_of_the_older_says_so(bool isGrpc)
    {
        await using var app = await DeskHost.StartAsync(routes => routes.MapRpc(_desk, [Codec]), HttpProtocols.Http1);
        await using RpcChannel channel = isGrpc ? new RpcGrpcChannel(Address(app), Codec) : new HttpChannel(Address(app), Codec, new HttpChannelOptions { Version = HttpVersion.Version20 });

        var failure = await FailAsync(channel);

        Assert.Equal(RpcStatus.Unavailable, failure.Status);
        Assert.EndsWith("HTTP/2 without TLS requires a port that accepts only HTTP/2 (Kestrel: HttpProtocols.Http2).", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Form_that_a_server_does_not_speak_is_refused_with_those_that_it_does()
    {
        await using var app = await DeskHost.StartAsync(routes => routes.MapRpc(_desk, [Codec]), HttpProtocols.Http1);
        await using var grpc = await DeskHost.StartAsync(routes => routes.MapGrpc(_desk, [Codec]), HttpProtocols.Http2);
        await using var channel = new HttpChannel(Address(app), Json);
        await using var other = new RpcGrpcChannel(Address(grpc), Json);

        RpcException[] failures = [await FailAsync(channel), await FailAsync(other)];

        Assert.Equal("Unsupported content type 'application/json'. Supported: application/msgpack.", failures[0].Message);
        Assert.Equal("Unsupported content type 'application/grpc+json'. Supported: application/grpc+msgpack.", failures[1].Message);
        Assert.Equal(RpcStatus.Unsupported, failures[0].Status);
    }

    [Fact]
    public async Task Services_of_one_name_are_refused_before_the_application_starts()
    {
        await using var app = WebApplication.CreateSlimBuilder().Build();
        app.MapRpc(_desk, [Json]);
        app.MapGrpc(_desk, [Json]);
        app.MapSoap("/desk.svc", _desk, DeskXml.Default);
        app.MapGrpc(_desk, [Json], package: "other");
        app.MapGroup("/v2").MapRpc(_desk, [Json]);

        string[] told =
        [
            Assert.Throws<ArgumentException>(() => app.MapRpc(_desk, [Codec])).Message,
            Assert.Throws<ArgumentException>(() => app.MapGrpc(_desk, [Codec])).Message,
            Assert.Throws<ArgumentException>(() => app.MapSoap("Desk.svc", _desk, DeskXml.Default)).Message,
        ];

        const string Advice = " of the service desk is already mapped. Give one of the services another name or path, or map it in its own group: app.MapGroup(\"/v2\"). (Parameter 'service')";
        Assert.Equal([$"POST /desk/Open{Advice}", $"gRPC's /desk/Open{Advice}", $"SOAP's /Desk.svc{Advice}"], told);
    }

    [Theory]
    [InlineData("text/xml", null, null, 415, "Unsupported content type 'text/xml'. Supported: application/json, application/msgpack.")]
    [InlineData(null, "text/html", null, 406, "None of the media types in Accept 'text/html' is supported. Supported: application/json, application/msgpack.")]
    [InlineData(null, null, "gzip", 415, "Unsupported content encoding 'gzip'.")]
    public async Task Media_type_that_is_none_here_is_answered_with_words(string? type, string? accept, string? coding, int status, string words)
    {
        await using var app = await DeskHost.StartAsync(routes => routes.MapRpc(_desk, [Json, Codec]), HttpProtocols.Http1);
        using var http = new HttpClient();
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(Address(app), "desk/Count")) { Content = new ByteArrayContent([]) };
        if (type is not null)
            request.Content.Headers.TryAddWithoutValidation("Content-Type", type);
        if (coding is not null)
            request.Content.Headers.TryAddWithoutValidation("Content-Encoding", coding);
        if (accept is not null)
            request.Headers.TryAddWithoutValidation("Accept", accept);

        using var response = await http.SendAsync(request);

        Assert.Equal((status, "application/problem+json"), ((int)response.StatusCode, response.Content.Headers.ContentType?.MediaType));
        Assert.Equal($"{{\"title\":\"Unsupported\",\"status\":{status},\"detail\":\"{words}\"}}", await response.Content.ReadAsStringAsync());
    }

    [Fact]
    public async Task Address_where_no_soap_is_served_is_named()
    {
        await using var app = await DeskHost.StartAsync(routes => routes.MapSoap("/desk.svc", _desk, DeskXml.Default), HttpProtocols.Http1);
        await using var channel = new SoapChannel(new Uri(Address(app), "other.svc"), DeskXml.Default);

        var failure = await FailAsync(channel);

        Assert.Equal((RpcStatus.NotFound, $"desk/Count failed with HTTP status 404 and no envelope at {Address(app)}other.svc."), (failure.Status, failure.Message));
    }

    [Fact]
    public async Task Answer_that_is_a_page_is_named_for_what_it_is()
    {
        await using var app = await DeskHost.StartAsync(routes => routes.MapPost("/desk/{operation}", () => Microsoft.AspNetCore.Http.Results.Content("<html>", "text/html")), HttpProtocols.Http1);
        await using var channel = new HttpChannel(Address(app), Json);

        var failure = await FailAsync(channel);

        Assert.Equal((RpcStatus.Unsupported, "desk/Count returned content type 'text/html' instead of application/json."), (failure.Status, failure.Message));
    }

    [Fact]
    public async Task Parameter_that_cannot_be_read_is_named()
    {
        await using var app = await DeskHost.StartAsync(routes => routes.MapRpc(_desk, [Json]), HttpProtocols.Http1);
        using var http = new HttpClient();
        using var body = new StringContent("""{"first":"a","times":"many"}""", System.Text.Encoding.UTF8, "application/json");

        using var response = await http.PostAsync(new Uri(Address(app), "desk/Join"), body);

        Assert.Contains("Parameter 'times': ", await response.Content.ReadAsStringAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task WebSockets_that_the_application_does_not_use_are_named_in_its_log()
    {
        var told = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        await using var app = builder.Build();
        app.Use(async (http, next) =>
        {
            try
            {
                await next(http);
            }
            catch (InvalidOperationException failure)
            {
                told.SetResult(failure.Message);
                throw;
            }
        });
        await using var server = new WebSocketServer([Codec], [_desk]);
        app.MapRpcWebSockets("/rpc", server);
        await app.StartAsync();
        await using var channel = new WebSocketChannel(new Uri($"ws://{Address(app).Authority}/rpc"), Codec);

        Assert.Equal(RpcStatus.Unavailable, (await FailAsync(channel)).Status);
        Assert.Equal("WebSockets are not enabled. Call app.UseWebSockets() before app.MapRpcWebSockets(...).", await told.Task.WaitAsync(Patience));
    }

    [Fact]
    public async Task Caller_of_sockets_at_a_server_of_http_is_told_and_has_sent_nothing()
    {
        await using var app = await DeskHost.StartAsync(routes => routes.MapRpc(_desk, [Codec]), HttpProtocols.Http1);
        var server = new IPEndPoint(IPAddress.Loopback, Address(app).Port);
        await using var channel = new SocketChannel(server, Codec);

        var failure = await FailAsync(channel);

        Assert.Equal((RpcStatus.ProtocolError, true), (failure.Status, failure.IsUnsent));
        Assert.StartsWith($"The handshake with {server} failed; check its protocol and whether it requires TLS: ", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Caller_of_http_at_a_server_of_sockets_is_told()
    {
        await using var server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, _desk);
        await using var channel = new HttpChannel(new Uri($"http://{server.EndPoint}"), Codec);

        var failure = await FailAsync(channel);

        Assert.Equal(RpcStatus.Unavailable, failure.Status);
        Assert.StartsWith($"http://{server.EndPoint}/desk/Count cannot be reached: An error occurred while sending the request. ", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Tls_at_one_end_alone_is_told()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using var certificate = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256).CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        await using var plain = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, _desk);
        await using var secured = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, _desk, new SocketServerOptions { Tls = new() { ServerCertificate = certificate } });
        await using var speaking = new SocketChannel(plain.EndPoint, Codec, new SocketChannelOptions { Tls = new() { TargetHost = "localhost" } });
        await using var silent = new SocketChannel(secured.EndPoint, Codec);

        Assert.StartsWith($"{plain.EndPoint} cannot be reached: TLS handshake failed: ", (await FailAsync(speaking)).Message, StringComparison.Ordinal);
        Assert.StartsWith($"The handshake with {secured.EndPoint} failed; check its protocol and whether it requires TLS: ", (await FailAsync(silent)).Message, StringComparison.Ordinal);
    }

    private static Uri Address(WebApplication app) => new(app.Urls.Single());

    private static async Task<RpcException> FailAsync(RpcChannel channel)
        => await Assert.ThrowsAsync<RpcException>(() => new DeskClient(channel).CountAsync().AsTask().WaitAsync(Patience));
}
