using System.Net.WebSockets;
using System.Text;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>The contract over WebSockets whose messages are objects of JSON.</summary>
public sealed class WebSocketTextTests : WebSocketTests
{
    public static TheoryData<string, string> Conversations => new()
    {
        // What is said, each line a message; what is heard.
        { """{"id":1,"call":"desk/Count"}""", """{"id":1,"result":0}""" },
        { """{ "message": {"times":2,"first":"x"}, "call":"desk/Join", "id":4294967295, "unknown":[{}] }""", """{"id":4294967295,"result":"xx"}""" },
        { """{"id":1,"call":"desk/Clear"}""", """{"id":1,"result":null}""" },
        { """{"id":1,"call":"desk/EchoHeaders","message":"tenant","headers":{"Tenant":"north"},"timeout":60000}""", """{"id":1,"headers":{"served-by":"desk"},"result":"north True"}""" },
        { """{"id":1,"call":"desk/Buy","message":101}""", """{"id":1,"error":{"title":"SoldOut","status":422,"detail":"Only 100 are left.","fault":{"left":100,"item":"tea"}}}""" },
        { """{"id":1,"call":"desk/Buy","message":-1}""", """{"id":1,"error":{"title":"Forbidden","status":403,"detail":"Nothing is taken back."}}""" },
        { """{"id":1,"call":"desk/Buy","message":0}""", """{"id":1,"error":{"title":"Internal","status":500,"detail":"The operation failed."}}""" },
        { """{"id":1,"call":"desk/Nowhere"}""", """{"id":1,"error":{"title":"NotFound","status":404,"detail":"No service implements desk/Nowhere."}}""" },
        { """{"id":1,"call":"desk/Wait","timeout":1}""", """{"id":1,"error":{"title":"DeadlineExceeded","status":504,"detail":"desk/Wait exceeded its deadline."}}""" },
        { """{"id":1,"call":"desk/Wait"}|{"id":1,"cancel":true}""", """{"id":1,"error":{"title":"Cancelled","status":499,"detail":"The operation was cancelled."}}""" },
        { """{"id":1,"call":"desk/CountTo","message":3}""", """{"id":1,"item":1}|{"id":1,"item":2}|{"id":1,"item":3}|{"id":1,"end":true}""" },
        { """{"id":1,"call":"desk/CountTo","message":0}""", """{"id":1,"end":true}""" },
        { """{"id":1,"call":"desk/Sum","message":"twice"}|{"id":1,"item":20}|{"id":1,"item":1}|{"id":1,"end":true}""", """{"id":1,"result":42}""" },
        { """{"id":1,"call":"desk/Sum","message":""}|{"id":1,"item":-1}""", """{"id":1,"result":-1}""" },
        { """{"id":1,"call":"desk/Shout"}|{"id":1,"item":"a"}|{"id":1,"item":"b"}|{"id":1,"end":true}""", """{"id":1,"item":"A"}|{"id":1,"item":"B"}|{"id":1,"end":true}""" },
        { """{"call":"desk/Note","message":"x"}|{"id":1,"call":"desk/Count"}""", """{"id":1,"result":0}""" },
        { """{"id":7,"call":"desk/Note","message":"x"}""", """{"id":7,"result":null}""" },
        { """{"id":9,"item":1}|{"id":9,"end":true}|{"id":9,"cancel":true}|{"id":1,"call":"desk/Count"}""", """{"id":1,"result":0}""" },
        { """{"window":40}|{"id":1,"call":"desk/CountTo","message":5}""", """{"id":1,"item":1}|{"id":1,"item":2}|{"id":1,"item":3}""" },
        { """{"window":40}|{"id":1,"call":"desk/CountTo","message":5}|{"id":1,"credit":20}""", """{"id":1,"item":1}|{"id":1,"item":2}|{"id":1,"item":3}|{"id":1,"item":4}""" },
    };

    public static TheoryData<string> Nonsense => new()
    {
        "",
        "hello",
        "[]",
        "{}",
        "{\"id\":1}",
        "{\"id\":1} {}",
        "{\"id\":1,\"call\":\"desk/Count\"",
        "{\"id\":-1,\"call\":\"desk/Count\"}",
        "{\"id\":4294967296,\"call\":\"desk/Count\"}",
        "{\"id\":\"1\",\"call\":\"desk/Count\"}",
        "{\"id\":1.5,\"call\":\"desk/Count\"}",
        "{\"id\":1,\"call\":7}",
        "{\"call\":\"desk/Count\"}",
        "{\"item\":1}",
        "{\"window\":0}",
        "{\"window\":\"1\"}",
        "{\"id\":1,\"call\":\"desk/Count\",\"timeout\":-1}",
        "{\"id\":1,\"call\":\"desk/Count\",\"headers\":[]}",
        "{\"id\":1,\"call\":\"desk/Count\",\"headers\":{\"a b\":\"c\"}}",
        "{\"id\":1,\"call\":\"desk/Count\",\"headers\":{\"a\":\"\\u0007\"}}",
        "{\"id\":1,\"call\":\"desk/Count\",\"headers\":{\"a\":1}}",
        "{\"id\":1,\"call\":\"\\ud800\"}",
        "{\"id\":1,\"cancel\":\"yes\"}",
        "{\"id\":1,\"call\":\"desk/Count\",\"unknown\":" + new string('[', 600) + new string(']', 600) + "}",
    };

    private protected override RpcCodec Codec => new RpcJsonCodec(DeskJson.Default);

