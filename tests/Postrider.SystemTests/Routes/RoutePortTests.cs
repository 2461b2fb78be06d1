using System.Net;
using System.Net.Sockets;
using System.Text;
using Postrider.Broker;
using Postrider.Client;

namespace Postrider.SystemTests.Routes;

/// <summary>What the port for routes answers to servers that break the protocol, and to others that are no servers of the cluster.</summary>
public sealed class RoutePortTests : IAsyncLifetime
{
    internal const string Connect = "CONNECT {\"name\":\"NPEER\",\"headers\":true,\"cluster\":\"c\"}\r\n";
    internal const string Ready = Connect + "INFO {\"server_id\":\"NPEER\",\"server_name\":\"peer\",\"cluster\":\"c\",\"headers\":true,\"max_payload\":1048576,\"port\":1,\"route_pool_size\":3}\r\n";
    private const string NoOperation = "Unknown Protocol Operation: the bytes are not an operation of a route";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly CancellationTokenSource _limit = new(Limit);
    private NatsBroker _broker = null!;

    public static TheoryData<string, string> Bad => new()
    {
        // Before CONNECT.
        { "CONNECT {\"lang\":\"go\",\"verbose\":false}\r\n", "attempted to connect to route port" },
        { "CONNECT {\"gateway\":\"g\"}\r\n", "Rejecting connection from gateway \"g\" on the Route port" },
        { "CONNECT {\"cluster\":\"d\"}\r\n", "Rejecting connection, cluster name \"d\" does not match \"c\"" },
        { "CONNECT {\"cluster\":\"d\",\"cluster_dynamic\":true}\r\n", "Rejecting connection, cluster name \"d\" does not match \"c\"" },
        { "CONNECT {\r\n", "Protocol Violation: CONNECT is not valid JSON" },
        { "CONNECT []\r\n", "Protocol Violation: CONNECT is not valid JSON" },
        { "CONNECT {\"name\":1}\r\n", "Protocol Violation: CONNECT is not valid JSON" },
        { "CONNECT null\r\n", "Protocol Violation: CONNECT is not valid JSON" },
        { "CONNECT \r\n", "Protocol Violation: CONNECT is not valid JSON" },
        { "PING\r\n", "Authorization Violation" },
        { "PONG\r\n", "Authorization Violation" },
        { "INFO {\"server_id\":\"N\"}\r\n", "Authorization Violation" },
        { "RS+ $G foo\r\n", "Authorization Violation" },
        { "RS- $G foo\r\n", "Authorization Violation" },
        { "RMSG $G foo 0\r\n\r\n", "Authorization Violation" },
        { "HMSG $G foo 12 12\r\nNATS/1.0\r\n\r\n\r\n", "Authorization Violation" },
        { "SUB foo 1\r\n", NoOperation },
        { "LS+ foo\r\n", "Protocol Violation: LS+ needs an account and a subject" },
        { "LMSG foo 0\r\n\r\n", "Authorization Violation" },
        { "GET / HTTP/1.1\r\n\r\n", NoOperation },
        { "\u0016\u0003\u0001\u0002\0", NoOperation },
        { "\r\n", NoOperation },
        { "\0\0\0\0", NoOperation },
        { "CONNECT {" + new string('x', 70_000), "maximum control line exceeded: a line exceeds 65536 bytes" },
        { "RS+ " + new string('x', 70_000), "maximum control line exceeded: a line exceeds 65536 bytes" },
        { "INFO {" + new string('x', 70_000), "maximum control line exceeded: a line exceeds 65536 bytes" },
        { Connect + "INFO {" + new string('x', 1_100_000), "maximum control line exceeded: a line exceeds 1048576 bytes" },
        // Behind it, before INFO.
        { Connect + Connect, "Protocol Violation: CONNECT is not expected" },
        { Connect + "RS+ $G foo\r\n", "Protocol Violation: INFO is expected first" },
        { Connect + "RS- $G foo\r\n", "Protocol Violation: INFO is expected first" },
        { Connect + "RMSG $G foo 0\r\n\r\n", "Protocol Violation: INFO is expected first" },
        { Connect + "HMSG $G foo 12 12\r\nNATS/1.0\r\n\r\n\r\n", "Protocol Violation: INFO is expected first" },
        { Connect + "INFO {\r\n", "Protocol Violation: INFO is not valid JSON of a server" },
        { Connect + "INFO []\r\n", "Protocol Violation: INFO is not valid JSON of a server" },
        { Connect + "INFO {}\r\n", "Protocol Violation: INFO is not valid JSON of a server" },
        { Connect + "INFO {\"server_id\":7}\r\n", "Protocol Violation: INFO is not valid JSON of a server" },
        { Connect + "INFO {\"server_id\":\"NPEER\",\"route_pool_size\":3,\"route_pool_idx\":3}\r\n", "Invalid route pool index: 3 - pool size is 3" },
        { Connect + "INFO {\"server_id\":\"NPEER\",\"route_pool_size\":3,\"route_pool_idx\":-1}\r\n", "Invalid route pool index: -1 - pool size is 3" },
        { Connect + "INFO {\"server_id\":\"NPEER\",\"route_pool_size\":3,\"route_pool_idx\":2000000000}\r\n", "Invalid route pool index: 2000000000 - pool size is 3" },
        { Connect + "INFO {\"server_id\":\"NPEER\",\"route_pool_size\":2000000000,\"route_pool_idx\":1999999999}\r\n", "Invalid route pool index: 1999999999 - pool size is 2000000000" },
        { Connect + "INFO {\"server_id\":\"NPEER\",\"route_pool_size\":3,\"route_account\":\"X\"}\r\n", "No route for account \"X\"" },
        { Connect + "INFO {\"server_id\":\"NPEER\",\"route_account\":\"$SYS\"}\r\n", "Not possible to have a dedicated route for account \"$SYS\" between those servers" },
        // A route.
        { Ready + Connect, "Protocol Violation: CONNECT is not expected" },
        { Ready + "RS+\r\n", "Protocol Violation: RS+ needs an account and a subject" },
        { Ready + "RS+ $G\r\n", "Protocol Violation: RS+ needs an account and a subject" },
        { Ready + "RS- $G\r\n", "Protocol Violation: RS- needs an account and a subject" },
        { Ready + "RS+ $G foo q\r\n", "Protocol Violation: RS+ with a queue group needs the group's weight" },
        { Ready + "RS+ $G foo q -1\r\n", "Protocol Violation: the weight of a queue group is not a number of at most nine digits" },
        { Ready + "RS+ $G foo q 1 1\r\n", "Protocol Violation: RS+ has too many arguments" },
        { Ready + "RS- $G foo q 1\r\n", "Protocol Violation: RS- has too many arguments" },
        { Ready + "RS+ $G foo..bar\r\n", "Invalid Subscription" },
        { Ready + "RS+ $G .\r\n", "Invalid Subscription" },
        { Ready + "RS+ $G foo.>.bar\r\n", "Invalid Subscription" },
        { Ready + "RMSG\r\n", "Protocol Violation: a message needs a subject and its size" },
        { Ready + "RMSG $G 0\r\n\r\n", "Protocol Violation: a message needs a subject and its size" },
        { Ready + "RMSG $G foo x\r\n", "Protocol Violation: the size of a message is not a number of at most nine digits" },
        { Ready + "RMSG $G foo -5\r\n", "Protocol Violation: the size of a message is not a number of at most nine digits" },
        { Ready + "RMSG $G foo 1114113\r\n", "Maximum Payload Violation: a message of 1114113 bytes exceeds max_payload 1114112" },
        { Ready + "RMSG $G foo 999999999\r\n", "Maximum Payload Violation: a message of 999999999 bytes exceeds max_payload 1114112" },
        { Ready + "RMSG $G foo reply q 0\r\n", "Protocol Violation: a message with queue groups needs '+' or '|' after its subject" },
        { Ready + "RMSG $G foo + reply 0\r\n", "Protocol Violation: a message with '+' needs a reply subject and queue groups" },
        { Ready + "RMSG $G foo 1\r\nab\r\n", "Unknown Protocol Operation: the payload of a message does not end in CR LF" },
        { Ready + "HMSG $G foo 6 5\r\n", "Protocol Violation: the headers of a message have 6 bytes, more than the whole of 5" },
        { Ready + "PUB foo 0\r\n\r\n", NoOperation },
        { Ready + "MSG foo 1 0\r\n\r\n", NoOperation },
        { Ready + "LMSG foo 0\r\n\r\n", "Protocol Violation: a message needs a subject and its size" },
        { Ready + "RMSG $G " + new string('x', 70_000), "maximum control line exceeded: a line exceeds 65536 bytes" },
    };

