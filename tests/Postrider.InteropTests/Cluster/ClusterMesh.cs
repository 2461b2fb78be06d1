using System.Text.Json;
using Postrider.Client;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Leaf;

namespace Postrider.InteropTests.Cluster;

/// <summary>Servers of one cluster: all but the first know the first one alone, and find each other by it.</summary>
internal sealed class ClusterMesh : IAsyncDisposable
{
    public const string Name = "mesh";

    private readonly List<NatsClient> _clients = [];

    private ClusterMesh(List<ServerProcess> servers) => Servers = servers;

    /// <summary>Every pair of kinds: Go's twice is the yardstick.</summary>
    public static MatrixTheoryData<ServerKind, ServerKind> Pairs => LeafPair.Kinds;

    /// <summary>Three servers, the seed first: Go's alone is the yardstick.</summary>
    public static TheoryData<ServerKind, ServerKind, ServerKind> Threes => new()
    {
        { ServerKind.Go, ServerKind.Go, ServerKind.Go },
        { ServerKind.Go, ServerKind.Go, ServerKind.Postrider },
        { ServerKind.Postrider, ServerKind.Go, ServerKind.Go },
        { ServerKind.Postrider, ServerKind.Postrider, ServerKind.Postrider },
    };

    public List<ServerProcess> Servers { get; }

    public ServerProcess this[int i] => Servers[i];

    /// <summary>Starts servers and waits until each has a route to each other one.</summary>
    /// <param name="kinds">Their kinds, the seed first.</param>
    /// <param name="options">More of each configuration.</param>
    /// <param name="cluster">More of each <c>cluster</c>.</param>
    /// <param name="user">User and password of routes, <c>user:password@</c>, or nothing.</param>
    public static async Task<ClusterMesh> StartAsync(IReadOnlyList<ServerKind> kinds, string options = "", string cluster = "", string user = "")
    {
        var mesh = new ClusterMesh([]);
        foreach (var kind in kinds)
        {
            var routes = mesh.Servers.Count == 0 ? "" : $"routes [ \"nats-route://{user}127.0.0.1:{await PortAsync(mesh[0])}\" ]";
            mesh.Servers.Add(await StartServerAsync(kind, $"s{mesh.Servers.Count + 1}", options, $"{routes}\n{cluster}"));
        }
        await mesh.AwaitFullAsync();
        return mesh;
    }

    /// <summary>Starts another cluster, each of whose servers is a leaf node of one of these, and waits until all are connected.</summary>
    /// <param name="name">The cluster's name.</param>
    /// <param name="kinds">The servers' kinds, the seed first.</param>
    /// <param name="hubs">The servers that they connect to, one each.</param>
    public static async Task<ClusterMesh> StartLeafNodesAsync(string name, IReadOnlyList<ServerKind> kinds, ClusterMesh hubs)
    {
        var mesh = new ClusterMesh([]);
        foreach (var kind in kinds)
        {
            var routes = mesh.Servers.Count == 0 ? "" : $"routes [ \"nats-route://127.0.0.1:{await PortAsync(mesh[0])}\" ]";
            var port = await LeafPair.LeafPortAsync(hubs[mesh.Servers.Count]);
            var remote = $"leafnodes {{ reconnect: \"200ms\", remotes [ {{ url: \"nats-leaf://127.0.0.1:{port}\", ignore_discovered_servers: true }} ] }}";
            mesh.Servers.Add(await StartServerAsync(kind, $"{name}{mesh.Servers.Count + 1}", remote, routes, name));
        }
        await mesh.AwaitFullAsync();
        return mesh;
    }

    public static Task<ServerProcess> StartServerAsync(ServerKind kind, string name, string options = "", string cluster = "", string clusterName = Name) => ServerProcess.StartAsync(
        kind, "-m", "-1", "-c", ServerProcess.WriteConfiguration($"server_name: {name}\ncluster {{ name: {clusterName}, listen: \"127.0.0.1:-1\"\n{cluster}\n}}\n{options}\n"));

    /// <summary>The port that a server listens on for routes.</summary>
    public static async Task<int> PortAsync(ServerProcess server) => (await server.MonitorAsync("varz")).GetProperty("cluster").GetProperty("cluster_port").GetInt32();

    /// <summary>Waits until each server has a route to each other one.</summary>
    public async Task AwaitFullAsync()
    {
        foreach (var server in Servers) await AwaitPeersAsync(server, Servers.Count - 1);
    }

    /// <summary>Waits until a server has routes to so many others, as many to each as there are to be.</summary>
    public static async Task AwaitPeersAsync(ServerProcess server, int count)
    {
        var last = "";
        try
        {
            await Eventually.HoldsAsync(
                async () =>
                {
                    var (page, size) = (await server.MonitorAsync("routez"), (await server.MonitorAsync("varz")).GetProperty("cluster").GetProperty("pool_size").GetInt32());
                    last = page.ToString();
                    var byPeer = page.GetProperty("routes").EnumerateArray().GroupBy(static route => route.GetProperty("remote_id").GetString()).ToList();
                    // With a pool the system account has a route of its own.
                    return byPeer.Count == count && byPeer.TrueForAll(routes => size < 0 || routes.Count() > size);
                },
                TimeSpan.FromSeconds(60));
        }
        catch (TimeoutException late)
        {
            throw new TimeoutException($"{server.Kind} has no routes to {count} servers: {last}", late);
        }
    }

    /// <summary>Waits until a server knows that so many others want a subject.</summary>
    public static Task AwaitInterestAsync(ServerProcess server, string subject, int count = 1) => Eventually.HoldsAsync(
        async () => await CountInterestAsync(server, subject) == count, TimeSpan.FromSeconds(60), what: $"interest of {count} other servers in {subject}");

    /// <summary>Waits until every server but one knows that it wants a subject.</summary>
    public async Task AwaitInterestOfAsync(ServerProcess wanting, string subject)
    {
        foreach (var server in Servers.Where(server => server != wanting)) await AwaitInterestAsync(server, subject);
    }

    /// <summary>How many of the other servers want a subject.</summary>
    public static async Task<int> CountInterestAsync(ServerProcess server, string subject)
        => (await server.MonitorAsync("routez?subs=1")).GetProperty("routes").EnumerateArray().Count(route => Wants(route, subject));

    /// <summary>Connects a client; it is closed with the mesh.</summary>
    public async Task<NatsClient> ConnectAsync(ServerProcess server, string? user = null)
    {
        var client = await LeafPair.ConnectToAsync(server, user);
        _clients.Add(client);
        return client;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var client in _clients) await client.DisposeAsync();
        foreach (var server in Servers) await server.DisposeAsync();
    }

    private static bool Wants(JsonElement route, string subject)
        => route.TryGetProperty("subscriptions_list", out var list) && list.EnumerateArray().Any(one => one.GetString() == subject);
}