    [Theory]
    [MemberData(nameof(Conversations))]
    public async Task Conversation_by_hand(string said, string heard)
    {
        using var socket = await ConnectAsync();

        foreach (var text in said.Split('|'))
            await SayAsync(socket, text);

        foreach (var text in heard.Split('|'))
            Assert.Equal(text, await HearAsync(socket));
    }

    [Theory]
    [MemberData(nameof(Nonsense))]
    public async Task Message_that_is_none_is_told_so_and_ends_the_connection(string text)
    {
        using var socket = await ConnectAsync();

        await SayAsync(socket, text);

        Assert.StartsWith("""{"error":{"title":"ProtocolError","status":400,"detail":""", await HearAsync(socket), StringComparison.Ordinal);
        Assert.Null(await HearAsync(socket));
        Assert.Equal("aa", await Client.JoinAsync("a", 2));
    }

    [Fact]
    public async Task Binary_message_ends_the_connection()
    {
        using var socket = await ConnectAsync();

        await socket.SendAsync("{}"u8.ToArray(), WebSocketMessageType.Binary, true, CancellationToken.None);

        Assert.Contains("ProtocolError", await HearAsync(socket), StringComparison.Ordinal);
        Assert.Null(await HearAsync(socket));
    }

    [Fact]
    public async Task Message_in_fragments_is_one()
    {
        using var socket = await ConnectAsync();

        var text = """{"id":1,"call":"desk/Join","message":{"first":"ö","times":2}}"""u8.ToArray();
        for (var i = 0; i < text.Length; i++)
            await socket.SendAsync(text.AsMemory(i, 1), WebSocketMessageType.Text, i == text.Length - 1, CancellationToken.None);

        Assert.Equal("""{"id":1,"result":"\u00F6\u00F6"}""", await HearAsync(socket));
    }

    [Fact]
    public async Task Items_beyond_the_window_are_all_read_in_the_end()
    {
        using var socket = await ConnectAsync();
        await SayAsync(socket, """{"id":2,"call":"desk/Shout"}""");

        var item = $$"""{"id":2,"item":"{{new string('x', 60_000)}}"}""";
        var saying = Task.Run(async () =>
        {
            for (var i = 0; i < 100; i++)
                await SayAsync(socket, item);
            await SayAsync(socket, """{"id":2,"end":true}""");
        });
        var heard = 0;
        string? next;
        while ((next = await HearAsync(socket)) != """{"id":2,"end":true}""")
            heard += next!.StartsWith("""{"id":2,"item":"XXX""", StringComparison.Ordinal) ? 1 : 0;
        await saying.WaitAsync(Patience);

        Assert.Equal(100, heard);
    }

    [Fact]
    public async Task Stream_that_is_paced_waits_for_credit_and_the_calls_beside_it_do_not()
    {
        using var socket = await ConnectAsync();
        foreach (var text in (string[])["""{"window":1}""", """{"id":1,"call":"desk/CountTo","message":3}""", """{"id":2,"call":"desk/Count"}"""])
            await SayAsync(socket, text);

        string[] first = [(await HearAsync(socket))!, (await HearAsync(socket))!];
        await SayAsync(socket, """{"id":1,"credit":17}""");
        var second = await HearAsync(socket);
        await SayAsync(socket, """{"id":1,"credit":1000}""");

        Assert.Equal(["""{"id":1,"item":1}""", """{"id":2,"result":0}"""], first.Order(StringComparer.Ordinal));
        Assert.Equal("""{"id":1,"item":2}""", second);
        Assert.Equal("""{"id":1,"item":3}""", await HearAsync(socket));
        Assert.Equal("""{"id":1,"end":true}""", await HearAsync(socket));
    }

    [Fact]
    public async Task Subprotocol_is_that_of_the_objects()
    {
        using var socket = await ConnectAsync();
        using var plain = await ConnectAsync(null);

        Assert.Equal(("postrider.json", null), (socket.SubProtocol, plain.SubProtocol));
        await SayAsync(plain, """{"id":1,"call":"desk/Count"}""");
        Assert.Equal("""{"id":1,"result":0}""", await HearAsync(plain));
    }

    [Fact]
    public void Server_cannot_call_over_objects()
        => Assert.Throws<ArgumentException>(() => WebSocketChannel.OverJson(
            Address, new RpcJsonCodec(), new SocketChannelOptions { Services = [DeskContract.Serve(new Desk())] }));

    private protected override RpcChannel Connect() => WebSocketChannel.OverJson(Address, new RpcJsonCodec(DeskJson.Default));

    private async Task<ClientWebSocket> ConnectAsync(string? protocol = "postrider.json")
    {
        var socket = new ClientWebSocket();
        if (protocol is not null)
            socket.Options.AddSubProtocol(protocol);
        await socket.ConnectAsync(Address, TestContext.Current.CancellationToken);
        return socket;
    }

    private static Task SayAsync(ClientWebSocket socket, string text) => socket.SendAsync(Encoding.UTF8.GetBytes(text), WebSocketMessageType.Text, true, CancellationToken.None);

    private static async Task<string?> HearAsync(ClientWebSocket socket)
    {
        using var patience = new CancellationTokenSource(Patience);
        var buffer = new byte[128 * 1024];
        var count = 0;
        while (true)
        {
            var read = await socket.ReceiveAsync(buffer.AsMemory(count), patience.Token);
            if (read.MessageType == WebSocketMessageType.Close)
                return null;
            count += read.Count;
            if (read.EndOfMessage)
                return Encoding.UTF8.GetString(buffer, 0, count);
        }
    }
}