    public static TheoryData<string> Odd =>
    [
        "CONNECT {\"unknown\":{\"a\":[1,2]},\"cluster\":null}\r\n",
        Ready + "RS- $G never.known\r\nRS+ $G a\r\nRS+ $G a\r\nRS- $G a\r\nRS- $G a\r\n",
        Ready + "RS+ $G a q 0\r\nRS+ $G a q 999999999\r\nRS- $G a q\r\n",
        Ready + "RS+ NOBODY a\r\nRS+ NOBODY a q 3\r\nRS- NOBODY a\r\nRMSG NOBODY a 0\r\n\r\nRMSG OTHER a 0\r\n\r\n",
        Ready + "RMSG $G a.* 0\r\n\r\nRMSG $G > 0\r\n\r\nRMSG $G .. 0\r\n\r\nRMSG $G a | nobody 0\r\n\r\nRMSG $G a + $JS.ACK.a.b.c.d.e.f.g@ q 0\r\n\r\n",
        Ready + "HMSG $G a 0 0\r\n\r\nHMSG $G a 3 3\r\nxyz\r\n",
        Ready + "A+ $G\r\nA- $G\r\nA- \r\n-ERR 'whatever'\r\n+OK\r\nPONG\r\nPONG\r\n",
        Ready + "INFO {\"server_id\":\"NPEER\",\"ldm\":true}\r\nINFO {\"server_id\":\"NPEER\",\"route_acc_add_reqid\":\"1\",\"route_account\":\"X\"}\r\n",
        Ready + "INFO {\"server_id\":\"NTHIRD\",\"ip\":\"nats-route://127.0.0.1:1/\",\"port\":1}\r\nINFO {\"server_id\":\"NFOURTH\",\"ip\":\"\\u0000\"}\r\n",
        Ready + "INFO {\"server_id\":\"NPEER\",\"gateway\":\"g\"}\r\n",
    ];

