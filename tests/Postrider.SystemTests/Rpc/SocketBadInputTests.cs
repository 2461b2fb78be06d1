using System.Net;
using System.Text;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>What a caller must not send: the server says so, cuts it off where it cannot go on, and serves the next.</summary>
public sealed class SocketBadInputTests : IAsyncLifetime
{
    private const uint Connection = 0;
    private const string Long = "desk/CountTo";

    // Bytes after the greeting: each ends the connection.
    private static readonly Dictionary<string, (byte[] Bytes, RpcStatus Status)> s_fatal = new()
    {
        ["length 0"] = (RawPeer.U32(0), RpcStatus.ProtocolError),
        ["length 5"] = ([.. RawPeer.U32(5), 3, 0, 0, 0, 0], RpcStatus.ProtocolError),
        ["length beyond the limit"] = (RawPeer.U32(17 * 1024 * 1024), RpcStatus.TooLarge),
        ["length that is negative"] = (RawPeer.U32(uint.MaxValue), RpcStatus.TooLarge),
        ["kind 0"] = (RawPeer.Frame(0, 0, 1, []), RpcStatus.ProtocolError),
        ["kind 99"] = (RawPeer.Frame(99, 0, 1, []), RpcStatus.ProtocolError),
        ["greeting twice"] = (RawPeer.Hello(), RpcStatus.ProtocolError),
        ["answer"] = (RawPeer.Frame(4, 0, 1, []), RpcStatus.ProtocolError),
        ["error"] = (RawPeer.Frame(5, 0, 1, []), RpcStatus.ProtocolError),
        ["goodbye"] = (RawPeer.Frame(10, 0, 0, []), RpcStatus.ProtocolError),
        ["flags nobody knows"] = (RawPeer.Frame(3, 0x80, 1, [0, 0]), RpcStatus.ProtocolError),
        ["request without a body"] = (RawPeer.Frame(3, 0, 1, []), RpcStatus.ProtocolError),
        ["request of one byte"] = (RawPeer.Frame(3, 0, 1, [0]), RpcStatus.ProtocolError),
        ["request for what was not named"] = (RawPeer.Request(1, 7, []), RpcStatus.ProtocolError),
        ["request beyond every number"] = (RawPeer.Request(1, 65535, []), RpcStatus.ProtocolError),
        ["name beyond the limit"] = (RawPeer.Name(4096, "desk/Count"), RpcStatus.ProtocolError),
        ["name with a number of four bytes"] = (RawPeer.Name(uint.MaxValue, "desk/Count"), RpcStatus.ProtocolError),
        ["name without a body"] = (RawPeer.Frame(2, 0, 1, []), RpcStatus.ProtocolError),
        ["name cut"] = (RawPeer.Frame(2, 0, 1, [10, 0, (byte)'d']), RpcStatus.ProtocolError),
        ["name that is no UTF-8"] = (RawPeer.Frame(2, 0, 1, [2, 0, 0xFF, 0xFE]), RpcStatus.ProtocolError),
        ["two-way request without a number"] = ([.. RawPeer.Name(0, "desk/Count"), .. RawPeer.Request(0, 0, [])], RpcStatus.ProtocolError),
        ["one-way request with a number"] = ([.. RawPeer.Name(0, "desk/Note"), .. RawPeer.Request(1, 0, [0xA0])], RpcStatus.ProtocolError),
        ["time that is cut"] = ([.. RawPeer.Name(0, "desk/Count"), .. RawPeer.Request(1, 0, [1, 2], flags: 1)], RpcStatus.ProtocolError),
        ["headers that are cut"] = ([.. RawPeer.Name(0, "desk/Count"), .. RawPeer.Request(1, 0, [1, 0, 5], flags: 2)], RpcStatus.ProtocolError),
        ["header without a name"] = ([.. RawPeer.Name(0, "desk/Count"), .. RawPeer.Request(1, 0, [1, 0, 0, 0, 0], flags: 2)], RpcStatus.ProtocolError),
        ["header with a line end"] = ([.. RawPeer.Name(0, "desk/Count"), .. RawPeer.Request(1, 0, [1, 0, 1, (byte)'a', 1, 0, 10], flags: 2)], RpcStatus.ProtocolError),
        ["60000 headers"] = ([.. RawPeer.Name(0, "desk/Count"), .. RawPeer.Request(1, 0, RawPeer.U16(60000), flags: 2)], RpcStatus.ProtocolError),
        ["number that is under way"] = ([.. RawPeer.Name(0, "desk/Wait"), .. RawPeer.Request(1, 0, []), .. RawPeer.Request(1, 0, [])], RpcStatus.ProtocolError),
        ["item for a call without a stream"] = ([.. RawPeer.Name(0, "desk/Wait"), .. RawPeer.Request(1, 0, []), .. RawPeer.Frame(6, 0, 1, [1])], RpcStatus.ProtocolError),
        ["end for a call without a stream"] = ([.. RawPeer.Name(0, "desk/Wait"), .. RawPeer.Request(1, 0, []), .. RawPeer.Frame(7, 0, 1, [])], RpcStatus.ProtocolError),
        ["credit that is cut"] = ([.. RawPeer.Name(0, Long), .. RawPeer.Request(1, 0, [0xFF]), .. RawPeer.Frame(9, 0, 1, [1, 2])], RpcStatus.ProtocolError),
        ["credit beyond sense"] = ([.. RawPeer.Name(0, Long), .. RawPeer.Request(1, 0, [0xFF]), .. RawPeer.Frame(9, 0, 1, RawPeer.U32(uint.MaxValue))], RpcStatus.ProtocolError),
    };

