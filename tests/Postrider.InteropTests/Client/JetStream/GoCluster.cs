using System.Net;
using System.Net.Sockets;

namespace Postrider.InteropTests.Client.JetStream;

/// <summary>Three of Go's servers with JetStream, as one cluster; each can be killed and come back with what it had stored.</summary>
internal sealed class GoCluster : IAsyncDisposable
{
    /// <summary>The cluster's name.</summary>
    public const string Name = "test";

    private const int Nodes = 3;

    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-cluster-").FullName;
    private readonly GoServer?[] _servers = new GoServer?[Nodes];
    private readonly int[] _routes = [.. Enumerable.Range(0, Nodes).Select(_ => FreePort.Find())];
    private readonly int[] _ports = [.. Enumerable.Range(0, Nodes).Select(_ => FreePort.Find())];

    /// <summary>The addresses of all.</summary>
    public string Urls => string.Join(',', _ports.Select(port => $"nats://127.0.0.1:{port}"));

    /// <summary>The address by which another server becomes a member.</summary>
    public string RouteUrl => $"nats-route://127.0.0.1:{_routes[0]}";

    public static async Task<GoCluster> StartAsync()
    {
        var cluster = new GoCluster();
        for (var node = 0; node < Nodes; node++) await cluster.StartAsync(node);
        return cluster;
    }

    /// <summary>The number of the server with this name.</summary>
    public static int NodeOf(string name) => name[^1] - '0';

    /// <summary>Ends a server at once, as a crash does.</summary>
    public async Task KillAsync(int node)
    {
        await _servers[node]!.DisposeAsync();
        _servers[node] = null;
    }

    /// <summary>Starts a server on the ports and the folder that it had.</summary>
    public async Task StartAsync(int node)
    {
        var others = string.Join(", ", _routes.Select(port => $"\"nats-route://127.0.0.1:{port}\""));
        var configuration = $$"""
            server_name: node{{node}}
            jetstream { store_dir: "{{Path.Combine(_folder, $"node{node}")}}" }
            cluster { name: {{Name}}, listen: "127.0.0.1:{{_routes[node]}}", routes: [ {{others}} ] }
            """;
        _servers[node] = await GoServer.StartAsync(configuration, _ports[node]);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers)
            if (server is not null) await server.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }
}
