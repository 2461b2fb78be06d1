using System.Diagnostics;
using System.Globalization;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Cluster;

/// <summary>A server of a cluster whose configuration changes while it runs.</summary>
internal sealed class ClusterServer : IAsyncDisposable
{
    private readonly string _file;
    private readonly string _name;
    private readonly string _options;

    private ClusterServer(ServerProcess process, string file, string name, string options) => (Process, _file, _name, _options) = (process, file, name, options);

    public ServerProcess Process { get; }

    /// <summary>Starts a server.</summary>
    /// <param name="kind">Which one.</param>
    /// <param name="name">Its name.</param>
    /// <param name="cluster">More of its <c>cluster</c>.</param>
    /// <param name="options">More of its configuration.</param>
    public static async Task<ClusterServer> StartAsync(ServerKind kind, string name, string cluster, string options = "")
    {
        var file = ServerProcess.WriteConfiguration(Configuration(name, cluster, options));
        return new ClusterServer(await ServerProcess.StartAsync(kind, "-m", "-1", "-c", file, "-l", Path.ChangeExtension(file, ".log")), file, name, options);
    }

    /// <summary>Changes its <c>cluster</c>, and waits until the server has taken it over.</summary>
    public async Task ReloadAsync(string cluster)
    {
        await File.WriteAllTextAsync(_file, Configuration(_name, cluster, _options));
        var log = Path.ChangeExtension(_file, ".log");
        var seen = (await File.ReadAllLinesAsync(log)).Length;
        using var kill = System.Diagnostics.Process.Start("kill", ["-HUP", Process.ProcessId.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
        var end = await Eventually.GivesAsync(
            async () => (await File.ReadAllLinesAsync(log)).Skip(seen).FirstOrDefault(static line =>
                line.Contains("Reloaded server configuration", StringComparison.Ordinal) || line.Contains("Failed to reload", StringComparison.Ordinal)),
            what: $"the end of the reload in {log}");
        Assert.Contains("Reloaded server configuration", end, StringComparison.Ordinal);
    }

    public ValueTask DisposeAsync() => Process.DisposeAsync();

    private static string Configuration(string name, string cluster, string options)
        => $"server_name: {name}\ncluster {{ name: {ClusterMesh.Name}, listen: \"127.0.0.1:-1\"\n{cluster}\n}}\n{options}\n";
}