    // First bytes of a connection.
    private static readonly Dictionary<string, (byte[] Bytes, RpcStatus Status)> s_first = new()
    {
        ["HTTP"] = (Encoding.ASCII.GetBytes("GET / HTTP/1.1\r\nHost: here\r\n\r\n"), RpcStatus.TooLarge),
        ["TLS"] = ([0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3], RpcStatus.TooLarge),
        ["request before the greeting"] = (RawPeer.Request(1, 0, []), RpcStatus.ProtocolError),
        ["empty greeting"] = (RawPeer.Frame(1, 0, 0, []), RpcStatus.ProtocolError),
        ["greeting that is cut"] = (RawPeer.Frame(1, 0, 0, RawPeer.Hello()[10..20]), RpcStatus.ProtocolError),
        ["other magic"] = (RawPeer.Hello(magic: 1), RpcStatus.ProtocolError),
        ["other version"] = (RawPeer.Hello(version: 2), RpcStatus.Unsupported),
        ["other codec"] = (RawPeer.Hello(type: "application/xml"), RpcStatus.Unsupported),
        ["no codec"] = (RawPeer.Hello(type: ""), RpcStatus.Unsupported),
        ["nothing may be sent"] = (RawPeer.Hello(most: 0), RpcStatus.ProtocolError),
        ["more than there is"] = (RawPeer.Hello(most: uint.MaxValue), RpcStatus.ProtocolError),
        ["no window"] = (RawPeer.Hello(window: 0), RpcStatus.ProtocolError),
    };

