using System.Globalization;
using Postrider.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Leaf;

/// <summary>A hub and its leaf node, each of one kind, with a link between them that can be cut.</summary>
internal sealed class LeafPair : IAsyncDisposable
{
    private readonly List<IAsyncDisposable> _owned = [];

    private LeafPair(ServerProcess hub, ServerProcess spoke, LinkProxy link) => (Hub, Spoke, Link) = (hub, spoke, link);

    /// <summary>Every pair of kinds: Go's twice is the yardstick.</summary>
    public static MatrixTheoryData<ServerKind, ServerKind> Kinds => new(Enum.GetValues<ServerKind>(), Enum.GetValues<ServerKind>());

    public ServerProcess Hub { get; }

    public ServerProcess Spoke { get; }

    public LinkProxy Link { get; }

    // The hub announces its own address, which would lead around the link.
    /// <summary>Starts both and waits until they are connected.</summary>
    /// <param name="hub">The hub's kind.</param>
    /// <param name="spoke">The leaf node's kind.</param>
    /// <param name="hubOptions">More of the hub's configuration.</param>
    /// <param name="listener">More of its <c>leafnodes</c>.</param>
    /// <param name="spokeOptions">More of the leaf node's configuration.</param>
    /// <param name="remote">More of its remote; <c>{url}</c> in it stands for the hub's host and port, and replaces the remote's own url.</param>
    /// <param name="links">How many connections there are to be.</param>
    public static async Task<LeafPair> StartAsync(
        ServerKind hub, ServerKind spoke, string hubOptions = "", string listener = "", string spokeOptions = "", string remote = "", int links = 1)
    {
        var first = await StartHubAsync(hub, hubOptions, listener);
        var link = new LinkProxy(await LeafPortAsync(first));
        var pair = new LeafPair(first, await StartSpokeAsync(spoke, "spoke", link.HostAndPort, spokeOptions, remote), link);
        await AwaitLinksAsync(first, links);
        await AwaitLinksAsync(pair.Spoke, links);
        return pair;
    }

    public static Task<ServerProcess> StartHubAsync(ServerKind kind, string options = "", string listener = "", string name = "hub") => ServerProcess.StartAsync(
        kind, "-m", "-1", "-c", ServerProcess.WriteConfiguration($"server_name: {name}\nleafnodes {{ listen: \"127.0.0.1:-1\"\n{listener}\n}}\n{options}\n"));

    public static Task<ServerProcess> StartSpokeAsync(ServerKind kind, string name, string address, string options = "", string remote = "")
    {
        var remotes = remote.Contains("{url}", StringComparison.Ordinal)
            ? remote.Replace("{url}", address, StringComparison.Ordinal).Replace("{ url", "{ ignore_discovered_servers: true, url", StringComparison.Ordinal)
            : $"{{ url: \"nats-leaf://{address}\"\nignore_discovered_servers: true\n{remote}\n}}";
        return ServerProcess.StartAsync(
            kind, "-m", "-1", "-c", ServerProcess.WriteConfiguration($"server_name: {name}\nleafnodes {{\nreconnect: \"200ms\"\nremotes [\n{remotes}\n]\n}}\n{options}\n"));
    }

    /// <summary>The port that a server listens on for leaf nodes.</summary>
    public static async Task<int> LeafPortAsync(ServerProcess server) => (await server.MonitorAsync("varz")).GetProperty("leaf").GetProperty("port").GetInt32();

    /// <summary>Waits until a server has so many leaf node connections.</summary>
    public static async Task AwaitLinksAsync(ServerProcess server, int count)
    {
        var last = "";
        try
        {
            await Eventually.HoldsAsync(async () =>
            {
                var page = await server.MonitorAsync("leafz");
                last = page.ToString();
                return page.GetProperty("leafnodes").GetInt32() == count;
            });
        }
        catch (TimeoutException late)
        {
            throw new TimeoutException($"{server.Kind} does not have {count} leaf node connections: {last}", late);
        }
    }

    /// <summary>Waits until a server knows that another one wants a subject, or no longer wants it.</summary>
    public static Task AwaitInterestAsync(ServerProcess server, string subject, bool exists = true, int count = 1) => Eventually.HoldsAsync(
        async () => await CountInterestAsync(server, subject) is var known && (exists ? known >= count : known == 0), what: $"interest of a leaf node of {server.Kind} in {subject}: {exists}");

    /// <summary>How many connections of a server want a subject.</summary>
    public static async Task<int> CountInterestAsync(ServerProcess server, string subject)
    {
        var leafs = (await server.MonitorAsync("leafz?subs=1")).GetProperty("leafs").EnumerateArray();
        return leafs.Count(leaf => leaf.TryGetProperty("subscriptions_list", out var list) && list.EnumerateArray().Any(one => one.GetString() == subject));
    }

    /// <summary>Connects a client; it is closed with the pair.</summary>
    public async Task<NatsClient> ConnectAsync(ServerProcess server, string? user = null)
    {
        var client = await ConnectToAsync(server, user);
        _owned.Add(client);
        return client;
    }

    public static Task<NatsClient> ConnectToAsync(ServerProcess server, string? user = null)
        => NatsClient.ConnectAsync(user is null ? server.Url : $"nats://{user}@127.0.0.1:{server.Port.ToString(CultureInfo.InvariantCulture)}");

    public async ValueTask DisposeAsync()
    {
        foreach (var one in _owned) await one.DisposeAsync();
        await Spoke.DisposeAsync();
        await Link.DisposeAsync();
        await Hub.DisposeAsync();
    }
}
