using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>The contract in gRPC's framing on Kestrel.</summary>
public abstract class GrpcTests : DuplexContract
{
    private WebApplication _app = null!;

    private protected Uri Address { get; private set; } = null!;

    private protected abstract RpcCodec Codec { get; }

    private protected override async ValueTask<RpcChannel> StartAsync(RpcService service)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2);
            kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http1);
        });
        _app = builder.Build();
        _app.MapGrpc(service, [new RpcMessagePackCodec(DeskMessages.Default), new RpcJsonCodec(DeskJson.Default)], "post.v1");
        await _app.StartAsync();
        Address = new Uri(_app.Urls.First());
        return new RpcGrpcChannel(Address, Codec, new RpcGrpcChannelOptions { Package = "post.v1" });
    }

    private protected Uri PlainAddress => new(_app.Urls.Last());

    private protected override async ValueTask StopAsync() => await _app.DisposeAsync();
}

public sealed class GrpcMessagePackTests : GrpcTests
{
    private protected override RpcCodec Codec => new RpcMessagePackCodec(DeskMessages.Default);

    [Fact]
    public async Task Server_that_is_gone_is_unavailable()
    {
        await StopAsync();

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await Client.CountAsync());

        Assert.Equal(RpcStatus.Unavailable, failure.Status);
    }

    [Fact]
    public async Task Operation_that_nobody_serves_is_not_found()
    {
        await using var channel = new RpcGrpcChannel(Address, Codec);

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await new DeskClient(channel).CountAsync());

        Assert.Equal(RpcStatus.NotFound, failure.Status);
    }

    [Fact]
    public async Task Answer_that_is_larger_than_it_may_be_is_refused()
    {
        await using var channel = new RpcGrpcChannel(Address, Codec, new RpcGrpcChannelOptions { Package = "post.v1", MaxMessageBytes = 1000 });

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await new DeskClient(channel).EchoAsync(new byte[1001]));

        Assert.Equal(RpcStatus.TooLarge, failure.Status);
        Assert.Equal(900, (await new DeskClient(channel).EchoAsync(new byte[900])).Length);
    }

    [Fact]
    public async Task Messages_are_compressed_both_ways_where_both_sides_want_it()
    {
        await using var app = await DeskHost.StartAsync(routes => routes.MapGrpc(DeskContract.Serve(new Desk()), [Codec], compressResponses: true), HttpProtocols.Http2);
        await using var channel = new RpcGrpcChannel(new Uri(app.Urls.Single()), Codec, new RpcGrpcChannelOptions { CompressRequests = true });
        var client = new DeskClient(channel);
        var context = new CallContext();

        Assert.Equal("gzip ", await client.EchoHeadersAsync(GrpcCompression.UsedHeader, context));
        Assert.Equal(GrpcCompression.Gzip, context.ResponseHeaders[GrpcCompression.UsedHeader]);
        Assert.Equal(100_000, (await client.EchoAsync(new byte[100_000])).Length);
        Assert.Equal(Enumerable.Range(1, 12), await client.CountToAsync(12).ToListAsync());
        Assert.Equal(12L, await client.SumAsync("twice", new[] { 1, 2, 3 }.ToAsyncEnumerable()));
        Assert.Equal("none ", await client.EchoHeadersAsync(GrpcCompression.UsedHeader, new CallContext { Headers = { [GrpcCompression.Header] = GrpcCompression.Identity } }));
    }

    [Fact]
    public async Task Call_may_be_compressed_alone()
    {
        var context = new CallContext { Headers = { [GrpcCompression.Header] = GrpcCompression.Gzip } };

        Assert.Equal("gzip ", await Client.EchoHeadersAsync(GrpcCompression.UsedHeader, context));

        Assert.Null(context.ResponseHeaders[GrpcCompression.UsedHeader]);
        Assert.Equal("none ", await Client.EchoHeadersAsync(GrpcCompression.UsedHeader, new CallContext()));
    }
}

public sealed class GrpcJsonTests : GrpcTests
{
    private static readonly byte[] Zipped3 = Zip("3"u8);
    private static readonly byte[] Bomb = Zip(new byte[32 * 1024 * 1024]);

