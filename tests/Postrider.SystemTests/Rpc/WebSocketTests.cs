using System.Net;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>The contract over WebSockets on Kestrel.</summary>
public abstract class WebSocketTests : DuplexContract
{
    private WebApplication _app = null!;

    private protected Uri Address { get; private set; } = null!;

    private protected WebSocketServer Server { get; private set; } = null!;

    private protected abstract RpcCodec Codec { get; }

    /// <summary>The server's codecs besides those that it always has.</summary>
    private protected virtual RpcCodec[] More => [];

    private protected override async ValueTask<RpcChannel> StartAsync(RpcService service)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        _app = builder.Build();
        _app.UseWebSockets();
        Server = new WebSocketServer([.. More, new RpcJsonCodec(DeskJson.Default), new RpcMessagePackCodec(DeskMessages.Default)], [service]);
        _app.MapRpcWebSockets("/rpc", Server);
        await _app.StartAsync();
        Address = new Uri(_app.Urls.Single().Replace("http", "ws", StringComparison.Ordinal) + "/rpc");
        return Connect();
    }

    private protected virtual RpcChannel Connect() => new WebSocketChannel(Address, Codec);

    private protected override async ValueTask StopAsync() => await _app.DisposeAsync();
}

public sealed class WebSocketJsonTests : WebSocketTests
{
    private protected override RpcCodec Codec => new RpcJsonCodec(DeskJson.Default);
}

public sealed class WebSocketMessagePackTests : WebSocketTests
{
    private protected override RpcCodec Codec => new RpcMessagePackCodec(DeskMessages.Default);

    [Fact]
    public async Task Request_that_is_no_upgrade_is_told_so()
    {
        using var http = new HttpClient();

        using var response = await http.GetAsync(new UriBuilder(Address) { Scheme = "http" }.Uri);

        Assert.Equal(HttpStatusCode.UpgradeRequired, response.StatusCode);
    }

    [Fact]
    public async Task Subprotocol_that_nobody_knows_is_refused()
    {
        using var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol("soap");

        await Assert.ThrowsAsync<WebSocketException>(() => socket.ConnectAsync(Address, TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Server_that_is_gone_is_unavailable()
    {
        await StopAsync();

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await Client.CountAsync());

        Assert.Equal(RpcStatus.Unavailable, failure.Status);
    }

    [Theory]
    [InlineData(WebSocketMessageType.Text, "{}")]
    [InlineData(WebSocketMessageType.Binary, "GET / HTTP/1.1")]
    [InlineData(WebSocketMessageType.Binary, "\0\0\0\0")]
    public async Task Message_that_is_no_frame_ends_the_connection_and_the_next_is_served(WebSocketMessageType type, string text)
    {
        using var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol("postrider.frames");
        await socket.ConnectAsync(Address, TestContext.Current.CancellationToken);

        await socket.SendAsync(System.Text.Encoding.ASCII.GetBytes(text), type, true, TestContext.Current.CancellationToken);

        await ReadToEndAsync(socket).WaitAsync(Patience);
        Assert.Equal("aa", await Client.JoinAsync("a", 2));
    }

    [Fact]
    public async Task Frames_in_fragments_are_served_the_same()
    {
        using var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol("postrider.frames");
        await socket.ConnectAsync(Address, TestContext.Current.CancellationToken);

        foreach (var one in (byte[])[.. RawPeer.Hello(), .. RawPeer.Name(0, "desk/Buy"), .. RawPeer.Request(3, 0, [21])])
            await socket.SendAsync(new byte[] { one }, WebSocketMessageType.Binary, one % 3 == 0, TestContext.Current.CancellationToken);

        var heard = new List<byte>();
        var buffer = new byte[256];
        while (!heard.AsEnumerable().Reverse().Take(7).Reverse().SequenceEqual((byte[])[4, 0, 3, 0, 0, 0, 42]))
            heard.AddRange(buffer[..(await socket.ReceiveAsync(buffer, TestContext.Current.CancellationToken).WaitAsync(Patience)).Count]);
    }

    private static async Task ReadToEndAsync(ClientWebSocket socket)
    {
        var buffer = new byte[1024];
        try
        {
            while ((await socket.ReceiveAsync(buffer, CancellationToken.None)).MessageType != WebSocketMessageType.Close)
                Assert.Equal(WebSocketState.Open, socket.State);
        }
        catch (WebSocketException)
        {
            // It may be reset: what was sent was not read to its end.
        }
    }
}
