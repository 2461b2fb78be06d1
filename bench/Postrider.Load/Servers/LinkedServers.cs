using Postrider.Load.Native;

namespace Postrider.Load.Servers;

/// <summary>A server and its leaf node, of the same program, each with streams of its own domain.</summary>
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
    public static LinkedServers Start(ServerSpec spec, string root)
    {
        var pair = new LinkedServers(spec);
        try
        {
            var port = ServerProcess.FreePort();
            pair.Hub = pair.Start(root, $"leafnodes {{ listen: \"127.0.0.1:{port}\" }}\n", "hub");
            pair.Leaf = pair.Start(root, $"leafnodes {{ remotes [{{ url: \"nats-leaf://127.0.0.1:{port}\" }}] }}\n", "leaf");
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

    private ServerProcess Start(string root, string options, string domain)
    {
        var folder = new StoreFolder(root);
        _owned.Add(folder);
        File.WriteAllText(
            Path.Combine(folder.Path, StoreFolder.Configuration), $"server_name: {domain}\njetstream {{ store_dir: \"{folder.Path}\", domain: {domain} }}\n{options}");
        var server = ServerProcess.Start(Spec.WithConfiguration(), folder);
        _owned.Add(server);
        return server;
    }
}
