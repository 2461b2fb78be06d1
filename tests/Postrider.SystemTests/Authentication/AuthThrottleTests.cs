using System.Net.Sockets;
using System.Text;
using Postrider.Broker;

namespace Postrider.SystemTests.Authentication;

/// <summary>Failed attempts to authenticate over a socket.</summary>
public sealed class AuthThrottleTests : IAsyncLifetime
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly TestClock _clock = new();
    private NatsBroker _broker = null!;

    public async ValueTask InitializeAsync() => _broker = await NatsBroker.StartAsync(new BrokerOptions
    {
        Port = BrokerOptions.RandomPort,
        TimeProvider = _clock,
        // Nothing else ends while the clock moves.
        AuthTimeout = TimeSpan.FromHours(10),
        PingInterval = TimeSpan.FromHours(10),
        Authorization = new AuthorizationOptions { User = "ann", Password = "secret" },
        LeafNodes = new LeafNodeOptions { Port = BrokerOptions.RandomPort, AuthTimeout = TimeSpan.FromHours(10) },
        AuthThrottle = new AuthThrottleOptions { FreeFailures = 0, MaxWaiting = 1, Exempt = [] },
    });

    public async ValueTask DisposeAsync() => await _broker.DisposeAsync();

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, true)]
    [InlineData(true, false)]
    public async Task After_a_failure_the_next_attempt_waits_and_then_may_succeed_while_others_are_served(bool isLeafNode, bool failsAsLeafNode)
    {
        using var before = await ConnectAsync("secret");
        await ReadUntilAsync(before, "PONG");
        using var wrong = await ConnectAsync("wrong", failsAsLeafNode);
        await ReadUntilAsync(wrong, "-ERR 'Authorization Violation'");

        // One of the two comes first and waits; the other one is too many.
        using var one = await ConnectAsync("secret", isLeafNode);
        using var other = await ConnectAsync("secret", isLeafNode);
        await Eventually.HoldsAsync(() => one.Available > 0 || other.Available > 0, Patience);
        var (waiting, refused) = one.Available > 0 ? (other, one) : (one, other);
        var refusal = await ReadUntilAsync(refused, "'\r\n");
        await before.SendAsync("PING\r\n"u8.ToArray());
        await ReadUntilAsync(before, "PONG");
        var early = waiting.Available;
        // Again and again: the wait may begin after the clock has moved.
        await Eventually.HoldsAsync(
            () =>
            {
                _clock.Advance(TimeSpan.FromSeconds(1));
                return waiting.Available > 0;
            },
            Patience);

        Assert.Contains("-ERR 'Authorization Violation'", refusal, StringComparison.Ordinal);
        Assert.Equal(0, early);
        await ReadUntilAsync(waiting, "PONG");
    }

    private async Task<Socket> ConnectAsync(string password, bool isLeafNode = false)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(isLeafNode ? _broker.LeafNodeEndPoint! : _broker.EndPoint!);
        await ReadUntilAsync(socket, "\r\n");
        await socket.SendAsync(Encoding.ASCII.GetBytes($"CONNECT {{\"user\":\"ann\",\"pass\":\"{password}\",\"verbose\":false}}\r\nPING\r\n"));
        return socket;
    }

    private static async Task<string> ReadUntilAsync(Socket socket, string end)
    {
        using var timeout = new CancellationTokenSource(Patience);
        var text = new StringBuilder();
        var buffer = new byte[4096];
        while (!text.ToString().Contains(end, StringComparison.Ordinal))
        {
            var count = await socket.ReceiveAsync(buffer.AsMemory(), timeout.Token);
            Assert.True(count > 0, $"The connection ended before '{end}': '{text}'");
            text.Append(Encoding.ASCII.GetString(buffer, 0, count));
        }

        return text.ToString();
    }
}