    // Requests that fail alone.
    private static readonly Dictionary<string, (string Operation, byte[] Body, RpcStatus Status)> s_alone = new()
    {
        ["operation that is not there"] = ("desk/Nowhere", [], RpcStatus.NotFound),
        ["service that is not there"] = ("nowhere/Count", [], RpcStatus.NotFound),
        ["operation without a name"] = ("", [], RpcStatus.NotFound),
        ["no message"] = ("desk/Open", [], RpcStatus.InvalidData),
        ["byte that MessagePack never uses"] = ("desk/Open", [0xC1], RpcStatus.InvalidData),
        ["message of another type"] = ("desk/Open", [0xA1, (byte)'a'], RpcStatus.InvalidData),
        ["message that is cut"] = ("desk/Open", [0x93, 0xC4, 16, 1], RpcStatus.InvalidData),
        ["array of four billion"] = ("desk/Open", [0xDD, 0xFF, 0xFF, 0xFF, 0xFF], RpcStatus.InvalidData),
        ["text of four billion"] = ("desk/Note2", [0xDB, 0xFF, 0xFF, 0xFF, 0xFF], RpcStatus.NotFound),
        ["bytes of four billion"] = ("desk/Echo", [0xC6, 0xFF, 0xFF, 0xFF, 0xFF], RpcStatus.InvalidData),
        ["text that is no UTF-8"] = ("desk/Join", [0x93, 0xA2, 0xFF, 0xFE, 1, 0xC0], RpcStatus.InvalidData),
        ["number that is none"] = ("desk/Buy", [0xC0], RpcStatus.InvalidData),
        ["number out of range"] = ("desk/Buy", [0xCF, 1, 2, 3, 4, 5, 6, 7, 8], RpcStatus.InvalidData),
        ["bytes after the message"] = ("desk/Buy", [1, 2], RpcStatus.InvalidData),
        ["a thousand arrays in each other"] = ("desk/Open", [.. Enumerable.Repeat((byte)0x91, 1000)], RpcStatus.InvalidData),
        ["a thousand arrays in a parameter"] = ("desk/Join", [0x94, 0xA1, (byte)'a', 1, 0xC0, .. Enumerable.Repeat((byte)0x91, 1000)], RpcStatus.InvalidData),
    };

    private SocketServer _server = null!;

    public static TheoryData<string> Fatal => [.. s_fatal.Keys];

    public static TheoryData<string> First => [.. s_first.Keys];

    public static TheoryData<string> Alone => [.. s_alone.Keys];

