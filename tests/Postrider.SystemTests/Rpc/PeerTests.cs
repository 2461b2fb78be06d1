using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>Servers that call their callers.</summary>
public sealed class PeerTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly RpcMessagePackCodec Codec = new(DeskMessages.Default);

    [Fact]
    public async Task Server_calls_what_its_caller_serves()
    {
        var theirs = new Desk();
        await using var server = Start();
        await using var channel = Connect(server, "north", theirs);
        await channel.ConnectAsync();

        var peer = await server.Peers.WaitAsync("north").AsTask().WaitAsync(Patience);
        var client = new DeskClient(peer.Channel);

        Assert.Equal("x-x", await client.JoinAsync("x", 2, "-"));
        Assert.Equal(Enumerable.Range(1, 12), await client.CountToAsync(12).ToListAsync());
        Assert.Equal(6L, await client.SumAsync("twice", new[] { 1, 2 }.ToAsyncEnumerable()));
        await client.NoteAsync("hello");
        Assert.Equal("hello", await theirs.Notes.Reader.ReadAsync().AsTask().WaitAsync(Patience));
        Assert.Equal(new SoldOut(100, "tea"), (await Assert.ThrowsAsync<RpcFaultException<SoldOut>>(async () => await client.BuyAsync(101))).Detail);
        Assert.Equal(3_000_000, (await client.EchoAsync(new byte[3_000_000])).Length);
    }

    [Fact]
    public async Task Server_calls_what_its_caller_serves_over_a_websocket()
    {
        var theirs = new Desk();
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        await using var app = builder.Build();
        app.UseWebSockets();
        await using var server = new WebSocketServer([Codec], [DeskContract.Serve(new Desk())], new SocketServerOptions { DrainTimeout = TimeSpan.Zero });
        app.MapRpcWebSockets("/rpc", server);
        await app.StartAsync();
        await using var channel = new WebSocketChannel(
            new Uri(app.Urls.Single().Replace("http", "ws", StringComparison.Ordinal) + "/rpc"), Codec,
            new SocketChannelOptions { PeerName = "north", Services = [DeskContract.Serve(theirs)] });
        var there = new DeskClient(channel);
        var ended = await channel.ConnectAsync();

        var back = new DeskClient((await server.Peers.WaitAsync("north").AsTask().WaitAsync(Patience)).Channel);

        Assert.Equal("x-x", await back.JoinAsync("x", 2, "-"));
        Assert.Equal(Enumerable.Range(1, 12), await back.CountToAsync(12).ToListAsync());
        Assert.Equal("left", await theirs.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));
        Assert.Equal(["A", "B"], await back.ShoutAsync(new[] { "a", "b" }.ToAsyncEnumerable()).ToListAsync());
        Assert.Equal(new SoldOut(100, "tea"), (await Assert.ThrowsAsync<RpcFaultException<SoldOut>>(async () => await back.BuyAsync(101))).Detail);
        var calls = Enumerable.Range(0, 200).Select(i => (i % 2 == 0 ? there : back).JoinAsync($"{i}", 1)).ToList();
        Assert.Equal(Enumerable.Range(0, 200).Select(i => $"{i}"), await Task.WhenAll(calls).WaitAsync(Patience));
        var waiting = back.WaitAsync().AsTask();
        Assert.Equal("began", await theirs.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));

        await channel.DisposeAsync();

        await ended.WaitAsync(Patience);
        Assert.Equal(RpcStatus.Unavailable, (await Assert.ThrowsAsync<RpcException>(() => waiting.WaitAsync(Patience))).Status);
        Assert.Equal("cancelled", await theirs.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));
    }

    [Fact]
    public async Task Calls_go_both_ways_at_once()
    {
        await using var server = Start();
        await using var channel = Connect(server, "north", new Desk());
        var there = new DeskClient(channel);
        Assert.Equal(0, await there.CountAsync());
        var back = new DeskClient((await server.Peers.WaitAsync("north").AsTask().WaitAsync(Patience)).Channel);

        var calls = Enumerable.Range(0, 200).Select(i => (i % 2 == 0 ? there : back).JoinAsync($"{i}", 1)).ToList();

        Assert.Equal(Enumerable.Range(0, 200).Select(i => $"{i}"), await Task.WhenAll(calls).WaitAsync(Patience));
    }

    [Fact]
    public async Task End_of_the_connection_fails_the_servers_calls_and_forgets_the_peer()
    {
        var theirs = new Desk();
        await using var server = Start();
        var channel = Connect(server, "north", theirs);
        await channel.ConnectAsync();
        var peer = await server.Peers.WaitAsync("north").AsTask().WaitAsync(Patience);
        var waiting = new DeskClient(peer.Channel).WaitAsync().AsTask();
        Assert.Equal("began", await theirs.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));

        await channel.DisposeAsync();

        Assert.Equal(RpcStatus.Unavailable, (await Assert.ThrowsAsync<RpcException>(() => waiting.WaitAsync(Patience))).Status);
        Assert.Equal("cancelled", await theirs.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));
        Assert.Equal(RpcStatus.Unavailable, (await Assert.ThrowsAsync<RpcException>(async () => await new DeskClient(peer.Channel).CountAsync())).Status);
        await Eventually.HoldsAsync(() => server.Peers.All.Count == 0);
    }

    [Fact]
    public async Task Caller_that_serves_nothing_is_no_peer()
    {
        await using var server = Start();
        await using var channel = new SocketChannel(server.EndPoint, Codec);

        Assert.Equal(0, await new DeskClient(channel).CountAsync());

        Assert.Empty(server.Peers.All);
    }

    [Fact]
    public async Task Peer_that_comes_again_is_found_by_its_name()
    {
        await using var server = Start();
        var first = Connect(server, "north", new Desk());
        await first.ConnectAsync();
        await server.Peers.WaitAsync("north").AsTask().WaitAsync(Patience);
        await using var second = Connect(server, "north", new Desk());
        await second.ConnectAsync();
        await first.DisposeAsync();

        var answer = await Eventually.SucceedsAsync<RpcException, string>(
            async () => await new DeskClient((await server.Peers.WaitAsync("north")).Channel).JoinAsync("a", 2), gone => gone.Status == RpcStatus.Unavailable);

        Assert.Equal("aa", answer);
    }

    private static SocketServer Start()
        => SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, DeskContract.Serve(new Desk()), new SocketServerOptions { DrainTimeout = TimeSpan.Zero });

    private static SocketChannel Connect(SocketServer server, string name, IDesk theirs)
        => new(server.EndPoint, Codec, new SocketChannelOptions { PeerName = name, Services = [DeskContract.Serve(theirs)] });
}
