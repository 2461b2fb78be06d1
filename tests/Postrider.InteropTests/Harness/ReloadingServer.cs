using System.Diagnostics;
using System.Globalization;

namespace Postrider.InteropTests.Harness;

/// <summary>A server whose configuration file changes while it runs.</summary>
internal sealed class ReloadingServer(ServerProcess server, string file, string log) : IAsyncDisposable
{
    public int Port => server.Port;

    public static async Task<ReloadingServer> StartAsync(ServerKind kind, string configuration)
    {
        var file = ServerProcess.WriteConfiguration(configuration);
        var log = Path.ChangeExtension(file, ".log");
        var server = await ServerProcess.StartAsync(kind, "-c", file, "-l", log);
        return new ReloadingServer(server, file, log);
    }

    /// <summary>Writes the file anew, signals, and gives the lines that were logged until the server had done it.</summary>
    public async Task<string[]> ReloadAsync(string configuration)
    {
        await File.WriteAllTextAsync(file, configuration);
        var seen = (await File.ReadAllLinesAsync(log)).Length;
        using var kill = Process.Start("kill", ["-HUP", server.ProcessId.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
        return await Eventually.GivesAsync(
            async () =>
            {
                var lines = (await File.ReadAllLinesAsync(log))[seen..];
                var end = Array.FindIndex(lines, static line =>
                    line.Contains("Reloaded server configuration", StringComparison.Ordinal) || line.Contains("Failed to reload", StringComparison.Ordinal));
                // What was changed may log more behind it.
                return end < 0 ? null : lines[..(end + 1)];
            },
            what: $"the end of the reload in {log}");
    }

    public ValueTask DisposeAsync() => server.DisposeAsync();
}
