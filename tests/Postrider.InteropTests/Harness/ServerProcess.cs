using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace Postrider.InteropTests.Harness;

/// <summary>A NATS server in a process of its own, on 127.0.0.1 and ports that were free; both kinds take the same flags.</summary>
public sealed class ServerProcess : IAsyncDisposable
{
    private static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(60);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-interop-");
    private readonly string[] _flags;
    private ForeignProgram? _program;

    private ServerProcess(ServerKind kind, string[] flags)
    {
        Kind = kind;
        _flags = flags;
    }

    public ServerKind Kind { get; }

    /// <summary>The port for clients; it stays the same over <see cref="RestartAsync"/>.</summary>
    public int Port { get; private set; }

    /// <summary>The port of the monitoring pages; 0 when the flags ask for none.</summary>
    public int MonitoringPort { get; private set; }

    public string Url => $"nats://127.0.0.1:{Port}";

    public int ProcessId => _program?.Id ?? throw new InvalidOperationException("The server does not run.");

    /// <summary>What the server wrote into its ports file.</summary>
    public JsonElement Ports { get; private set; }

    /// <summary>Starts a server and waits until it has written its ports file.</summary>
    /// <param name="kind">Which one.</param>
    /// <param name="flags">Flags of nats-server besides the address, the port and the folder of the ports file.</param>
    public static async Task<ServerProcess> StartAsync(ServerKind kind, params string[] flags)
    {
        var server = new ServerProcess(kind, flags);
        await server.StartOnAsync("-1");
        return server;
    }

    /// <summary>The path of a file in the server's own folder, with that content.</summary>
    public static string WriteConfiguration(string text)
    {
        var path = Path.Combine(Directory.CreateTempSubdirectory("postrider-interop-").FullName, "server.conf");
        File.WriteAllText(path, text);
        return path;
    }

    /// <summary>Kills the server: its clients see their connections break.</summary>
    public async Task KillAsync()
    {
        if (_program is { } program)
            await program.DisposeAsync();

        _program = null;
    }

    /// <summary>Has the server end in good order.</summary>
    public async Task EndAsync()
    {
        await SignalAsync("TERM");
        await Eventually.HoldsAsync(() => _program!.HasExited, StartLimit);
        await KillAsync();
    }

    /// <summary>Asks it to enter lame duck mode.</summary>
    public Task BeginLameDuckAsync() => SignalAsync("USR2");

    /// <summary>Starts it again on the port it had.</summary>
    public Task RestartAsync() => StartOnAsync(Port.ToString(CultureInfo.InvariantCulture));

    /// <summary>Asks a monitoring page for its JSON.</summary>
    public async Task<JsonElement> MonitorAsync(string page)
    {
        using var http = new HttpClient { Timeout = StartLimit };
        var text = await http.GetStringAsync(new Uri($"http://127.0.0.1:{MonitoringPort}/{page}"));
        return JsonDocument.Parse(text).RootElement;
    }

    public async ValueTask DisposeAsync()
    {
        await KillAsync();
        _folder.Delete(recursive: true);
    }

    private async Task SignalAsync(string name)
    {
        using var kill = Process.Start("kill", [$"-{name}", ProcessId.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
    }

    private async Task StartOnAsync(string port)
    {
        string[] flags = ["-a", "127.0.0.1", "-p", port, "--ports_file_dir", _folder.FullName, .. _flags];
        _program = Kind == ServerKind.Go
            ? ForeignProgram.Start(Tools.NatsServer, flags)
            : ForeignProgram.Start(Tools.Postrider, ["serve", .. flags]);
        Ports = await ReadPortsFileAsync();
        Port = PortOf("nats");
        MonitoringPort = Ports.TryGetProperty("monitoring", out _) ? PortOf("monitoring") : 0;
    }

    private async Task<JsonElement> ReadPortsFileAsync() => (await Eventually.GivesAsync(TryReadPortsFileAsync, StartLimit)).RootElement;

    private async Task<JsonDocument?> TryReadPortsFileAsync()
    {
        var file = Directory.EnumerateFiles(_folder.FullName, $"*_{_program!.Id}.ports").FirstOrDefault();
        if (file is not null && TryParse(await File.ReadAllTextAsync(file)) is { } ports)
            return ports;

        return _program.HasExited ? throw new InvalidOperationException($"The server ended before it wrote its ports file: {await _program.ToEndAsync()}") : null;
    }

    // The file may be read while it is written.
    private static JsonDocument? TryParse(string text)
    {
        try
        {
            return JsonDocument.Parse(text);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private int PortOf(string name) => new Uri(Ports.GetProperty(name)[0].GetString()!).Port;
}
