using System.Net.Sockets;
using System.Text;
using Postrider.Broker;

namespace Postrider.SystemTests.Sessions;

/// <summary>A client that asks for responses in a flood and never reads them.</summary>
public sealed class UnreadResponseTests
{
    private const int MaxPendingBytes = 1024 * 1024;

    // What the two sockets' buffers may take in besides, with much to spare.
    private const int MaxSentBytes = 256 * 1024 * 1024;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData("{\"verbose\":false}", "PING\r\n")]
    [InlineData("{\"verbose\":true}", "SUB a 1\r\nUNSUB 1\r\n")]
    [InlineData("{\"verbose\":true}", "PUB a 0\r\n\r\n")]
    [InlineData("{\"verbose\":false}", "SUB a..b 1\r\n")]
    public async Task Client_is_disconnected_when_more_waits_for_it_than_max_pending(string connect, string operations)
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            MaxPendingBytes = MaxPendingBytes,
            // Only the bytes that wait end the connection.
            WriteDeadline = TimeSpan.FromHours(1),
            PingInterval = TimeSpan.FromHours(1),
        });
        using var client = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 4096 };
        await client.ConnectAsync(broker.EndPoint!);
        await SendAsync(client, Encoding.ASCII.GetBytes($"CONNECT {connect}\r\n"));
        var block = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat(operations, 64 * 1024 / operations.Length)));

        var (sent, highest) = (0L, 0L);
        while (sent < MaxSentBytes && await SendAsync(client, block))
        {
            sent += block.Length;
            highest = Math.Max(highest, broker.State.OpenConnections(withSubscriptions: false).Select(static open => open.PendingBytes).FirstOrDefault());
        }

        await Eventually.HoldsAsync(() => broker.State.ClosedConnections(withSubscriptions: false).Count == 1);
        Assert.Equal("Slow Consumer (Pending Bytes)", broker.State.ClosedConnections(withSubscriptions: false)[0].CloseReason);
        Assert.Equal(1, broker.State.ReadCounters().SlowConsumers);
        Assert.InRange(highest, 0, 2 * MaxPendingBytes);
        Assert.InRange(sent, 0, MaxSentBytes - 1);
    }

    private static async Task<bool> SendAsync(Socket socket, byte[] bytes)
    {
        using var patience = new CancellationTokenSource(Patience);
        try
        {
            for (var rest = bytes.AsMemory(); rest.Length > 0;) rest = rest[await socket.SendAsync(rest, patience.Token)..];
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
