using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.InteropTests.Harness;
using Postrider.Rpc;
using Postrider.Rpc.Server;

namespace Postrider.InteropTests.Rpc;

/// <summary>A contract over a WebSocket with objects of JSON beside npm's <c>ws</c>, both ways.</summary>
public sealed class WsTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Ws_calls_our_service()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        await using var app = builder.Build();
        app.UseWebSockets();
        await using var server = new WebSocketServer([new RpcJsonCodec(TillJson.Default)], [TillContract.Serve(new Till())]);
        app.MapRpcWebSockets("/rpc", server);
        await app.StartAsync();

        var told = await ForeignProgram.RunAsync(
            "node", Path.Combine(Tools.NodeStories, "ws-client.mjs"), app.Urls.Single().Replace("http", "ws", StringComparison.Ordinal) + "/rpc");

        Assert.Equal(
            """
            subprotocol postrider.json
            {"result":42}
            {"result":"a cake"}
            {"error":{"title":"SoldOut","status":422,"detail":"No tea is left.","fault":{"item":"tea","left":0}}}
            {"item":1} {"item":2} {"item":3} {"end":true}
            {"item":1} {"item":2} {"item":3} {"error":{"title":"Busy","status":429,"detail":"That is too many."}}
            {"result":200010000}
            {"error":{"title":"NotFound","status":404,"detail":"No service implements till/Nothing."}}
            true
            """.ReplaceLineEndings("\n"),
            told[..told.IndexOf("\n{\"error\":{\"title\":\"ProtocolError\"", StringComparison.Ordinal)]);
        Assert.EndsWith("closed 1000", told, StringComparison.Ordinal);
    }

    [Fact]
    public async Task We_call_a_service_of_ws()
    {
        await using var server = ForeignProgram.Start("node", Path.Combine(Tools.NodeStories, "ws-server.mjs"));
        await using var channel = WebSocketChannel.OverJson(
            new Uri($"ws://127.0.0.1:{await server.NextLineOrEndAsync()}/"), new RpcJsonCodec(TillJson.Default), new SocketChannelOptions { Timeout = Patience });
        var till = new TillClient(channel);

        Assert.Equal(42, await till.AddAsync(2, 40));
        Assert.Equal("window 262144", await server.NextLineOrEndAsync());
        Assert.Equal("a cake", await till.TakeAsync("cake"));
        var fault = await Assert.ThrowsAsync<RpcFaultException<SoldOut>>(async () => await till.TakeAsync("tea"));
        Assert.Equal((new SoldOut("tea", 0), "No tea is left."), (fault.Detail, fault.Message));
        var busy = await Assert.ThrowsAsync<RpcException>(async () => await till.TakeAsync("nothing"));
        Assert.Equal((RpcStatus.Busy, "Later."), (busy.Status, busy.Message));

        // More than the window, from a server that knows of none.
        Assert.Equal(Enumerable.Range(1, 50_000), await till.CountAsync(50_000).ToListAsync().AsTask().WaitAsync(Patience));
        Assert.Equal(200_010_000L, await till.SumAsync("", Enumerable.Range(1, 20_000).ToAsyncEnumerable()).WaitAsync(Patience));
        var calls = Enumerable.Range(0, 500).Select(i => till.AddAsync(i, 1).AsTask()).ToList();
        Assert.Equal(Enumerable.Range(1, 500), await Task.WhenAll(calls).WaitAsync(Patience));

        await foreach (var item in till.CountAsync(-1_000_000))
        {
            if (item == -999_997)
                break;
        }

        Assert.Equal("cancelled", await server.NextLineOrEndAsync());
    }
}
