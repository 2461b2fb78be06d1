using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Postrider.InteropTests.Cluster;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Leaf;

namespace Postrider.InteropTests.Peers;

/// <summary>Another server, as a leaf node or over a route, that reads only slowly.</summary>
internal sealed class SlowPeer : IDisposable
{
    /// <summary>The subject that it has interest in.</summary>
    public const string Subject = "slow";

    // 320 KiB a second: a socket's buffer of some MiB takes longer than the deadline to empty as far as the system reports it.
    private const int StepBytes = 16 * 1024;
    private const string LeafConnect = "CONNECT {\"name\":\"edge\",\"server_id\":\"EDGE\",\"headers\":true,\"version\":\"2.15.1\",\"protocol\":1}\r\nLS+ slow\r\nPING\r\n";
    private const string RouteConnect =
        "CONNECT {\"name\":\"NPEER\",\"headers\":true,\"cluster\":\"mesh\",\"protocol\":1}\r\n"
        + "INFO {\"server_id\":\"NPEER\",\"server_name\":\"peer\",\"version\":\"2.15.1\",\"proto\":1,\"cluster\":\"mesh\",\"headers\":true,\"max_payload\":1048576,\"host\":\"127.0.0.1\",\"port\":1,\"ip\":\"nats-route://127.0.0.1:1/\"}\r\n"
        + "RS+ $G slow\r\nPING\r\n";

    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, ReceiveBufferSize = StepBytes };
    private readonly CancellationTokenSource _patience = new(Patience);
    private readonly byte[] _buffer = new byte[1024 * 1024];

    private SlowPeer()
    {
    }

    /// <summary>The bytes that came after the handshake.</summary>
    public long ReceivedBytes { get; private set; }

    /// <summary>Starts a server with settings of its connections to other servers.</summary>
    /// <param name="kind">Which one.</param>
    /// <param name="isRoute">Whether they are for routes, or for leaf nodes.</param>
    /// <param name="settings">The settings.</param>
    public static Task<ServerProcess> StartServerAsync(ServerKind kind, bool isRoute, string settings)
        => isRoute ? ClusterMesh.StartServerAsync(kind, "s1", cluster: $"compression: off\npool_size: -1\n{settings}") : LeafPair.StartHubAsync(kind, listener: $"compression: off\n{settings}");

    /// <summary>Connects and announces the interest.</summary>
    public static async Task<SlowPeer> ConnectAsync(ServerProcess server, bool isRoute)
    {
        var peer = new SlowPeer();
        await peer._socket.ConnectAsync(IPAddress.Loopback, isRoute ? await ClusterMesh.PortAsync(server) : await LeafPair.LeafPortAsync(server), peer._patience.Token);
        await peer._socket.SendAsync(Encoding.ASCII.GetBytes(isRoute ? RouteConnect : LeafConnect), peer._patience.Token);
        var text = new StringBuilder();
        while (!text.ToString().Contains("PONG\r\n", StringComparison.Ordinal))
        {
            var count = await peer._socket.ReceiveAsync(peer._buffer, peer._patience.Token);
            if (count == 0) throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture, $"{server.Kind} closed the connection: {text}"));
            text.Append(Encoding.Latin1.GetString(peer._buffer, 0, count));
        }
        return peer;
    }

    /// <summary>Reads slowly for some time.</summary>
    public async Task ReadSlowlyAsync(TimeSpan time)
    {
        var began = Stopwatch.GetTimestamp();
        using var steps = new PeriodicTimer(Step);
        while (Stopwatch.GetElapsedTime(began) < time && await steps.WaitForNextTickAsync(_patience.Token))
            if (await ReadAsync(StepBytes) == 0) return;
    }

    /// <summary>Reads as fast as it can.</summary>
    /// <param name="bytes">The bytes that are to be received since the handshake.</param>
    /// <returns>False when the server closed the connection before.</returns>
    public async Task<bool> ReadUntilAsync(long bytes)
    {
        while (ReceivedBytes < bytes)
            if (await ReadAsync(_buffer.Length) == 0) return false;
        return true;
    }

    public void Dispose()
    {
        _socket.Dispose();
        _patience.Dispose();
    }

    private async Task<int> ReadAsync(int max)
    {
        try
        {
            var count = await _socket.ReceiveAsync(_buffer.AsMemory(0, max), _patience.Token);
            ReceivedBytes += count;
            return count;
        }
        catch (SocketException)
        {
            // The server closed the connection with bytes that were not sent.
            return 0;
        }
    }
}
