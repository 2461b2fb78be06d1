using System.Buffers;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Postrider.Broker;
using Postrider.Broker.Compression;
using Postrider.Client;

namespace Postrider.SystemTests.Peers;

/// <summary>What the ports for leaf nodes and routes do with compressed bytes that are damaged, no blocks at all, or stand for very many bytes.</summary>
public sealed class CompressedPortTests : IAsyncLifetime
{
    private const string LeafConnect = "CONNECT {\"name\":\"edge\",\"headers\":true,\"version\":\"2.15.1\"}\r\n";
    private const string RouteConnect = "CONNECT {\"name\":\"NPEER\",\"headers\":true,\"cluster\":\"c\"}\r\n";
    private const string RouteInfo = "{\"server_id\":\"NPEER\",\"server_name\":\"peer\",\"cluster\":\"c\",\"headers\":true,\"max_payload\":1048576,\"port\":1,\"route_pool_size\":3,\"compression\":\"s2_fast\"}";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);
    private static readonly byte[] Identifier = [0xFF, 6, 0, 0, .. "S2sTwO"u8];

    private readonly CancellationTokenSource _limit = new(Limit);
    private NatsBroker _broker = null!;

    public static TheoryData<string, bool> Broken
    {
        get
        {
            var data = new TheoryData<string, bool>();
            foreach (var name in Inputs().Keys)
            {
                data.Add(name, true);
                data.Add(name, false);
            }
            return data;
        }
    }

    public async ValueTask InitializeAsync() => _broker = await NatsBroker.StartAsync(new BrokerOptions
    {
        Port = BrokerOptions.RandomPort,
        LeafNodes = new LeafNodeOptions { Port = BrokerOptions.RandomPort, AuthTimeout = Limit },
        Cluster = new ClusterOptions { Name = "c", Port = BrokerOptions.RandomPort, AuthTimeout = Limit },
    });

    public async ValueTask DisposeAsync()
    {
        await _broker.DisposeAsync();
        _limit.Dispose();
    }

    [Theory]
    [MemberData(nameof(Broken))]
    public async Task Damaged_blocks_end_their_connection_and_no_other(string name, bool isLeaf)
    {
        using var peer = await OpenAsync(isLeaf);

        await peer.SendAsync(Inputs()[name], _limit.Token);

        Assert.DoesNotContain("PONG", Decode(await ReadToEndAsync(peer)), StringComparison.Ordinal);
        await AssertServesAsync();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Limits_apply_to_plain_bytes(bool isLeaf)
    {
        foreach (var (frames, error) in new[]
        {
            (isLeaf ? "LMSG foo 1048577\r\n" : "RMSG $G foo 1114113\r\n", "Maximum Payload Violation"),
            ($"{(isLeaf ? "LS+ " : "RS+ $G ")}{new string('x', 70_000)}\r\n", "maximum control line exceeded: a line exceeds 65536 bytes"),
        })
        {
            using var peer = await OpenAsync(isLeaf);
            var bytes = Encode(Ready(isLeaf) + frames);
            Assert.InRange(bytes.Length, 1, 10_000);

            await peer.SendAsync(bytes, _limit.Token);

            Assert.Contains($"-ERR '{error}", Decode(await ReadToEndAsync(peer)), StringComparison.Ordinal);
            await AssertServesAsync();
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Frames_cut_into_blocks_and_packets_at_every_byte_are_understood(bool isLeaf)
    {
        await using var client = await NatsClient.ConnectAsync(_broker.Url!, ct: _limit.Token);
        await using var received = client.Subscribe<string>("cut");
        await client.FlushAsync(_limit.Token);
        var text = Ready(isLeaf) + (isLeaf ? "LMSG cut 5\r\nhello\r\n" : "RMSG $G cut 5\r\nhello\r\n");
        using var peer = await OpenAsync(isLeaf);
        var bytes = new List<byte>(Identifier);
        foreach (var one in Encoding.ASCII.GetBytes(text)) bytes.AddRange(Chunk([one]));
        var random = new Random(Seed.Next());

        for (var at = 0; at < bytes.Count;)
        {
            var part = Math.Min(bytes.Count - at, 1 + random.Next(40));
            await peer.SendAsync(bytes.GetRange(at, part).ToArray(), _limit.Token);
            at += part;
        }

        Assert.Equal("hello", (await received.ReadAsync(_limit.Token)).Data);
    }

    private static Dictionary<string, byte[]> Inputs()
    {
        var good = Chunk("PING\r\n"u8);
        return new Dictionary<string, byte[]>
        {
            ["plain text"] = [.. "PING\r\nPING\r\nPING\r\n"u8],
            ["no identifier"] = good,
            ["wrong identifier"] = [0xFF, 6, 0, 0, .. "S2sTwX"u8, .. good],
            ["short identifier"] = [0xFF, 3, 0, 0, .. "S2s"u8, .. good],
            ["wrong checksum"] = [.. Identifier, .. good[..4], (byte)(good[4] ^ 1), .. good[5..]],
            ["damaged byte"] = [.. Identifier, .. good[..9], (byte)(good[9] ^ 1), .. good[10..]],
            ["chunk without checksum"] = [.. Identifier, 1, 3, 0, 0, 1, 2, 3],
            ["unknown chunk"] = [.. Identifier, 2, 1, 0, 0, 0],
            ["unknown chunk below the skippable ones"] = [.. Identifier, 0x7F, 1, 0, 0, 0],
            ["chunk that is too long"] = [.. Identifier, 1, 0xFF, 0xFF, 0xFF, 0],
            ["length that never ends"] = [.. Identifier, 0, 10, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            ["block of four million bytes"] = Bomb(4 * 1024 * 1024),
            ["block of one byte more than is read"] = Bomb(S2Codec.MaxBlockBytes + 1),
            ["block of two billion bytes"] = [.. Identifier, 0, 9, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x07],
            ["copy of what is not there"] = [.. Identifier, 0, 7, 0, 0, 0, 0, 0, 0, 4, 1, 4],
            ["literal that is cut off"] = [.. Identifier, 0, 7, 0, 0, 0, 0, 0, 0, 4, 0x0C, 65],
            ["block that makes too few bytes"] = [.. Identifier, 0, 7, 0, 0, 0, 0, 0, 0, 9, 0, 65],
        };
    }

    // A block that says it has so many bytes, and repeats one byte.
    private static byte[] Bomb(int plainBytes)
    {
        var block = new List<byte>();
        for (var length = plainBytes; ; length >>= 7)
        {
            block.Add((byte)(length < 0x80 ? length : length | 0x80));
            if (length < 0x80) break;
        }
        var repeat = plainBytes - 5 - 4 - (1 << 16);
        block.AddRange([0x00, (byte)'\n', 0x01, 0x01, 0x1D, 0x00, (byte)repeat, (byte)(repeat >> 8), (byte)(repeat >> 16)]);
        return [.. Identifier, 0, (byte)(block.Count + 4), 0, 0, 0, 0, 0, 0, .. block];
    }

    private static byte[] Chunk(ReadOnlySpan<byte> plain)
    {
        var chunk = new byte[S2Chunk.HeadBytes + plain.Length];
        S2Chunk.WriteHead(chunk, plain, encoded: 0);
        plain.CopyTo(chunk.AsSpan(S2Chunk.HeadBytes));
        return chunk;
    }

    private static byte[] Encode(string text)
    {
        var encoded = new ArrayBufferWriter<byte>();
        var encoder = new S2Encoder(encoded);
        encoder.Write(Encoding.ASCII.GetBytes(text));
        encoder.Flush();
        return encoded.WrittenSpan.ToArray();
    }

    private static string Decode(byte[] bytes)
    {
        var decoder = new S2Decoder();
        decoder.Add(bytes);
        var text = new StringBuilder();
        while (decoder.TryRead(out var plain) == OperationStatus.Done) text.Append(Encoding.ASCII.GetString(plain));
        return text.ToString();
    }

    private static string Ready(bool isLeaf) => isLeaf ? LeafConnect : $"INFO {RouteInfo}\r\n";

    // Up to where both sides compress.
    private async Task<Socket> OpenAsync(bool isLeaf)
    {
        var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        var port = (isLeaf ? _broker.LeafNodeEndPoint! : _broker.ClusterEndPoint!).Port;
        await peer.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port), _limit.Token);
        var info = "";
        var buffer = new byte[64 * 1024];
        while (!info.EndsWith("\r\n", StringComparison.Ordinal)) info += Encoding.ASCII.GetString(buffer, 0, await peer.ReceiveAsync(buffer, _limit.Token));
        Assert.Contains($"\"compression\":\"{(isLeaf ? "s2_auto" : "accept")}\"", info, StringComparison.Ordinal);
        await peer.SendAsync(Encoding.ASCII.GetBytes(isLeaf ? "INFO {\"compression\":\"s2_fast\"}\r\n" : $"{RouteConnect}INFO {RouteInfo}\r\n"), _limit.Token);
        // The answer is compressed.
        Assert.Equal(0xFF, (await ReadAsync(peer, 1))[0]);
        return peer;
    }

    private async Task<byte[]> ReadAsync(Socket peer, int count)
    {
        var buffer = new byte[count];
        for (var read = 0; read < count;)
        {
            var more = await peer.ReceiveAsync(buffer.AsMemory(read), SocketFlags.Peek, _limit.Token);
            Assert.NotEqual(0, more);
            read += more;
        }
        return buffer;
    }

    private async Task<byte[]> ReadToEndAsync(Socket peer)
    {
        var all = new List<byte>();
        var buffer = new byte[64 * 1024];
        while (true)
        {
            int count;
            try
            {
                count = await peer.ReceiveAsync(buffer, _limit.Token);
            }
            catch (SocketException)
            {
                return [.. all];
            }
            if (count == 0) return [.. all];
            all.AddRange(buffer.AsSpan(0, count));
        }
    }

    private async Task AssertServesAsync()
    {
        await using var client = await NatsClient.ConnectAsync(_broker.Url!, ct: _limit.Token);
        await using var received = client.Subscribe<string>("still.there");
        await client.PublishAsync("still.there", "yes", ct: _limit.Token);
        Assert.Equal("yes", (await received.ReadAsync(_limit.Token)).Data);
    }
}