    public async ValueTask InitializeAsync() => _broker = await NatsBroker.StartAsync(new BrokerOptions
    {
        Port = BrokerOptions.RandomPort,
        Cluster = new ClusterOptions { Name = "c", Port = BrokerOptions.RandomPort, AuthTimeout = Limit },
    });

    public async ValueTask DisposeAsync()
    {
        await _broker.DisposeAsync();
        _limit.Dispose();
    }

    [Theory]
    [MemberData(nameof(Bad))]
    [MemberData(nameof(RouteBadInputs.All), MemberType = typeof(RouteBadInputs))]
    public async Task Broken_protocol_is_answered_with_what_was_wrong(string bytes, string error)
    {
        using var peer = await OpenAsync(_broker);

        await peer.SendAsync(Encoding.Latin1.GetBytes(bytes), _limit.Token);
        var answer = await ReadUntilAsync(peer, $"-ERR '{error}'\r\n");

        Assert.Contains($"-ERR '{error}'\r\n", answer, StringComparison.Ordinal);
        await AssertServesAsync();
    }

    [Theory]
    [MemberData(nameof(Odd))]
    public async Task Odd_frames_change_nothing(string bytes)
    {
        using var peer = await OpenAsync(_broker);

        await peer.SendAsync(Encoding.Latin1.GetBytes(bytes + "PING\r\n"), _limit.Token);
        var answer = await ReadUntilAsync(peer, "PONG\r\n");

        Assert.DoesNotContain("-ERR", answer, StringComparison.Ordinal);
        await AssertServesAsync();
    }