    public static TheoryData<string, string, string, string, string, string, string> Requests => new()
    {
        // operation, content type, headers, body (a message in braces is framed), HTTP status, grpc-status, messages
        { "Count", "application/grpc+json", "", "{}", "200", "0", "0" },
        { "Join", "application/grpc+json; charset=utf-8", "", "{{\"first\":\"x\",\"times\":2}}", "200", "0", "\"xx\"" },
        { "Join", "application/grpc+json", "grpc-timeout: 1H", "{{\"first\":\"x\",\"times\":2}}", "200", "0", "\"xx\"" },
        { "Join", "application/grpc+json", "grpc-timeout: 99999999H", "{{\"first\":\"x\",\"times\":2}}", "200", "0", "\"xx\"" },
        { "Join", "application/grpc+json", "grpc-timeout: 1", "{{\"first\":\"x\",\"times\":2}}", "200", "3", "" },
        { "Join", "application/grpc+json", "grpc-timeout: 123456789m", "{{\"first\":\"x\",\"times\":2}}", "200", "3", "" },
        { "Join", "application/grpc+json", "grpc-timeout: 1x", "{{\"first\":\"x\",\"times\":2}}", "200", "3", "" },
        { "Wait", "application/grpc+json", "grpc-timeout: 1n", "{}", "200", "4", "" },
        { "WaitInTime", "application/grpc+json", "grpc-timeout: 20m", "{}", "200", "4", "" },
        { "Join", "application/grpc+json", "", "{{\"first\":1}}", "200", "3", "" },
        { "Join", "application/grpc+json", "", "", "200", "3", "" },
        { "Join", "application/grpc+json", "", "{{}}{{}}", "200", "3", "" },
        { "Join", "application/grpc+json", "", "\0\0\0", "200", "3", "" },
        { "Join", "application/grpc+json", "", "\0\0\0\0\u0009a", "200", "3", "" },
        { "Join", "application/grpc+json", "", "\u0002\0\0\0\0", "200", "3", "" },
        { "Join", "application/grpc+json", "", "\u0001\0\0\0\0", "200", "3", "" },
        { "Echo", "application/grpc+json", "", "\0\u007f\u0000\0\0a", "200", "8", "" },
        { "Count", "application/grpc+json", "grpc-encoding: identity", "{}", "200", "0", "0" },
        { "CountTo", "application/grpc+json", "grpc-encoding: gzip", "ZIP", "200", "0", "1,2,3" },
        { "CountTo", "application/grpc+json", "grpc-encoding: gzip", "{3}", "200", "0", "1,2,3" },
        { "CountTo", "application/grpc+json", "grpc-encoding: gzip", "\u0001\0\0\0\u0003abc", "200", "3", "" },
        { "CountTo", "application/grpc+json", "grpc-encoding: gzip", "BOMB", "200", "8", "" },
        { "CountTo", "application/grpc+json", "grpc-encoding: snappy", "{3}", "200", "12", "" },
        { "CountTo", "application/grpc+json", "", "{20}", "200", "3", "1,2,3,4,5,6,7,8,9,10,11,12" },
        { "CountTo", "application/grpc+json", "", "{0}", "200", "0", "" },
        { "Sum", "application/grpc+json", "", "{\"twice\"}{1}{2}", "200", "0", "6" },
        { "Sum", "application/grpc+json", "", "", "200", "3", "" },
        { "Sum", "application/grpc+json", "", "{\"twice\"}{x}", "200", "3", "" },
        { "Shout", "application/grpc+json", "", "{\"a\"}{\"b\"}", "200", "0", "\"A\",\"B\"" },
        { "Shout", "application/grpc+json", "", "", "200", "0", "" },
        { "Clear", "application/grpc+json", "", "{}", "200", "0", "" },
        { "Note", "application/grpc+json", "", "{\"x\"}", "200", "0", "" },
        { "Buy", "application/grpc+json", "", "{101}", "200", "9", "" },
        { "Buy", "application/grpc+json", "", "{0}", "200", "13", "" },
        { "Buy", "application/grpc+json", "", "{-1}", "200", "7", "" },
        { "Nowhere", "application/grpc+json", "", "{}", "200", "12", "" },
        { "Count", "application/grpc+xml", "", "{}", "415", "13", "" },
        { "Count", "application/grpc-web", "", "{}", "415", "13", "" },
        { "Count", "application/json", "", "{}", "415", "13", "" },
        { "Count", "application/grpc", "", "{}", "200", "0", "\0" },
    };

