using System.Net;
using System.Text;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Frames that a caller must not send over HTTP/2: the connection ends, the others go on.</summary>
public sealed class Http2BadInputTests(BadInputHost host) : IClassFixture<BadInputHost>
{
    private const byte Data = 0, Headers = 1, Priority = 2, Reset = 3, Settings = 4, PushPromise = 5, Ping = 6, GoAway = 7, WindowUpdate = 8, Continuation = 9;
    private const byte EndStream = 1, Ack = 1, EndHeaders = 4, Padded = 8, HasPriority = 0x20;

    private static readonly byte[] s_preface = [.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8, .. Frame(Settings, 0, 0, [])];
    private static readonly byte[] s_request = [0x83, 0x86, 0x04, 13, .. "/api/desk/Sum"u8, 0x01, 4, .. "here"u8, 0x0F, 16, 17, .. "application/jsonl"u8];

    // What follows the greeting.
    private static readonly Dictionary<string, byte[]> s_fatal = new()
    {
        ["settings of a stream"] = Frame(Settings, 0, 1, []),
        ["settings that are cut"] = Frame(Settings, 0, 0, [0, 3, 0, 0, 0]),
        ["acknowledgement that says something"] = Frame(Settings, Ack, 0, [0, 3, 0, 0, 0, 1]),
        ["frames of one byte at most"] = Frame(Settings, 0, 0, [0, 5, 0, 0, 0, 1]),
        ["window beyond every number"] = Frame(Settings, 0, 0, [0, 4, 0xFF, 0xFF, 0xFF, 0xFF]),
        ["push that is neither on nor off"] = Frame(Settings, 0, 0, [0, 2, 0, 0, 0, 7]),
        ["data of no stream"] = Frame(Data, 0, 0, [1]),
        ["data of a stream that never began"] = Frame(Data, 0, 1, [1]),
        ["headers of no stream"] = Frame(Headers, EndHeaders, 0, s_request),
        ["headers of a server's stream"] = Frame(Headers, EndHeaders, 2, s_request),
        ["headers that cannot be unpacked"] = Frame(Headers, EndHeaders, 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
        ["header number 0"] = Frame(Headers, EndHeaders, 1, [0x80]),
        ["header number 5000"] = Frame(Headers, EndHeaders, 1, [0xFF, 0x89, 0x26]),
        ["table beyond what was allowed"] = Frame(Headers, EndHeaders, 1, [0x3F, 0xE1, 0xFF, 0xFF, 0x07]),
        ["headers padded beyond their end"] = Frame(Headers, EndHeaders | Padded, 1, [200, 0x83]),
        ["headers cut in their priority"] = Frame(Headers, EndHeaders | HasPriority, 1, [0, 0]),
        ["stream that depends on itself"] = Frame(Headers, EndHeaders | HasPriority, 1, [0, 0, 0, 1, 16, .. s_request]),
        ["data between headers"] = [.. Frame(Headers, 0, 1, s_request), .. Frame(Data, 0, 1, [1])],
        ["other stream between headers"] = [.. Frame(Headers, 0, 1, s_request), .. Frame(Headers, EndHeaders, 3, s_request)],
        ["continuation of nothing"] = Frame(Continuation, EndHeaders, 1, s_request),
        ["data padded beyond its end"] = [.. Frame(Headers, EndHeaders, 1, s_request), .. Frame(Data, Padded, 1, [200, 1])],
        ["stream whose number goes back"] = [.. Frame(Headers, EndHeaders, 3, s_request), .. Frame(Headers, EndHeaders, 1, s_request)],
        ["window that grows by nothing"] = Frame(WindowUpdate, 0, 0, [0, 0, 0, 0]),
        ["window that grows beyond every number"] = Frame(WindowUpdate, 0, 0, [0x7F, 0xFF, 0xFF, 0xFF]),
        ["window that is cut"] = Frame(WindowUpdate, 0, 0, [0, 1]),
        ["ping of seven bytes"] = Frame(Ping, 0, 0, new byte[7]),
        ["ping of a stream"] = Frame(Ping, 0, 1, new byte[8]),
        ["farewell of a stream"] = Frame(GoAway, 0, 1, new byte[8]),
        ["reset of a stream that never began"] = Frame(Reset, 0, 1, [0, 0, 0, 8]),
        ["reset that is cut"] = Frame(Reset, 0, 1, [0, 0, 8]),
        ["priority that is cut"] = Frame(Priority, 0, 1, [0, 0, 0, 0]),
        ["promise of a caller"] = Frame(PushPromise, EndHeaders, 1, [0, 0, 0, 2]),
        ["frame of sixteen million bytes"] = [0xFF, 0xFF, 0xFF, Data, 0, 0, 0, 0, 1],
    };

    public static TheoryData<string> Fatal => [.. s_fatal.Keys];

    [Theory]
    [MemberData(nameof(Fatal))]
    public async Task Frame_that_breaks_the_protocol_ends_the_connection_alone(string name)
    {
        using var raw = await RawHttp.OpenAsync(host.Http2);

        await raw.SendAsync([.. s_preface, .. s_fatal[name]]);

        // A farewell, and the end.
        Assert.Contains(GoAway, Kinds(await raw.ReadToEndAsync()));
        await AssertAnswersAsync();
    }

    [Theory]
    [InlineData("POST /api/desk/Count HTTP/1.1\r\nHost: here\r\nContent-Length: 0\r\n\r\n")]
    [InlineData("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n")]
    [InlineData("PRI * HTTP/3.0\r\n\r\nSM\r\n\r\n")]
    [InlineData("\0\0\0\u0004\0\0\0\0\0")]
    public async Task Greeting_that_is_none_ends_the_connection_alone(string greeting)
    {
        using var raw = await RawHttp.OpenAsync(host.Http2);

        await raw.SendAsync(Encoding.Latin1.GetBytes(greeting));
        raw.Finish();

        Assert.DoesNotContain(Data, Kinds(await raw.ReadToEndAsync()));
        await AssertAnswersAsync();
    }

    [Fact]
    public async Task Streams_that_begin_and_are_reset_at_once_stop_nobody_else()
    {
        using var raw = await RawHttp.OpenAsync(host.Http2);
        var flood = Enumerable.Range(0, 2_000).SelectMany(static i => (byte[])[.. Frame(Headers, EndHeaders, (2 * i) + 1, s_request), .. Frame(Reset, 0, (2 * i) + 1, [0, 0, 0, 8])]);

        await raw.SendAsync([.. s_preface, .. flood]);

        await AssertAnswersAsync();
        raw.Reset();
        await AssertAnswersAsync();
    }

    [Fact]
    public async Task Half_open_streams_beyond_the_limit_stop_nobody_else()
    {
        using var raw = await RawHttp.OpenAsync(host.Http2);
        var streams = Enumerable.Range(0, 300).SelectMany(static i => Frame(Headers, EndHeaders, (2 * i) + 1, s_request));

        await raw.SendAsync([.. s_preface, .. streams]);

        await AssertAnswersAsync();
        raw.Reset();
        await AssertAnswersAsync();
    }

    private static byte[] Frame(byte kind, byte flags, int stream, byte[] payload)
        => [(byte)(payload.Length >> 16), (byte)(payload.Length >> 8), (byte)payload.Length, kind, flags, (byte)(stream >> 24), (byte)(stream >> 16), (byte)(stream >> 8), (byte)stream, .. payload];

    private static List<byte> Kinds(byte[] answer)
    {
        var kinds = new List<byte>();
        for (var at = 0; at + 9 <= answer.Length; at += 9 + ((answer[at] << 16) | (answer[at + 1] << 8) | answer[at + 2]))
            kinds.Add(answer[at + 3]);
        return kinds;
    }

    private async Task AssertAnswersAsync()
    {
        await using var channel = new HttpChannel(new Uri($"http://{host.Http2}/api"), new RpcJsonCodec(DeskJson.Default), new HttpChannelOptions { Version = HttpVersion.Version20 });
        Assert.Equal(6, await new DeskClient(channel).SumAsync("a", new[] { 1, 2, 3 }.ToAsyncEnumerable(), TestContext.Current.CancellationToken));
    }
}
