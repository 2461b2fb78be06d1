using System.Globalization;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Peers;

/// <summary><c>write_timeout</c> of leaf nodes and routes: what happens to a server that reads, but not everything before <c>write_deadline</c>.</summary>
public sealed class WriteTimeoutTests
{
    private const int MessageBytes = 64 * 1024;

    // More than the sockets' buffers hold, and less than max_pending.
    private const int Messages = 480;

    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(1);

    public static MatrixTheoryData<ServerKind, bool, string> Stories => new(Enum.GetValues<ServerKind>(), [false, true], ["write_timeout: close", "write_timeout: retry", ""]);

    [Theory]
    [MemberData(nameof(Stories))]
    public async Task Slow_reader_is_disconnected_only_if_everything_must_be_written_in_time(ServerKind kind, bool isRoute, string policy)
    {
        await using var server = await SlowPeer.StartServerAsync(kind, isRoute, string.Create(CultureInfo.InvariantCulture, $"write_deadline: \"{Deadline.TotalSeconds}s\"\n{policy}"));
        using var peer = await SlowPeer.ConnectAsync(server, isRoute);
        await using var client = await RawConnection.OpenAsync(server.Port);
        await client.SendAsync("CONNECT {\"verbose\":false}\r\n");
        var publishing = PublishAsync(client);

        await peer.ReadSlowlyAsync(3 * Deadline);
        var isOpen = await peer.ReadUntilAsync((long)Messages * MessageBytes);

        Assert.Equal(policy != "write_timeout: close", isOpen);
        await publishing;
    }

    private static async Task PublishAsync(RawConnection client)
    {
        var message = $"PUB {SlowPeer.Subject} {MessageBytes.ToString(CultureInfo.InvariantCulture)}\r\n{new string('x', MessageBytes)}\r\n";
        for (var i = 0; i < Messages; i++) await client.SendAsync(message);
    }
}
