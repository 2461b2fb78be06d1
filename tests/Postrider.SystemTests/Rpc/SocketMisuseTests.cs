using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>What callers do to a socket's calls by mistake, and many of them at once.</summary>
public sealed class SocketMisuseTests
{
    private const int Many = 1000;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly RpcMessagePackCodec Codec = new(DeskMessages.Default);

    private readonly Desk _desk = new();

    [Fact]
    [SuppressMessage("Reliability", "CA2012", Justification = "Reading a result too early is the mistake that is tested.")]
    public async Task Result_that_is_read_too_early_says_so_and_reaches_no_other_call()
    {
        await using var server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, DeskContract.Serve(_desk));
        await using var channel = new SocketChannel(server.EndPoint, Codec);
        var client = new DeskClient(channel);
        await client.CountAsync();
        var early = new List<(CancellationTokenSource End, ValueTask<string> Call)>();

        for (var i = 0; i < 20; i++)
        {
            var end = new CancellationTokenSource();
            var call = client.WaitAsync(end.Token);
            Assert.Throws<InvalidOperationException>(() => call.GetAwaiter().GetResult());
            early.Add((end, call));
            Assert.Equal("began", await _desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));
        }

        // Another of the same operation has its own end, and so has each of those.
        using var last = new CancellationTokenSource();
        var other = client.WaitAsync(last.Token).AsTask();
        foreach (var (end, call) in early)
        {
            await end.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.AsTask().WaitAsync(Patience));
            end.Dispose();
        }

        Assert.False(other.IsCompleted);
        await last.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => other.WaitAsync(Patience));
    }

    [Fact]
    public async Task Thousand_calls_fail_with_words_when_their_connection_drops_and_the_next_is_answered()
    {
        var server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, DeskContract.Serve(_desk), new SocketServerOptions { DrainTimeout = TimeSpan.Zero });
        await using var channel = new SocketChannel(server.EndPoint, Codec);
        var client = new DeskClient(channel);
        var waiting = Enumerable.Range(0, Many).Select(_ => client.WaitAsync().AsTask()).ToList();
        for (var i = 0; i < Many; i++)
            await _desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience);

        await server.DisposeAsync();

        foreach (var call in waiting)
        {
            var failure = await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(Patience));
            Assert.Equal((RpcStatus.Unavailable, false), (failure.Status, failure.IsUnsent));
            Assert.StartsWith("desk/Wait failed: The connection ", failure.Message, StringComparison.Ordinal);
        }

        await using var again = SocketServer.Start(server.EndPoint, Codec, DeskContract.Serve(_desk));
        Assert.Equal(Enumerable.Range(0, Many).Select(i => $"{i}"), await Task.WhenAll(Enumerable.Range(0, Many).Select(i => client.JoinAsync($"{i}", 1))).WaitAsync(Patience));
        Assert.Equal(1, again.Connections);
    }

    [Fact]
    public async Task Server_that_accepts_and_says_nothing_fails_all_who_wait_at_once()
    {
        using var silent = new Socket(SocketType.Stream, ProtocolType.Tcp);
        silent.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        silent.Listen();
        await using var channel = new SocketChannel(silent.LocalEndPoint!, Codec, new SocketChannelOptions { ConnectTimeout = TimeSpan.FromMilliseconds(200), Timeout = Patience });
        var client = new DeskClient(channel);

        // One after the other they would take 200 s.
        var failures = await Task.WhenAll(Enumerable.Range(0, Many).Select(_ => Assert.ThrowsAsync<RpcException>(() => client.JoinAsync("a", 1)))).WaitAsync(Patience);

        Assert.All(failures, f => Assert.Equal((RpcStatus.Unavailable, true, $"{silent.LocalEndPoint} did not respond within 0.2 s."), (f.Status, f.IsUnsent, f.Message)));
    }

    [Fact]
    public async Task Caller_that_gives_up_connecting_takes_the_connection_from_nobody()
    {
        using var gate = new Socket(SocketType.Stream, ProtocolType.Tcp);
        gate.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        gate.Listen();
        await using var server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, DeskContract.Serve(_desk));
        await using var channel = new SocketChannel(gate.LocalEndPoint!, Codec);
        var client = new DeskClient(channel);
        using var end = new CancellationTokenSource();
        var first = client.OpenAsync(new Ticket(Guid.Empty, "", []), end.Token).AsTask();
        var second = client.JoinAsync("a", 2);
        using var accepted = await gate.AcceptAsync().WaitAsync(Patience);

        await end.CancelAsync();
        var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first.WaitAsync(Patience));
        Assert.Equal(end.Token, cancelled.CancellationToken);
        using var behind = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await behind.ConnectAsync(server.EndPoint);
        await using var one = new NetworkStream(accepted);
        await using var other = new NetworkStream(behind);
        var passing = Task.WhenAll(one.CopyToAsync(other), other.CopyToAsync(one));

        Assert.Equal("aa", await second.WaitAsync(Patience));
        await channel.DisposeAsync();
        Assert.False(passing.IsFaulted);
    }
}
