using System.Net;
using System.Net.Sockets;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Connections that break, servers that go, limits that are met.</summary>
public sealed class SocketFaultTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly RpcMessagePackCodec Codec = new(DeskMessages.Default);

    private readonly Desk _desk = new();

    [Fact]
    public async Task End_of_the_connection_fails_what_is_under_way_and_the_next_call_connects_again()
    {
        var server = Start(new SocketServerOptions { DrainTimeout = TimeSpan.Zero });
        await using var channel = new SocketChannel(server.EndPoint, Codec);
        var client = new DeskClient(channel);
        var waiting = Enumerable.Range(0, 10).Select(_ => client.WaitAsync().AsTask()).ToList();
        for (var i = 0; i < 10; i++)
            await _desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience);

        await server.DisposeAsync();

        foreach (var call in waiting)
            Assert.Equal(RpcStatus.Unavailable, (await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(Patience))).Status);
        await using var again = SocketServer.Start(server.EndPoint, Codec, DeskContract.Serve(_desk));
        Assert.Equal("aa", await client.JoinAsync("a", 2));
    }

    [Fact]
    public async Task Disposing_the_server_lets_calls_end()
    {
        var server = Start(new SocketServerOptions { DrainTimeout = Patience });
        await using var channel = new SocketChannel(server.EndPoint, Codec);
        using var end = new CancellationTokenSource();
        var waiting = new DeskClient(channel).WaitAsync(end.Token).AsTask();
        Assert.Equal("began", await _desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));

        var closing = server.DisposeAsync().AsTask();
        Assert.False(closing.IsCompleted);
        await end.CancelAsync();

        await closing.WaitAsync(Patience);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
    }

    [Fact]
    public async Task Disposing_the_channel_fails_what_is_under_way_and_what_follows()
    {
        await using var server = Start();
        var channel = new SocketChannel(server.EndPoint, Codec);
        var client = new DeskClient(channel);
        var waiting = client.WaitAsync().AsTask();
        Assert.Equal("began", await _desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));

        await channel.DisposeAsync();

        Assert.Equal(RpcStatus.Unavailable, (await Assert.ThrowsAsync<RpcException>(() => waiting.WaitAsync(Patience))).Status);
        Assert.Equal(RpcStatus.Unavailable, (await Assert.ThrowsAsync<RpcException>(async () => await client.CountAsync())).Status);
        Assert.Equal("cancelled", await _desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));
    }

    [Fact]
    public async Task Server_that_is_not_there_is_unavailable()
    {
        using var free = new Socket(SocketType.Stream, ProtocolType.Tcp);
        free.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        await using var channel = new SocketChannel(free.LocalEndPoint!, Codec);

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await new DeskClient(channel).CountAsync());

        Assert.Equal(RpcStatus.Unavailable, failure.Status);
    }

    [Fact]
    public async Task Codec_that_the_server_does_not_speak_is_refused_with_words()
    {
        await using var server = Start();
        await using var channel = new SocketChannel(server.EndPoint, new RpcJsonCodec(DeskJson.Default));

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await new DeskClient(channel).CountAsync());

        Assert.Equal((RpcStatus.Unsupported, "Unsupported content type 'application/json'. Supported: application/msgpack."), (failure.Status, failure.Message));
    }

    [Fact]
    public async Task Message_beyond_the_servers_limit_fails_alone()
    {
        await using var server = Start(new SocketServerOptions { Limits = new SocketLimits { MaxMessageBytes = 100_000 } });
        await using var channel = new SocketChannel(server.EndPoint, Codec);
        var client = new DeskClient(channel);

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await client.EchoAsync(new byte[200_000]));

        Assert.Equal(RpcStatus.TooLarge, failure.Status);
        Assert.Equal(90_000, (await client.EchoAsync(new byte[90_000])).Length);
    }

    [Fact]
    public async Task Answer_beyond_the_callers_limit_fails_alone()
    {
        await using var server = Start();
        await using var channel = new SocketChannel(server.EndPoint, Codec, new SocketChannelOptions { Limits = new SocketLimits { MaxMessageBytes = 100_000 } });
        var client = new DeskClient(channel);

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await client.EchoAsync(new byte[300_000]));

        Assert.Equal(RpcStatus.TooLarge, failure.Status);
        Assert.Equal(1_000, (await client.EchoAsync(new byte[1_000])).Length);
    }

    [Fact]
    public async Task Answers_that_come_too_late_leave_nothing_behind_and_reach_no_other_call()
    {
        await using var server = Start();
        await using var channel = new SocketChannel(server.EndPoint, Codec);
        var client = new DeskClient(channel);

        for (var i = 0; i < 300; i++)
        {
            using var end = new CancellationTokenSource();
            var late = client.WaitAsync(end.Token).AsTask();
            var others = Enumerable.Range(0, 5).Select(n => client.JoinAsync($"{i} {n}", 1)).ToList();
            await end.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => late.WaitAsync(Patience));
            Assert.Equal(Enumerable.Range(0, 5).Select(n => $"{i} {n}"), await Task.WhenAll(others).WaitAsync(Patience));
        }
    }

    [Fact]
    public async Task Blocking_pattern_has_one_call_at_a_time_on_a_connection()
    {
        await using var server = Start(new SocketServerOptions { Limits = new SocketLimits { MaxCalls = 1 } });
        await using var channel = new SocketChannel(server.EndPoint, Codec, new SocketChannelOptions { Pattern = DispatchPattern.Blocking, MaxConnections = 3 });
        var client = new DeskClient(channel);

        var answers = await Task.WhenAll(Enumerable.Range(0, 200).Select(i => client.JoinAsync($"{i}", 1))).WaitAsync(Patience);

        Assert.Equal(Enumerable.Range(0, 200).Select(i => $"{i}"), answers);
        Assert.InRange(server.Connections, 1, 3);
    }

    [Fact]
    public async Task Time_includes_the_waiting_for_a_free_connection()
    {
        await using var server = Start(new SocketServerOptions { DrainTimeout = TimeSpan.Zero });
        await using var channel = new SocketChannel(server.EndPoint, Codec, new SocketChannelOptions { Pattern = DispatchPattern.Blocking, MaxConnections = 1 });
        var client = new DeskClient(channel);
        var waiting = client.WaitAsync().AsTask();
        Assert.Equal("began", await _desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));

        var failure = await Assert.ThrowsAsync<RpcException>(
            () => client.EchoHeadersAsync("a", new CallContext { Timeout = TimeSpan.FromMilliseconds(50) }).AsTask().WaitAsync(Patience));

        Assert.Equal(RpcStatus.DeadlineExceeded, failure.Status);
        Assert.False(waiting.IsCompleted);
    }

    [Fact]
    public async Task Reader_that_stops_holds_the_stream_and_not_the_connection()
    {
        await using var server = Start(new SocketServerOptions { DrainTimeout = TimeSpan.Zero });
        await using var channel = new SocketChannel(server.EndPoint, Codec);
        var client = new DeskClient(channel);
        await using var items = client.CountToAsync(-1).GetAsyncEnumerator();
        Assert.True(await items.MoveNextAsync());

        // The stream would be endless: its sender waits for credit while other calls go on.
        for (var i = 0; i < 100; i++)
            Assert.Equal("aa", await client.JoinAsync("a", 2));

        for (var i = -2; i > -50_000; i--)
        {
            Assert.True(await items.MoveNextAsync());
            Assert.Equal(i, items.Current);
        }
    }

    private SocketServer Start(SocketServerOptions? options = null)
        => SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, DeskContract.Serve(_desk), options);
}
