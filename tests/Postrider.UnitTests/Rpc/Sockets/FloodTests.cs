using Postrider.Rpc;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Sockets;
using Postrider.TestKit;

namespace Postrider.UnitTests.Rpc.Sockets;

/// <summary>What a caller can make one connection hold is bounded in bytes, and given back.</summary>
[Collection(ProcessMemory.Name)]
public sealed class FloodTests : IAsyncLifetime
{
    private const int Megabyte = 1024 * 1024;
    private const int OpenBytes = 4 * Megabyte;

    // What the pool keeps of the buffers that messages went through.
    private const int PoolBytes = 24 * Megabyte;

    // Message pack's form of an array of bytes with four bytes of length.
    private static readonly byte[] Large = [0xC6, 0, 0x08, 0, 0, .. new byte[512 * 1024]];

    private readonly Hoard _hoard = new();
    private readonly ConnectionServer _host;
    private readonly RawPeer _peer;

    public FloodTests()
    {
        _host = new(
            [new RpcMessagePackCodec()], [HoardContract.Serve(_hoard)],
            new SocketServerOptions { Limits = new() { MaxOpenBytes = OpenBytes, MaxPendingBytes = 2 * Megabyte }, DrainTimeout = TimeSpan.Zero });
        _peer = new(new MemoryFrameTransports(_host).Open());
    }

    public async ValueTask InitializeAsync() => await _peer.GreetAsync();

    public async ValueTask DisposeAsync()
    {
        _hoard.Release();
        _peer.Dispose();
        await _host.DisposeAsync();
    }

    [Fact]
    public async Task Names_of_what_is_not_served_are_not_kept()
    {
        var before = GC.GetTotalMemory(forceFullCollection: true);

        for (var i = 0u; i < 2048; i++)
            await _peer.NameAsync(i, i + new string('x', 60_000));
        await _peer.RequestAsync(1, 2047, []);

        Assert.Equal((RpcStatus.NotFound, "No service implements the operation."), await _peer.ReadFailureAsync(1));
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 16 * Megabyte);
    }

    [Fact]
    public async Task Name_of_what_is_not_served_is_in_the_answer_when_it_is_short()
    {
        await _peer.NameAsync(0, "hoard/Nothing");
        await _peer.RequestAsync(1, 0, []);

        Assert.Equal((RpcStatus.NotFound, "No service implements hoard/Nothing."), await _peer.ReadFailureAsync(1));
    }

    [Fact]
    public async Task Messages_of_calls_that_do_not_end_are_bounded_in_bytes()
    {
        await _peer.NameAsync(0, "hoard/Hold");
        var before = GC.GetTotalMemory(forceFullCollection: true);

        for (var i = 1u; i <= 200; i++)
            await _peer.RequestAsync(i, 0, Large);

        Assert.Equal(RpcStatus.Busy, (await _peer.ReadFailureAsync(200)).Status);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, OpenBytes + PoolBytes);
    }

    [Fact]
    public async Task Call_that_has_ended_makes_room_for_others()
    {
        await _peer.NameAsync(0, "hoard/Hold");
        for (var i = 1u; i <= 20; i++)
            await _peer.RequestAsync(i, 0, Large);
        await _peer.ReadFailureAsync(20);

        for (var i = 1u; i < 20; i++)
            await _peer.SendAsync(RpcFrameKind.Cancel, i, []);
        _hoard.Release();
        uint answered;
        var at = 100u;
        do
        {
            await _peer.RequestAsync(++at, 0, Large);
            (var kind, answered, _) = await _peer.ReadAsync();
            if (kind != RpcFrameKind.Response)
                answered = 0;
        }
        while (answered < 100);

        Assert.InRange(answered, 101u, at);
    }

    [Fact]
    public async Task Items_that_nobody_reads_are_bounded_over_all_streams()
    {
        await _peer.NameAsync(0, "hoard/HoldAll");
        var before = GC.GetTotalMemory(forceFullCollection: true);

        for (var i = 1u; i <= 200; i++)
        {
            await _peer.RequestAsync(i, 0, [0x90]);
            await _peer.SendAsync(RpcFrameKind.Item, i, Large);
        }

        await _peer.NameAsync(1, "hoard/Nothing");
        await _peer.RequestAsync(201, 1, []);
        await _peer.ReadFailureAsync(201);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, OpenBytes + PoolBytes);
        _hoard.Release();
        Assert.Equal(RpcStatus.Busy, (await _peer.ReadFailureAsync(200)).Status);
    }

    [Fact]
    public async Task Headers_beyond_their_limit_end_the_connection()
    {
        await _peer.NameAsync(0, "hoard/Hold");

        await _peer.RequestAsync(1, 0, [2, 0, .. Header("a", 40_000), .. Header("b", 40_000), 0xC4, 0], FrameFlags.Headers);

        Assert.Equal((RpcStatus.ProtocolError, "The headers of call 1 are malformed."), await _peer.ReadFailureAsync(0));
    }

    [Fact]
    public async Task Half_a_frame_before_the_greeting_takes_no_more_than_a_greeting_may()
    {
        using var stranger = new RawPeer(new MemoryFrameTransports(_host).Open());

        await stranger.SendAsync(new byte[] { 0, 0, 0x80, 0, 1, 0 });

        Assert.Equal(RpcStatus.TooLarge, (await stranger.ReadFailureAsync(0)).Status);
    }

    [Fact]
    public async Task Half_messages_take_what_was_received_of_them_and_give_it_back()
    {
        var before = GC.GetTotalMemory(forceFullCollection: true);
        var strangers = Enumerable.Range(0, 50).Select(_ => new RawPeer(new MemoryFrameTransports(_host).Open())).ToList();

        foreach (var stranger in strangers)
        {
            await stranger.GreetAsync();
            await stranger.SendAsync(new byte[] { 0, 0, 0xFF, 0, 3, 0 });
        }

        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 50 * 512 * 1024);
        foreach (var stranger in strangers)
            stranger.Dispose();
        await Eventually.HoldsAsync(() => _host.Connections == 1);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 50 * 512 * 1024);
    }

    [Fact]
    public async Task Stream_waits_for_a_caller_that_does_not_read_whatever_window_it_states()
    {
        await _peer.NameAsync(0, "hoard/Pour");
        await _peer.RequestAsync(1, 0, [0xCE, 0, 0x01, 0, 0]);

        await Eventually.HoldsAsync(() => _hoard.Poured > 20);
        var poured = _hoard.Poured;
        await _peer.ReadAsync();

        Assert.InRange(poured, 20, 80);
        Assert.InRange(_hoard.Poured, 20, 80);
    }

    private static byte[] Header(string name, int valueBytes) => [.. RawPeer.Text(name, 1), .. RawPeer.Text(new string('v', valueBytes), 2)];
}