    private protected override RpcCodec Codec => new RpcJsonCodec(DeskJson.Default);

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task Request_by_hand_is_answered_with_a_status(string operation, string type, string headers, string body, string http, string status, string messages)
    {
        using var caller = new HttpClient();
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(Address, $"post.v1.desk/{operation}"))
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = new ByteArrayContent(Framed(body)),
        };
        request.Content.Headers.TryAddWithoutValidation("Content-Type", type);
        if (headers.Length > 0)
            request.Headers.TryAddWithoutValidation(headers.Split(": ")[0], headers.Split(": ")[1]);

        using var response = await caller.SendAsync(request).WaitAsync(Patience);

        var answer = await response.Content.ReadAsByteArrayAsync();
        var end = response.TrailingHeaders.Contains("grpc-status") ? response.TrailingHeaders : response.Headers;
        Assert.Equal((http, status), (((int)response.StatusCode).ToString(), end.GetValues("grpc-status").Single()));
        Assert.Equal(messages, string.Join(',', Messages(answer)));
        Assert.Equal("aa", await Client.JoinAsync("a", 2));
    }

    [Fact]
    public async Task Request_over_the_older_http_is_told_to_upgrade()
    {
        using var caller = new HttpClient();
        using var content = new ByteArrayContent(Framed("{}"));
        content.Headers.TryAddWithoutValidation("Content-Type", "application/grpc");

        using var response = await caller.PostAsync(new Uri(PlainAddress, "post.v1.desk/Count"), content);

        Assert.Equal(HttpStatusCode.UpgradeRequired, response.StatusCode);
    }

    [Theory]
    [InlineData("application/json", 404, null)]
    [InlineData("application/grpc", 200, "12")]
    public async Task Operation_that_is_not_there_is_not_found_over_the_older_http(string type, int http, string? status)
    {
        using var caller = new HttpClient();
        using var content = new ByteArrayContent(Framed("{}"));
        content.Headers.TryAddWithoutValidation("Content-Type", type);

        using var response = await caller.PostAsync(new Uri(PlainAddress, "post.v1.desk/Nowhere"), content);

        Assert.Equal((http, status), ((int)response.StatusCode, response.Headers.TryGetValues("grpc-status", out var values) ? values.Single() : null));
    }

    [Fact]
    public async Task Connection_that_is_reset_within_a_stream_ends_the_operation()
    {
        using (var caller = new HttpClient())
        {
            using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(Address, "post.v1.desk/CountTo"))
            {
                Version = HttpVersion.Version20,
                VersionPolicy = HttpVersionPolicy.RequestVersionExact,
                Content = new ByteArrayContent(Framed("{-1}")),
            };
            request.Content.Headers.TryAddWithoutValidation("Content-Type", "application/grpc+json");
            using var response = await caller.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
            await using var stream = await response.Content.ReadAsStreamAsync();
            Assert.Equal(0, stream.ReadByte());
        }

        Assert.Equal("left", await NextAsync(Desk.Events));
    }

    private static byte[] Framed(string body)
    {
        switch (body)
        {
            case "ZIP":
                return [1, 0, 0, 0, (byte)Zipped3.Length, .. Zipped3];
            case "BOMB":
                return [1, 0, (byte)(Bomb.Length >> 16), (byte)(Bomb.Length >> 8), (byte)Bomb.Length, .. Bomb];
        }

        var bytes = new List<byte>();
        foreach (var part in System.Text.RegularExpressions.Regex.Split(body, @"(?<=\})(?=\{[^}])", System.Text.RegularExpressions.RegexOptions.None, Patience))
        {
            if (part is not ['{', .. var message, '}'])
                bytes.AddRange(System.Text.Encoding.Latin1.GetBytes(part));
            else
                bytes.AddRange([0, 0, 0, 0, (byte)message.Length, .. System.Text.Encoding.Latin1.GetBytes(message)]);
        }

        return [.. bytes];
    }

    private static IEnumerable<string> Messages(byte[] body)
    {
        for (var at = 0; at < body.Length;)
        {
            var length = (body[at + 3] << 8) + body[at + 4];
            if (length > 0)
                yield return System.Text.Encoding.Latin1.GetString(body, at + 5, length);
            at += 5 + length;
        }
    }

    private static byte[] Zip(ReadOnlySpan<byte> bytes)
    {
        using var zipped = new MemoryStream();
        using (var zip = new System.IO.Compression.GZipStream(zipped, System.IO.Compression.CompressionLevel.Optimal))
            zip.Write(bytes);
        return zipped.ToArray();
    }
}
