using System.Net;
using System.Net.Sockets;
using System.Text;
using Postrider.Broker;
using Postrider.Broker.Http;

namespace Postrider.SystemTests.Monitoring;

public sealed class MonitoringLimitTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task Connections_above_the_limit_are_closed_until_others_end()
    {
        var monitoring = new HttpMonitoring();
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort, Monitoring = new() { Host = "127.0.0.1", Port = -1 } }, [monitoring]);
        var open = new List<Socket>();
        try
        {
            for (var i = 0; i < MonitoringServer.MaxConnections; i++)
            {
                var socket = await ConnectAsync(monitoring.EndPoint!);
                open.Add(socket);
                Assert.StartsWith("HTTP/1.1 200 ", await AskAsync(socket), StringComparison.Ordinal);
            }

            using (var tooMany = await ConnectAsync(monitoring.EndPoint!)) Assert.Equal("", await AskAsync(tooMany));
            Assert.StartsWith("HTTP/1.1 200 ", await AskAsync(open[0]), StringComparison.Ordinal);
            open[0].Dispose();

            await Eventually.HoldsAsync(async () =>
            {
                using var another = await ConnectAsync(monitoring.EndPoint!);
                return (await AskAsync(another)).StartsWith("HTTP/1.1 200 ", StringComparison.Ordinal);
            });
        }
        finally
        {
            foreach (var socket in open) socket.Dispose();
        }
    }

    private static async Task<Socket> ConnectAsync(IPEndPoint endPoint)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(endPoint);
        return socket;
    }

    // The response up to its body; empty when the connection was closed instead.
    private static async Task<string> AskAsync(Socket socket)
    {
        using var patience = new CancellationTokenSource(Patience);
        var text = new StringBuilder();
        var buffer = new byte[4096];
        try
        {
            await socket.SendAsync("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"u8.ToArray(), patience.Token);
            while (!text.ToString().EndsWith('}') && await socket.ReceiveAsync(buffer.AsMemory(), patience.Token) is > 0 and var count)
                text.Append(Encoding.ASCII.GetString(buffer, 0, count));
        }
        catch (SocketException)
        {
            // Reset.
        }
        return text.ToString();
    }
}
