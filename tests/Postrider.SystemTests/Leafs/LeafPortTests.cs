using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Postrider.Broker;

namespace Postrider.SystemTests.Leafs;

/// <summary>What the port for leaf nodes answers to servers that break the protocol, and to others that are not leaf nodes.</summary>
public sealed class LeafPortTests : IAsyncLifetime
{
    internal const string Connect = "CONNECT {\"name\":\"edge\",\"headers\":true,\"version\":\"2.15.1\"}\r\n";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly CancellationTokenSource _limit = new(Limit);
    private NatsBroker _broker = null!;

    public static TheoryData<string, string> Bad => new()
    {
        // Before CONNECT.
        { "CONNECT {\"lang\":\"go\",\"verbose\":false}\r\n", "attempted to connect to leaf node port" },
        { "CONNECT {\"gateway\":\"g\"}\r\n", "Rejecting connection from gateway \"g\" on the leafnode port" },
        { "CONNECT {\"cluster\":\"a b\"}\r\n", "cluster name cannot contain spaces or new lines" },
        { "CONNECT {\r\n", "Protocol Violation: CONNECT is not valid JSON" },
        { "CONNECT []\r\n", "Protocol Violation: CONNECT is not valid JSON" },
        { "CONNECT {\"name\":1}\r\n", "Protocol Violation: CONNECT is not valid JSON" },
        { "CONNECT null\r\n", "Protocol Violation: CONNECT is not valid JSON" },
        { "CONNECT \r\n", "Protocol Violation: CONNECT is not valid JSON" },
        { "LS+ foo\r\n", "Authorization Violation" },
        { "LS- foo\r\n", "Authorization Violation" },
        { "LMSG foo 0\r\n\r\n", "Authorization Violation" },
        { "HMSG foo 12 12\r\nNATS/1.0\r\n\r\n\r\n", "Authorization Violation" },
        { "SUB foo 1\r\n", "Unknown Protocol Operation: the bytes are not an operation of a leaf node connection" },
        { "GET /leafnode HTTP/1.1\r\n\r\n", "Unknown Protocol Operation: the bytes are not an operation of a leaf node connection" },
        { "\u0016\u0003\u0001\u0002\0", "Unknown Protocol Operation: the bytes are not an operation of a leaf node connection" },
        { "RS+ $G foo\r\n", "Unknown Protocol Operation: the bytes are not an operation of a leaf node connection" },
        { "\r\n", "Unknown Protocol Operation: the bytes are not an operation of a leaf node connection" },
        { "CONNECT {" + new string('x', 70_000), "maximum control line exceeded: a line exceeds 65536 bytes" },
        { "LS+ " + new string('x', 70_000), "maximum control line exceeded: a line exceeds 65536 bytes" },
        { "INFO {" + new string('x', 70_000), "maximum control line exceeded: a line exceeds 65536 bytes" },
        { Connect + "INFO {" + new string('x', 1_100_000), "maximum control line exceeded: a line exceeds 1048576 bytes" },
        // Behind it.
        { Connect + Connect, "Protocol Violation: CONNECT is not expected" },
        { Connect + "LS+\r\n", "Protocol Violation: LS+ needs a subject" },
        { Connect + "LS-\r\n", "Protocol Violation: LS- needs a subject" },
        { Connect + "LS+ foo q\r\n", "Protocol Violation: LS+ with a queue group needs the group's weight" },
        { Connect + "LS+ foo q -1\r\n", "Protocol Violation: the weight of a queue group is not a number of at most nine digits" },
        { Connect + "LS+ foo q 1 1\r\n", "Protocol Violation: LS+ has too many arguments" },
        { Connect + "LS- foo q 1\r\n", "Protocol Violation: LS- has too many arguments" },
        { Connect + "LS+ foo..bar\r\n", "Invalid Subscription" },
        { Connect + "LS+ .\r\n", "Invalid Subscription" },
        { Connect + "LS+ foo.>.bar\r\n", "Invalid Subscription" },
        { Connect + "LMSG\r\n", "Protocol Violation: a message needs a subject and its size" },
        { Connect + "LMSG foo\r\n", "Protocol Violation: a message needs a subject and its size" },
        { Connect + "LMSG foo x\r\n", "Protocol Violation: the size of a message is not a number of at most nine digits" },
        { Connect + "LMSG foo -5\r\n", "Protocol Violation: the size of a message is not a number of at most nine digits" },
        { Connect + "LMSG foo 1048577\r\n", "Maximum Payload Violation: a message of 1048577 bytes exceeds max_payload 1048576" },
        { Connect + "LMSG foo 999999999\r\n", "Maximum Payload Violation: a message of 999999999 bytes exceeds max_payload 1048576" },
        { Connect + "LMSG foo reply q 0\r\n", "Protocol Violation: a message with queue groups needs '+' or '|' after its subject" },
        { Connect + "LMSG foo + reply 0\r\n", "Protocol Violation: a message with '+' needs a reply subject and queue groups" },
        { Connect + "LMSG foo 1\r\nab\r\n", "Unknown Protocol Operation: the payload of a message does not end in CR LF" },
        { Connect + "HMSG foo 5\r\n", "Protocol Violation: a message needs a subject and its size" },
        { Connect + "HMSG foo 6 5\r\n", "Protocol Violation: the headers of a message have 6 bytes, more than the whole of 5" },
        { Connect + "PUB foo 0\r\n\r\n", "Unknown Protocol Operation: the bytes are not an operation of a leaf node connection" },
        { Connect + "MSG foo 1 0\r\n\r\n", "Unknown Protocol Operation: the bytes are not an operation of a leaf node connection" },
        { Connect + "LMSG " + new string('x', 70_000), "maximum control line exceeded: a line exceeds 65536 bytes" },
        { "CONNECT {\"name\":\"edge\"}\r\nHMSG foo 12 12\r\nNATS/1.0\r\n\r\n\r\n", "Protocol Violation: message headers not supported" },
    };

