using System.Collections.Concurrent;
using System.Diagnostics;
using System.Threading.Channels;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Leaf;

/// <summary>How a server connects to a hub that does not answer.</summary>
public sealed class LeafDialTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static TheoryData<ServerKind> Kinds => [ServerKind.Go, ServerKind.Postrider];

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Addresses_are_tried_in_their_order_and_over_again_with_no_randomize(ServerKind kind)
    {
        var tried = new ConcurrentQueue<int>();
        await using var first = new SilentHub(() => tried.Enqueue(1));
        await using var second = new SilentHub(() => tried.Enqueue(2));
        await using var third = new SilentHub(() => tried.Enqueue(3));

        await using var edge = await LeafPair.StartSpokeAsync(
            kind, "edge", first.HostAndPort, remote: $"{{ urls: [\"nats-leaf://{{url}}\", \"nats-leaf://{second.HostAndPort}\", \"nats-leaf://{third.HostAndPort}\"], no_randomize: true }}");
        await Eventually.HoldsAsync(() => tried.Count >= 7, Limit);

        Assert.Equal([1, 2, 3, 1, 2, 3, 1], tried.Take(7));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Hub_that_never_sends_info_is_left_after_first_info_timeout_and_tried_again(ServerKind kind)
    {
        // Longer than the second of the default, and shorter than anything else that would end the connection.
        var timeout = TimeSpan.FromSeconds(2.5);
        var connections = Channel.CreateUnbounded<long>();
        var ends = Channel.CreateUnbounded<long>();
        await using var hub = new SilentHub(() => connections.Writer.TryWrite(Stopwatch.GetTimestamp()), () => ends.Writer.TryWrite(Stopwatch.GetTimestamp()));

        await using var edge = await LeafPair.StartSpokeAsync(kind, "edge", hub.HostAndPort, remote: $"first_info_timeout: \"{timeout.TotalMilliseconds}ms\"");
        var (began, ended) = (await connections.Reader.ReadAsync(_ct), await ends.Reader.ReadAsync(_ct));

        // The connection is there before it is accepted.
        Assert.InRange(Stopwatch.GetElapsedTime(began, ended), timeout - TimeSpan.FromSeconds(1), Limit);
        await connections.Reader.ReadAsync(_ct);
        Assert.Equal(0, (await edge.MonitorAsync("leafz")).GetProperty("leafnodes").GetInt32());
    }
}
