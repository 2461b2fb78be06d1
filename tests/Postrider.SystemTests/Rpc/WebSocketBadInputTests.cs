using System.Text;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>What a caller must not send over a WebSocket: the connection ends, the others go on.</summary>
public sealed class WebSocketBadInputTests(BadInputHost host) : IClassFixture<BadInputHost>
{
    private const byte Last = 0x80;
    private const byte Next = 0, Text = 1, Binary = 2, Close = 8, Ping = 9, Pong = 10;

    private static readonly Dictionary<string, byte[]> s_fatal = new()
    {
        ["frame without a mask"] = [Last | Binary, 2, 1, 2],
        ["first reserved bit"] = Frame(Last | 0x40 | Binary, [1]),
        ["second reserved bit"] = Frame(Last | 0x20 | Binary, [1]),
        ["third reserved bit"] = Frame(Last | 0x10 | Binary, [1]),
        ["kind 3"] = Frame(Last | 3, [1]),
        ["kind 15"] = Frame(Last | 15, [1]),
        ["ping of 126 bytes"] = Frame(Last | Ping, new byte[126]),
        ["ping in fragments"] = Frame(Ping, [1]),
        ["pong in fragments"] = Frame(Pong, [1]),
        ["continuation of nothing"] = Frame(Last | Next, [1]),
        ["message within a message"] = [.. Frame(Binary, [1]), .. Frame(Last | Binary, [1])],
        ["text within a message"] = [.. Frame(Binary, [1]), .. Frame(Last | Text, [65])],
        ["length that is negative"] = [Last | Binary, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0],
        ["farewell of one byte"] = Frame(Last | Close, [3]),
        ["farewell with a number that is none"] = Frame(Last | Close, [0, 5]),
        ["farewell whose words are no UTF-8"] = Frame(Last | Close, [3, 0xE8, 0xC3, 0x28]),
        ["text that is no UTF-8"] = Frame(Last | Text, [0xC3, 0x28]),
        ["text where frames are spoken"] = Frame(Last | Text, Encoding.UTF8.GetBytes("{\"call\":1}")),
        ["frame of the socket that is none"] = Frame(Last | Binary, RawPeer.U32(0)),
        ["frame of the socket beyond the limit"] = Frame(Last | Binary, RawPeer.U32(17 * 1024 * 1024)),
        ["request before the greeting"] = Frame(Last | Binary, RawPeer.Request(1, 0, [])),
        ["greeting of another codec"] = Frame(Last | Binary, RawPeer.Hello(type: "application/xml")),
        ["greeting in the wrong words"] = Frame(Last | Binary, RawPeer.Hello(magic: 7)),
    };

    public static TheoryData<string> Fatal => [.. s_fatal.Keys];

    [Theory]
    [MemberData(nameof(Fatal))]
    public async Task Message_that_is_none_ends_the_connection_alone(string name)
    {
        using var raw = await OpenAsync();

        await raw.SendAsync(s_fatal[name]);

        await raw.ReadToEndAsync();
        await AssertAnswersAsync();
    }

    [Fact]
    public async Task Greeting_in_fragments_of_one_byte_with_pings_between_is_understood()
    {
        using var raw = await OpenAsync();
        var hello = RawPeer.Hello();

        for (var i = 0; i < hello.Length; i++)
            await raw.SendAsync([.. Frame((byte)((i == hello.Length - 1 ? Last : 0) | (i == 0 ? Binary : Next)), [hello[i]]), .. Frame(Last | Ping, [])]);
        await raw.SendAsync(Frame(Last | Binary, [.. RawPeer.Name(0, "desk/Count"), .. RawPeer.Request(7, 0, [])]));

        // Kind 4, no flags, call 7.
        byte[] answer = [4, 0, 7, 0, 0, 0];
        Assert.True((await raw.ReadUntilAsync(answer)).AsSpan().IndexOf(answer) > 0);
        await AssertAnswersAsync();
    }

    [Fact]
    public async Task Hundred_that_greet_and_break_off_within_a_frame_leave_nothing_behind()
    {
        for (var i = 0; i < 100; i++)
        {
            using var raw = await OpenAsync();
            await raw.SendAsync(Frame(Last | Binary, RawPeer.Hello())[..^3]);
            raw.Reset();
        }

        await AssertAnswersAsync();
    }

    private static byte[] Frame(byte first, byte[] payload)
    {
        byte[] length = payload.Length < 126 ? [(byte)(0x80 | payload.Length)] : [0x80 | 126, (byte)(payload.Length >> 8), (byte)payload.Length];
        return [first, .. length, 0, 0, 0, 0, .. payload];
    }

    private async Task<RawHttp> OpenAsync()
    {
        var raw = await RawHttp.OpenAsync(host.Http1);
        await raw.SendAsync(Encoding.ASCII.GetBytes(
            "GET /rpc HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: postrider.frames\r\n\r\n"));
        Assert.StartsWith("HTTP/1.1 101", Encoding.ASCII.GetString(await raw.ReadUntilAsync("\r\n\r\n"u8.ToArray())), StringComparison.Ordinal);
        return raw;
    }

    private async Task AssertAnswersAsync()
    {
        await using var channel = new WebSocketChannel(new Uri($"ws://{host.Http1}/rpc"), new RpcMessagePackCodec(DeskMessages.Default));
        Assert.Equal("a-a", await new DeskClient(channel).JoinAsync("a", 2, "-"));
    }
}