    public static TheoryData<string> Odd =>
    [
        "CONNECT {\"deny_pub\":[null,\"\",\"a..b\",\"a b\"],\"name\":\"odd\"}\r\n",
        "CONNECT {\"unknown\":{\"a\":[1,2]},\"domain\":null,\"cluster\":null,\"protocol\":-7}\r\n",
        Connect + "LS- never.known\r\nLS+ a\r\nLS+ a\r\nLS- a\r\nLS- a\r\n",
        Connect + "LS+ a q 0\r\nLS+ a q 999999999\r\nLS- a q\r\n",
        Connect + "LMSG a.* 0\r\n\r\nLMSG > 0\r\n\r\nLMSG .. 0\r\n\r\nLMSG a | nobody 0\r\n\r\nLMSG a + $JS.ACK.a.b.c.d.e.f.g@ q 0\r\n\r\n",
        Connect + "HMSG a 0 0\r\n\r\nHMSG a 3 3\r\nxyz\r\n",
        "INFO {}\r\nINFO x\r\n" + Connect,
        Connect + "INFO {\"import\":{\"deny\":[\">\"]}}\r\n-ERR 'Loop'\r\n+OK\r\nPONG\r\nPONG\r\n",
    ];

    public async ValueTask InitializeAsync() => _broker = await NatsBroker.StartAsync(new BrokerOptions
    {
        Port = BrokerOptions.RandomPort,
        LeafNodes = new LeafNodeOptions { Port = BrokerOptions.RandomPort, AuthTimeout = Limit },
    });

    public async ValueTask DisposeAsync()
    {
        await _broker.DisposeAsync();
        _limit.Dispose();
    }

    [Theory]
    [MemberData(nameof(Bad))]
    [MemberData(nameof(LeafBadInputs.All), MemberType = typeof(LeafBadInputs))]
    public async Task Broken_protocol_is_answered_with_what_was_wrong(string bytes, string error)
    {
        using var peer = await OpenAsync();

        await peer.SendAsync(Encoding.Latin1.GetBytes(bytes), _limit.Token);
        var answer = await ReadUntilAsync(peer, $"-ERR '{error}'");

        Assert.Contains($"-ERR '{error}'\r\n", answer, StringComparison.Ordinal);
        await AssertServesAsync();
    }

    [Theory]
    [MemberData(nameof(Odd))]
    public async Task Odd_frames_change_nothing(string bytes)
    {
        using var peer = await OpenAsync();

        await peer.SendAsync(Encoding.Latin1.GetBytes(bytes + "PING\r\n"), _limit.Token);
        var answer = await ReadUntilAsync(peer, "PONG\r\n");

        Assert.DoesNotContain("-ERR", answer, StringComparison.Ordinal);
        await AssertServesAsync();
    }

