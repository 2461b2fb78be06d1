using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Postrider.Broker;

namespace Postrider.SystemTests.Leafs;

/// <summary>What an edge believes of what a hub says, when anything may listen at the hub's address.</summary>
public sealed class LeafRemoteTests : IDisposable
{
    private const string Valid = "INFO {\"server_id\":\"H\",\"server_name\":\"hub\",\"client_id\":1,\"headers\":true,\"info_on_connect\":true,\"leafnode_urls\":[]";

    private readonly CancellationTokenSource _limit = new(TimeSpan.FromSeconds(60));
    private readonly TcpListener _hub = new(IPAddress.Loopback, 0);

    public LeafRemoteTests() => _hub.Start();

    public void Dispose()
    {
        _hub.Stop();
        _limit.Dispose();
    }

    [Fact]
    public async Task Announced_addresses_count_once_the_connection_is_accepted_and_alternate_with_the_configured_ones()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        var tried = new ConcurrentQueue<string>();
        var atOther = RecordAsync(other, tried, "other");
        var many = string.Join(',', Enumerable.Range(1, 1999).Select(static port => $"\"127.0.0.1:{port.ToString(CultureInfo.InvariantCulture)}\"").Prepend($"\"{AddressOf(other)}\""));
        await using var edge = await StartEdgeAsync();

        // No hub for leaf nodes, a hub that breaks off before it accepts the connection, and one that accepts it; connections that end at once between them.
        await AnswerAsync($"INFO {{\"server_id\":\"H\",\"leafnode_urls\":[{many}]}}\r\n", awaited: "attempted to connect to wrong port");
        await AnswerAsync("", awaited: "");
        await AnswerAsync($"{Valid[..^1]}{many}]}}\r\n", awaited: "CONNECT {");
        await AnswerAsync("", awaited: "");
        await AnswerAsync($"{Valid}}}\r\n", awaited: "CONNECT {", $"{Valid[..^1]}\"{AddressOf(other)}\"],\"connect_info\":true}}\r\n", awaitedLast: "LS+ ");
        Assert.Empty(tried);
        var atHub = RecordAsync(_hub, tried, "hub");
        await Eventually.HoldsAsync(() => tried.Count >= 4);

        Assert.Equal(["other", "hub", "other", "hub"], tried.Take(4));
        await _limit.CancelAsync();
        await Task.WhenAll(atOther, atHub);
    }

    [Fact]
    public async Task Remote_that_required_tls_once_never_receives_the_password_in_plaintext()
    {
        await using var edge = await StartEdgeAsync();

        // A TLS record, 22, answers the first INFO.
        await AnswerAsync($"{Valid},\"tls_required\":true}}\r\n", awaited: "\u0016\u0003");
        for (var i = 0; i < 2; i++)
        {
            var received = await AnswerAsync($"{Valid}}}\r\n", awaited: "\r\n");

            Assert.Equal("-ERR 'TLS is required for this remote, by its configuration or because it required TLS before, but it does not offer it now'\r\n", received);
        }
    }

    [Fact]
    public async Task Remote_that_is_another_service_is_named_by_what_it_answers()
    {
        await using var edge = await StartEdgeAsync();

        var received = await AnswerAsync("SSH-2.0-OpenSSH_9.2\r\n", awaited: "\r\n");

        Assert.Equal("-ERR 'Unknown Protocol Operation: the address leads to another service: it answers \"SSH-2.0-OpenSSH_9.2\" instead of INFO'\r\n", received);
    }

    private Task<NatsBroker> StartEdgeAsync() => NatsBroker.StartAsync(new BrokerOptions
    {
        Port = BrokerOptions.RandomPort,
        LeafNodes = new LeafNodeOptions
        {
            ReconnectInterval = TimeSpan.FromMilliseconds(10),
            Remotes = [new LeafRemoteOptions { Urls = [$"nats-leaf://edge:secret@{AddressOf(_hub)}"], Compression = new ServerCompressionOptions { Mode = ServerCompressionMode.Off } }],
        },
    });

    // Accepts a connection, answers it, and closes it.
    private async Task<string> AnswerAsync(string info, string awaited, string? answer = null, string awaitedLast = "")
    {
        using var connection = await _hub.AcceptSocketAsync(_limit.Token);
        await connection.SendAsync(Encoding.ASCII.GetBytes(info), _limit.Token);
        var received = await ReadUntilAsync(connection, awaited);
        if (answer is null) return received;
        await connection.SendAsync(Encoding.ASCII.GetBytes(answer), _limit.Token);
        return received + await ReadUntilAsync(connection, awaitedLast);
    }

    private async Task<string> ReadUntilAsync(Socket connection, string awaited)
    {
        var text = new StringBuilder();
        var buffer = new byte[4096];
        while (!text.ToString().Contains(awaited, StringComparison.Ordinal))
        {
            var count = await connection.ReceiveAsync(buffer, _limit.Token);
            Assert.True(count > 0, $"The edge closed the connection after: {text}");
            text.Append(Encoding.Latin1.GetString(buffer, 0, count));
        }
        return text.ToString();
    }

    private async Task RecordAsync(TcpListener listener, ConcurrentQueue<string> tried, string name)
    {
        try
        {
            while (true)
            {
                using var connection = await listener.AcceptSocketAsync(_limit.Token);
                tried.Enqueue(name);
            }
        }
        catch (OperationCanceledException)
        {
            // The test ends.
        }
    }

    private static string AddressOf(TcpListener listener) => listener.LocalEndpoint.ToString()!;
}
