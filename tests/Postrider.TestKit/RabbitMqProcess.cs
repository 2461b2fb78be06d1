using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Postrider.TestKit;

/// <summary>A RabbitMQ of Debian's, unpacked below artifacts/, started on free ports in a folder of its own.</summary>
/// <param name="name">Its folder below artifacts/; the variable POSTRIDER_ and this name, which ./dev test sets, names another.</param>
public class RabbitMqProcess(string name = "rabbitmq") : IAsyncDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-rabbitmq-");
    private readonly List<string> _output = [];
    private Process? _server;
    private Process? _epmd;

    private string Root => Environment.GetEnvironmentVariable($"POSTRIDER_{name.ToUpperInvariant()}") is { Length: > 0 } named ? named : Checkout.PathOf("artifacts", name, "root");

    /// <summary>Where it listens, at 127.0.0.1.</summary>
    public int Port { get; } = FreePort.Find();

    /// <summary>Starts it, and waits until it listens.</summary>
    public async ValueTask InitializeAsync()
    {
        var (epmd, distribution) = (FreePort.Find(), FreePort.Find());
        var erlang = Path.Join(Root, "usr", "lib", "erlang");
        var program = Directory.GetDirectories(Path.Join(Root, "usr", "lib", "rabbitmq", "lib"), "rabbitmq_server-*").Single();
        var config = Path.Join(_folder.FullName, "rabbitmq.conf");
        await File.WriteAllTextAsync(config, $"listeners.tcp.1 = 127.0.0.1:{Port}\ndistribution.listener.interface = 127.0.0.1\n");
        await File.WriteAllTextAsync(Path.Join(_folder.FullName, "plugins"), "[].");
        var environment = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["ERL_EPMD_ADDRESS"] = "127.0.0.1",
            ["ERL_EPMD_PORT"] = $"{epmd}",
            ["RABBITMQ_DIST_PORT"] = $"{distribution}",
            ["RABBITMQ_NODENAME"] = $"postrider{Port}@localhost",
            ["RABBITMQ_CONFIG_FILE"] = config,
            ["RABBITMQ_ENABLED_PLUGINS_FILE"] = Path.Join(_folder.FullName, "plugins"),
            ["RABBITMQ_LOG_BASE"] = Path.Join(_folder.FullName, "log"),
            ["RABBITMQ_MNESIA_BASE"] = Path.Join(_folder.FullName, "mnesia"),
            ["RABBITMQ_PID_FILE"] = Path.Join(_folder.FullName, "pid"),
            ["RABBITMQ_CONF_ENV_FILE"] = "/dev/null",
            ["RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS"] = "+S 2:2 +sbwt none",
            ["HOME"] = _folder.FullName,
            ["PATH"] = $"{Path.Join(erlang, "bin")}:{Environment.GetEnvironmentVariable("PATH")}",
        };
        // Debian's erl does not start the name server, which otherwise listens everywhere.
        var names = Directory.GetFiles(erlang, "epmd", SearchOption.AllDirectories)[0];
        _epmd = Start(environment, names, "-address", "127.0.0.1", "-port", $"{epmd}");
        _server = Start(environment, Path.Join(program, "sbin", "rabbitmq-server"));
        await Eventually.HoldsAsync(IsUpAsync, TimeSpan.FromSeconds(90));
    }

    /// <summary>Ends it, and removes its folder.</summary>
    public async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        foreach (var process in (Process?[])[_server, _epmd])
        {
            if (process is null)
                continue;
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync();
            process.Dispose();
        }

        _folder.Delete(recursive: true);
    }

    private async Task<bool> IsUpAsync()
    {
        if (_server!.HasExited)
        {
            lock (_output)
                throw new InvalidOperationException($"RabbitMQ ended: {string.Join('\n', _output.TakeLast(40))}");
        }

        try
        {
            using var client = new TcpClient();
            await client.ConnectAsync(IPAddress.Loopback, Port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private Process Start(Dictionary<string, string> environment, string program, params IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = _folder.FullName };
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        var process = Process.Start(start)!;
        process.OutputDataReceived += (_, line) => Note(line.Data);
        process.ErrorDataReceived += (_, line) => Note(line.Data);
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return process;
    }

    private void Note(string? line)
    {
        lock (_output)
            _output.Add(line ?? "");
    }
}