    [Fact]
    public async Task Server_without_the_right_user_is_refused_and_one_that_never_says_who_it_is_cut_off()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            Cluster = new ClusterOptions { Name = "c", Port = BrokerOptions.RandomPort, User = "u", Password = "p", AuthTimeout = TimeSpan.FromSeconds(3) },
        });
        using var silent = await OpenAsync(broker);
        using var wrong = await OpenAsync(broker);

        await wrong.SendAsync(Encoding.Latin1.GetBytes("CONNECT {\"user\":\"u\",\"pass\":\"x\",\"cluster\":\"c\"}\r\n"), _limit.Token);

        Assert.EndsWith("-ERR 'Authorization Violation'\r\n", await ReadUntilAsync(wrong, "never sent"), StringComparison.Ordinal);
        Assert.EndsWith("-ERR 'Authentication Timeout'\r\n", await ReadUntilAsync(silent, "never sent"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Routes_come_and_go_with_a_reload()
    {
        await using var first = await NatsBroker.StartAsync(Named("first"));
        await using var second = await NatsBroker.StartAsync(Named("second"));
        await using var broker = await NatsBroker.StartAsync(Named("third", first));
        await AwaitAsync(broker, "first");

        broker.Reload(Named("third", first, second));
        await AwaitAsync(broker, "first", "second");
        await AwaitAsync(first, "second", "third");

        Assert.Equal(4 * 2, broker.State.Routes(withSubscriptions: false).Count);
    }

    [Fact]
    public async Task Interest_in_unknown_accounts_is_kept_up_to_a_limit_and_makes_room_when_it_ends()
    {
        const int Accounts = 40_000;
        using var peer = await OpenAsync(_broker);
        await SendAsync(peer, Ready);

        await SendAsync(peer, string.Concat(Enumerable.Range(0, Accounts).Select(static i => $"RS+ N{i} a\r\n")));
        var kept = KeptSubscriptions();
        await SendAsync(peer, string.Concat(Enumerable.Range(0, Accounts).Select(static i => $"RS- N{i} a\r\n")));
        var left = KeptSubscriptions();
        await SendAsync(peer, "RS+ LATER a\r\nRS+ LATER b\r\nRS- LATER a\r\n");

        // 16 MiB of accounts of more than a kilobyte.
        Assert.InRange(kept, 8_000, 16_000);
        Assert.Equal(0, left);
        Assert.Equal(1, KeptSubscriptions());
    }

    [Theory]
    [InlineData("HTTP/1.1 400 Bad Request\r\n\r\n", "Unknown Protocol Operation: the address leads to another service: it answers \"HTTP/1.1 400 Bad Request\" instead of INFO")]
    [InlineData("INFO {\"server_id\":\"N\",\"client_id\":7,\"leafnode_urls\":[\"127.0.0.1:1\"]}\r\n", "attempted to connect to wrong port")]
    public async Task Route_that_leads_to_another_port_names_what_answers_there(string answer, string error)
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            Cluster = new ClusterOptions { Name = "c", Port = BrokerOptions.RandomPort, Routes = [$"nats-route://{other.LocalEndpoint}"] },
        });
        using var connection = await other.AcceptSocketAsync(_limit.Token);

        await connection.SendAsync(Encoding.ASCII.GetBytes(answer), _limit.Token);

        Assert.EndsWith($"-ERR '{error}'\r\n", await ReadUntilAsync(connection, "never sent"), StringComparison.Ordinal);
    }

    private long KeptSubscriptions() => Assert.Single(_broker.State.Routes(withSubscriptions: false)).SubscriptionCount;

    private async Task SendAsync(Socket peer, string frames)
    {
        await peer.SendAsync(Encoding.ASCII.GetBytes(frames + "PING\r\n"), _limit.Token);
        Assert.DoesNotContain("-ERR", await ReadUntilAsync(peer, "PONG\r\n"), StringComparison.Ordinal);
    }

    private static BrokerOptions Named(string name, params NatsBroker[] routes) => new()
    {
        ServerName = name,
        Port = BrokerOptions.RandomPort,
        Cluster = new ClusterOptions { Name = "c", Port = BrokerOptions.RandomPort, Routes = [.. routes.Select(static broker => $"nats-route://{broker.ClusterEndPoint}")] },
    };

    private static Task AwaitAsync(NatsBroker broker, params string[] names) => Eventually.HoldsAsync(
        () => broker.State.Routes(withSubscriptions: false).GroupBy(static route => route.RemoteName).Where(static routes => routes.Count() == 4).Select(static routes => routes.Key).Order().SequenceEqual(names.Order()),
        Limit);

    private async Task<Socket> OpenAsync(NatsBroker broker)
    {
        var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await peer.ConnectAsync(broker.ClusterEndPoint!, _limit.Token);
        return peer;
    }

    private async Task AssertServesAsync()
    {
        await using var client = await NatsClient.ConnectAsync(_broker.Url!, ct: _limit.Token);
        await using var received = client.Subscribe<string>("still.there");
        await client.PublishAsync("still.there", "yes", ct: _limit.Token);
        Assert.Equal("yes", (await received.ReadAsync(_limit.Token)).Data);
    }

    // Up to the end of what is sent where the text does not come.
    private async Task<string> ReadUntilAsync(Socket peer, string text)
    {
        var received = new StringBuilder();
        var buffer = new byte[64 * 1024];
        while (!received.ToString().Contains(text, StringComparison.Ordinal))
        {
            int length;
            try
            {
                length = await peer.ReceiveAsync(buffer, _limit.Token);
            }
            catch (SocketException)
            {
                break;
            }
            if (length == 0) break;
            received.Append(Encoding.Latin1.GetString(buffer, 0, length));
        }
        return received.ToString();
    }
}
