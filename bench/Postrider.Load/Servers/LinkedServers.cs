using Postrider.Load.Native;

namespace Postrider.Load.Servers;

/// <summary>Two servers of the same program with a connection between them. A hub and its leaf node have streams, each of its own domain.</summary>
internal sealed class LinkedServers : IDisposable
{
    private static readonly TimeSpan LinkTime = TimeSpan.FromSeconds(2);

    private readonly List<IDisposable> _owned = [];

    private LinkedServers(ServerSpec spec) => Spec = spec;

    public ServerSpec Spec { get; }

    public ServerProcess Hub { get; private set; } = null!;

    public ServerProcess Leaf { get; private set; } = null!;

    /// <summary>CPU time of both.</summary>
    public long CpuNanoseconds => Hub.CpuNanoseconds + Leaf.CpuNanoseconds;

    /// <summary>Starts both and gives them the time to connect.</summary>
    /// <param name="spec">Which program.</param>
    /// <param name="root">Below it they keep their streams.</param>
    /// <param name="kind">How they are connected.</param>
    public static LinkedServers Start(ServerSpec spec, string root, LinkKind kind)
    {
        var pair = new LinkedServers(spec);
        try
        {
            var port = ServerProcess.FreePort();
            var compression = kind is LinkKind.CompressedLeaf or LinkKind.CompressedRoute ? ", compression: s2_fast" : "";
            if (kind is LinkKind.Leaf or LinkKind.CompressedLeaf)
            {
                pair.Hub = pair.Start(root, $"leafnodes {{ listen: \"127.0.0.1:{port}\"{compression} }}\n", "hub");
                pair.Leaf = pair.Start(root, $"leafnodes {{ remotes [{{ url: \"nats-leaf://127.0.0.1:{port}\"{compression} }}] }}\n", "leaf");
            }
            else
            {
                pair.Hub = pair.Start(root, $"cluster {{ name: load, listen: \"127.0.0.1:{port}\"{compression} }}\n", "first", hasStreams: false);
                pair.Leaf = pair.Start(
                    root, $"cluster {{ name: load, listen: \"127.0.0.1:-1\"{compression}, routes: [\"nats-route://127.0.0.1:{port}\"] }}\n", "second", hasStreams: false);
            }

            Pause.Seconds(LinkTime.TotalSeconds);
            return pair;
        }
        catch
        {
            pair.Dispose();
            throw;
        }
    }

    public void Dispose()
    {
        for (var i = _owned.Count - 1; i >= 0; i--)
            _owned[i].Dispose();
    }

    private ServerProcess Start(string root, string options, string name, bool hasStreams = true)
    {
        var folder = new StoreFolder(root);
        _owned.Add(folder);
        var streams = hasStreams ? $"jetstream {{ store_dir: \"{folder.Path}\", domain: {name} }}\n" : "";
        folder.WriteConfiguration($"server_name: {name}\n{streams}{options}");
        var server = ServerProcess.Start(Spec.WithConfiguration(), folder);
        _owned.Add(server);
        return server;
    }
}