    [Fact]
    public async Task Server_that_never_says_who_it_is_is_cut_off()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            LeafNodes = new LeafNodeOptions { Port = BrokerOptions.RandomPort, AuthTimeout = TimeSpan.FromMilliseconds(50) },
        });
        using var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await peer.ConnectAsync(broker.LeafNodeEndPoint!, _limit.Token);

        var answer = await ReadUntilAsync(peer, "-ERR 'Authentication Timeout'");

        Assert.StartsWith("INFO {", answer, StringComparison.Ordinal);
        Assert.EndsWith("-ERR 'Authentication Timeout'\r\n", answer, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("LMSG foo 1001\r\n", "Maximum Payload Violation: a message of 1001 bytes exceeds max_payload 1000")]
    [InlineData("LS+ a\r\nLS+ b\r\nLS+ c\r\n", "maximum subscriptions exceeded")]
    public async Task Limits_of_the_account_apply(string frames, string error)
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            Accounts = [new AccountOptions { Name = AccountOptions.GlobalName, MaxPayloadBytes = 1000, MaxSubscriptions = 2 }],
            LeafNodes = new LeafNodeOptions { Port = BrokerOptions.RandomPort, AuthTimeout = Limit },
        });
        using var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await peer.ConnectAsync(broker.LeafNodeEndPoint!, _limit.Token);

        await peer.SendAsync(Encoding.ASCII.GetBytes(Connect + frames), _limit.Token);

        Assert.Contains($"-ERR '{error}'\r\n", await ReadUntilAsync(peer, "-ERR"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Loop_is_answered_as_by_nats_server()
    {
        using var peer = await OpenAsync();
        await peer.SendAsync(Encoding.ASCII.GetBytes(Connect), _limit.Token);
        var interest = await ReadUntilAsync(peer, "\r\nLS+ $LDS.");
        var loop = interest[(interest.IndexOf("LS+ $LDS.", StringComparison.Ordinal) + 4)..];
        loop = loop[..loop.IndexOf('\r', StringComparison.Ordinal)];

        await peer.SendAsync(Encoding.ASCII.GetBytes($"LS+ {loop}\r\n"), _limit.Token);

        Assert.Contains("-ERR 'Loop detected for leafnode account=\"$G\". Delaying attempt to reconnect for 30s'", await ReadUntilAsync(peer, "-ERR"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Info_and_interest_come_as_leaf_nodes_expect_them()
    {
        using var client = new TcpClient();
        await client.ConnectAsync(_broker.EndPoint!, _limit.Token);
        await client.Client.SendAsync("CONNECT {\"verbose\":false}\r\nSUB orders.* 1\r\nSUB work team 2\r\nSUB work team 3\r\nPING\r\n"u8.ToArray(), _limit.Token);
        await ReadUntilAsync(client.Client, "PONG\r\n");
        using var peer = await OpenAsync();

        await peer.SendAsync(Encoding.ASCII.GetBytes(Connect), _limit.Token);
        var answer = await ReadUntilAsync(peer, "LS+ work team 2\r\n", "LS+ orders.*\r\n", "$LDS.");
        await client.Client.SendAsync("UNSUB 2\r\nUNSUB 1\r\nPING\r\n"u8.ToArray(), _limit.Token);
        var later = await ReadUntilAsync(peer, "LS+ work team 1\r\n", "LS- orders.*\r\n");

        var port = _broker.LeafNodeEndPoint!.Port.ToString(CultureInfo.InvariantCulture);
        Assert.Contains($"\"leafnode_urls\":[\"127.0.0.1:{port}\"]", answer, StringComparison.Ordinal);
        Assert.Contains("\"connect_info\":true,\"remote_account\":\"$G\"", answer, StringComparison.Ordinal);
        Assert.DoesNotContain("$SYS.", answer, StringComparison.Ordinal);
        Assert.Equal("LS+ work team 1\r\nLS- orders.*\r\n", later);
    }

    private async Task<Socket> OpenAsync()
    {
        var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await peer.ConnectAsync(new IPEndPoint(IPAddress.Loopback, _broker.LeafNodeEndPoint!.Port), _limit.Token);
        var info = await ReadUntilAsync(peer, "\r\n");
        Assert.StartsWith("INFO {", info, StringComparison.Ordinal);
        Assert.Contains("\"compression\":\"s2_auto\"", info, StringComparison.Ordinal);
        return peer;
    }

    // Another one is served as if nothing had happened.
    private async Task AssertServesAsync()
    {
        using var peer = await OpenAsync();
        await peer.SendAsync(Encoding.ASCII.GetBytes(Connect + "PING\r\n"), _limit.Token);
        Assert.Contains("LS+ $LDS.", await ReadUntilAsync(peer, "$LDS.", "PONG\r\n"), StringComparison.Ordinal);
    }

    // Until every part came and its line is complete, or the other side closed.
    private async Task<string> ReadUntilAsync(Socket peer, params string[] parts)
    {
        var text = new StringBuilder();
        var buffer = new byte[64 * 1024];
        while (true)
        {
            var read = text.ToString();
            if (parts.All(part => read.Contains(part, StringComparison.Ordinal)) && read.EndsWith("\r\n", StringComparison.Ordinal)) return read;
            int count;
            try
            {
                count = await peer.ReceiveAsync(buffer, _limit.Token);
            }
            catch (SocketException)
            {
                return read;
            }
            if (count == 0) return read;
            text.Append(Encoding.Latin1.GetString(buffer, 0, count));
        }
    }
}
