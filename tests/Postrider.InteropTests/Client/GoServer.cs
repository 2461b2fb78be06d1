using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace Postrider.InteropTests.Client;

/// <summary>One process of Go's nats-server on a port of its own choice.</summary>
internal sealed class GoServer : IAsyncDisposable
{
    private static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(60);

    private readonly Process _process;
    private readonly string _folder;

    private GoServer(Process process, string folder) => (_process, _folder) = (process, folder);

    /// <summary>The port for clients.</summary>
    public int Port { get; private set; }

    /// <summary>The port for other servers of the cluster, or 0.</summary>
    public int ClusterPort { get; private set; }

    /// <summary>The port of the monitoring pages, or 0.</summary>
    public int MonitoringPort { get; private set; }

    public string Url => $"nats://127.0.0.1:{Port}";

    /// <summary>Starts a server.</summary>
    /// <param name="configuration">Lines of its configuration beyond the ports.</param>
    /// <param name="port">A particular port, or -1.</param>
    public static async Task<GoServer> StartAsync(string configuration = "", int port = -1)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-go-").FullName;
        var file = Path.Combine(folder, "nats.conf");
        await File.WriteAllTextAsync(file, $"listen: \"127.0.0.1:{port}\"\nports_file_dir: \"{folder}\"\n{configuration}\n");
        var start = new ProcessStartInfo(Executable(), ["-c", file]) { RedirectStandardError = true, RedirectStandardOutput = true };
        var process = Process.Start(start)!;
        var log = new System.Text.StringBuilder();
        process.ErrorDataReceived += (_, line) => { lock (log) log.AppendLine(line.Data); };
        process.BeginErrorReadLine();
        process.BeginOutputReadLine();
        var server = new GoServer(process, folder);
        try
        {
            await server.AwaitPortsAsync();
            return server;
        }
        catch (Exception error)
        {
            await server.DisposeAsync();
            lock (log) throw new InvalidOperationException($"nats-server did not start: {error.Message}\n{log}", error);
        }
    }

    /// <summary>Ends it at once, as a crash does.</summary>
    public async Task KillAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync();
    }

    /// <summary>Stops its process without ending it: it answers nothing any more.</summary>
    public void Freeze() => Signal("STOP");

    /// <summary>Lets it go on.</summary>
    public void Thaw() => Signal("CONT");

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
            await _process.WaitForExitAsync();
        }
        _process.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    /// <summary>Where the program is.</summary>
    public static string Executable()
    {
        if (Environment.GetEnvironmentVariable("POSTRIDER_NATS_SERVER") is { Length: > 0 } named) return named;
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            var path = Path.Combine(folder.FullName, "artifacts/debian-sid/root/usr/sbin/nats-server");
            if (File.Exists(path)) return path;
        }
        throw new InvalidOperationException("Go's nats-server is not there: run ./dev test, or name it in POSTRIDER_NATS_SERVER.");
    }

    private void Signal(string name)
    {
        using var kill = Process.Start("kill", [$"-{name}", _process.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    private Task AwaitPortsAsync() => Eventually.HoldsAsync(
        async () =>
        {
            if (_process.HasExited) throw new InvalidOperationException($"it ended with code {_process.ExitCode}");
            var file = Directory.GetFiles(_folder, "*.ports").FirstOrDefault();
            return file is not null && TryReadPorts(await File.ReadAllTextAsync(file));
        },
        StartLimit,
        "the file of the server's ports");

    private bool TryReadPorts(string text)
    {
        try
        {
            using var ports = JsonDocument.Parse(text);
            Port = PortOf(ports.RootElement.GetProperty("nats"));
            if (ports.RootElement.TryGetProperty("monitoring", out var monitoring)) MonitoringPort = PortOf(monitoring);
            if (ports.RootElement.TryGetProperty("cluster", out var cluster)) ClusterPort = PortOf(cluster);
            return Port > 0;
        }
        catch (JsonException)
        {
            return false;
        }
    }

    private static int PortOf(JsonElement urls) => new Uri(urls[0].GetString()!.Replace("nats://", "tcp://", StringComparison.Ordinal)).Port;
}
