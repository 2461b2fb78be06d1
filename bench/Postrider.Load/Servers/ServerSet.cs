namespace Postrider.Load.Servers;

/// <summary>The servers of one table, all running, and the order in which a repetition visits them.</summary>
internal sealed class ServerSet : IDisposable
{
    private readonly List<StoreFolder> _folders;

    private ServerSet(IReadOnlyList<ServerProcess> all, List<StoreFolder> folders)
    {
        All = all;
        _folders = folders;
    }

    public IReadOnlyList<ServerProcess> All { get; }

    public static ServerSet Start(IEnumerable<ServerSpec> specs) => Start(specs, null);

    /// <summary>Starts servers that keep streams, each in a folder of its own below <paramref name="storeRoot"/>.</summary>
    /// <param name="specs">The servers.</param>
    /// <param name="storeRoot">Null for servers without streams.</param>
    /// <param name="prepare">Called with each folder before its server starts.</param>
    public static ServerSet Start(IEnumerable<ServerSpec> specs, string? storeRoot, Action<ServerSpec, StoreFolder>? prepare = null)
    {
        var started = new List<ServerProcess>();
        var folders = new List<StoreFolder>();
        var set = new ServerSet(started, folders);
        try
        {
            foreach (var spec in specs)
            {
                StoreFolder? folder = null;
                if (storeRoot is not null)
                {
                    folders.Add(folder = new StoreFolder(storeRoot));
                    prepare?.Invoke(spec, folder);
                }

                started.Add(ServerProcess.Start(spec, folder));
            }

            return set;
        }
        catch
        {
            set.Dispose();
            throw;
        }
    }

    /// <summary>All of them, beginning with another one each time, so that none always runs on what the same other left behind.</summary>
    public IEnumerable<ServerProcess> Rotated(int repetition)
        => Enumerable.Range(0, All.Count).Select(i => All[(i + repetition) % All.Count]);

    public int IndexOf(ServerProcess server)
        => All.TakeWhile(other => other != server).Count();

    public void Dispose()
    {
        foreach (var server in All)
            server.Dispose();
        foreach (var folder in _folders)
            folder.Dispose();
    }
}
