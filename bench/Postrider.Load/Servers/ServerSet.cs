namespace Postrider.Load.Servers;

/// <summary>The servers of one table, all running, and the order in which a repetition visits them.</summary>
internal sealed class ServerSet : IDisposable
{
    private ServerSet(IReadOnlyList<ServerProcess> all) => All = all;

    public IReadOnlyList<ServerProcess> All { get; }

    public static ServerSet Start(IEnumerable<ServerSpec> specs)
    {
        var started = new List<ServerProcess>();
        try
        {
            foreach (var spec in specs)
                started.Add(ServerProcess.Start(spec));
            return new ServerSet(started);
        }
        catch
        {
            started.ForEach(server => server.Dispose());
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
    }
}