    public ValueTask InitializeAsync()
    {
        _server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), new RpcMessagePackCodec(DeskMessages.Default), DeskContract.Serve(new Desk()));
        return default;
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    [Theory]
    [MemberData(nameof(Fatal))]
    public async Task Frame_that_breaks_the_protocol_ends_the_connection_with_words(string name)
        => await EndsAsync([.. RawPeer.Hello(), .. s_fatal[name].Bytes], s_fatal[name].Status);

    [Theory]
    [MemberData(nameof(First))]
    public async Task Greeting_that_is_none_ends_the_connection_with_words(string name)
        => await EndsAsync(s_first[name].Bytes, s_first[name].Status);

    [Theory]
    [MemberData(nameof(Alone))]
    public async Task Request_that_cannot_be_served_fails_alone(string name)
    {
        var (operation, body, status) = s_alone[name];
        using var peer = await RawPeer.OpenAsync(_server.EndPoint);

        await peer.SendAsync([.. RawPeer.Hello(), .. RawPeer.Name(0, operation), .. RawPeer.Request(7, 0, body)]);

        Assert.Equal((status, 7u), await peer.ReadErrorAsync());
        await peer.SendAsync([.. RawPeer.Name(1, "desk/Count"), .. RawPeer.Request(8, 1, [])]);
        Assert.Equal((4, 8u), await peer.ReadAsync() is { } next ? (next.Kind, next.Call) : default);
    }

    [Fact]
    public async Task Frames_for_calls_that_have_ended_are_passed_over()
    {
        using var peer = await RawPeer.OpenAsync(_server.EndPoint);

        await peer.SendAsync([.. RawPeer.Hello(), .. RawPeer.Frame(6, 0, 5, [1]), .. RawPeer.Frame(7, 0, 5, []), .. RawPeer.Frame(8, 0, 5, []), .. RawPeer.Frame(9, 0, 5, [])]);
        await peer.SendAsync([.. RawPeer.Name(1, "desk/Count"), .. RawPeer.Request(8, 1, [])]);

        Assert.Equal<byte?>(1, (await peer.ReadAsync())?.Kind);
        Assert.Equal((4, 8u), await peer.ReadAsync() is { } next ? (next.Kind, next.Call) : default);
    }

    [Fact]
    public async Task Bytes_one_at_a_time_are_served_the_same()
    {
        using var peer = await RawPeer.OpenAsync(_server.EndPoint);

        foreach (var one in (byte[])[.. RawPeer.Hello(), .. RawPeer.Name(0, "desk/Buy"), .. RawPeer.Request(3, 0, [21])])
            await peer.SendAsync([one]);

        Assert.Equal<byte?>(1, (await peer.ReadAsync())?.Kind);
        var answer = await peer.ReadAsync();
        Assert.Equal((4, 3u, 42), (answer!.Value.Kind, answer.Value.Call, answer.Value.Body[0]));
    }

    [Fact]
    public async Task Item_that_cannot_be_read_fails_its_call_alone()
    {
        using var peer = await RawPeer.OpenAsync(_server.EndPoint);

        await peer.SendAsync([.. RawPeer.Hello(), .. RawPeer.Name(0, "desk/Sum"), .. RawPeer.Request(3, 0, [0xA0]), .. RawPeer.Frame(6, 0, 3, [0xC1])]);

        Assert.Equal((RpcStatus.InvalidData, 3u), await peer.ReadErrorAsync());
    }

    [Fact]
    public async Task Items_beyond_the_window_end_the_connection()
    {
        using var peer = await RawPeer.OpenAsync(_server.EndPoint);
        await peer.SendAsync([.. RawPeer.Hello(), .. RawPeer.Name(1, "desk/Shout"), .. RawPeer.Request(3, 1, [])]);
        byte[] item = RawPeer.Frame(6, 0, 3, [0xDB, .. BitConverter.GetBytes(System.Buffers.Binary.BinaryPrimitives.ReverseEndianness(500_000)), .. new byte[500_000]]);

        // Nobody reads the answers, so the operation cannot go on: what it does not read fills the window and more.
        var sending = Task.Run(async () =>
        {
            for (var i = 0; i < 60; i++)
                await peer.SendAsync(item);
        });

        await sending;
        // What was sent and not read any more may take the words with it: a closed socket resets then.
        var said = await peer.ReadErrorAsync();
        Assert.True(said is null or { Status: RpcStatus.ProtocolError, Call: Connection }, $"{said}");
        await AnswersAsync();
    }

    [Fact]
    public async Task Calls_beyond_the_limit_are_refused_and_the_others_go_on()
    {
        await using var server = SocketServer.Start(
            new IPEndPoint(IPAddress.Loopback, 0), new RpcMessagePackCodec(DeskMessages.Default), DeskContract.Serve(new Desk()),
            new SocketServerOptions { Limits = new SocketLimits { MaxCalls = 10 }, DrainTimeout = TimeSpan.Zero });
        using var peer = await RawPeer.OpenAsync(server.EndPoint);

        await peer.SendAsync([.. RawPeer.Hello(), .. RawPeer.Name(0, "desk/Wait"), .. Enumerable.Range(1, 11).SelectMany(i => RawPeer.Request((uint)i, 0, []))]);

        Assert.Equal((RpcStatus.Busy, 11u), await peer.ReadErrorAsync());
        await peer.SendAsync(RawPeer.Frame(8, 0, 4, []));
        Assert.Equal((RpcStatus.Cancelled, 4u), await peer.ReadErrorAsync());
    }

    [Fact]
    public async Task Connection_that_says_nothing_is_closed()
    {
        await using var server = SocketServer.Start(
            new IPEndPoint(IPAddress.Loopback, 0), new RpcMessagePackCodec(DeskMessages.Default), DeskContract.Serve(new Desk()),
            new SocketServerOptions { HelloTimeout = TimeSpan.FromMilliseconds(50) });
        using var peer = await RawPeer.OpenAsync(server.EndPoint);

        await peer.SendAsync([1, 2]);

        Assert.Null(await peer.ReadAsync());
    }

    private async Task EndsAsync(byte[] bytes, RpcStatus status)
    {
        using var peer = await RawPeer.OpenAsync(_server.EndPoint);

        await peer.SendAsync(bytes);

        Assert.Equal((status, Connection), await peer.ReadErrorAsync());
        Assert.Null(await peer.ReadAsync());
        await AnswersAsync();
    }

    private async Task AnswersAsync()
    {
        await using var channel = new SocketChannel(_server.EndPoint, new RpcMessagePackCodec(DeskMessages.Default));
        Assert.Equal("aa", await new DeskClient(channel).JoinAsync("a", 2));
    }
}
