using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Postrider.Routing;

/// <summary>Debian's RabbitMQ, unpacked at POSTRIDER_RABBITMQ by <c>./dev</c>, on free ports in a folder of its own.</summary>
internal sealed class RabbitServer : IAsyncDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(180);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-bench-");
    private readonly List<Process> _processes = [];

    private RabbitServer()
    {
    }

    public int Port { get; } = FreePort();

    /// <summary>Starts it; null where there is none.</summary>
    public static async Task<RabbitServer?> StartAsync()
    {
        if (Environment.GetEnvironmentVariable("POSTRIDER_RABBITMQ") is not { Length: > 0 } root)
            return null;
        var server = new RabbitServer();
        server.Start(root);
        var began = Stopwatch.GetTimestamp();
        while (!await server.IsUpAsync())
        {
            if (server._processes.Exists(static process => process.HasExited) || Stopwatch.GetElapsedTime(began) > s_patience)
            {
                await server.DisposeAsync();
                throw new InvalidOperationException($"The RabbitMQ of {root} does not start.");
            }

            await Task.Delay(200);
        }

        return server;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var process in _processes)
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync();
            process.Dispose();
        }

        _folder.Delete(recursive: true);
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private async Task<bool> IsUpAsync()
    {
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

    private void Start(string root)
    {
        var (names, distribution) = (FreePort(), FreePort());
        var erlang = Path.Join(root, "usr", "lib", "erlang");
        var program = Directory.GetDirectories(Path.Join(root, "usr", "lib", "rabbitmq", "lib"), "rabbitmq_server-*").Single();
        string Within(string name) => Path.Join(_folder.FullName, name);
        File.WriteAllText(Within("rabbitmq.conf"), $"listeners.tcp.1 = 127.0.0.1:{Port}\ndistribution.listener.interface = 127.0.0.1\n");
        File.WriteAllText(Within("plugins"), "[].");
        (string, string)[] environment =
        [
            ("ERL_EPMD_ADDRESS", "127.0.0.1"), ("ERL_EPMD_PORT", $"{names}"), ("RABBITMQ_DIST_PORT", $"{distribution}"),
            ("RABBITMQ_NODENAME", $"bench{Port}@localhost"), ("RABBITMQ_CONFIG_FILE", Within("rabbitmq.conf")), ("RABBITMQ_ENABLED_PLUGINS_FILE", Within("plugins")),
            ("RABBITMQ_LOG_BASE", Within("log")), ("RABBITMQ_MNESIA_BASE", Within("mnesia")), ("RABBITMQ_PID_FILE", Within("pid")),
            ("RABBITMQ_CONF_ENV_FILE", "/dev/null"), ("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "+S 2:2 +sbwt none"), ("HOME", _folder.FullName),
            ("PATH", $"{Path.Join(erlang, "bin")}:{Environment.GetEnvironmentVariable("PATH")}"),
        ];
        // Debian's erl does not start the name server, which otherwise listens everywhere.
        Start(environment, Directory.GetFiles(erlang, "epmd", SearchOption.AllDirectories)[0], "-address", "127.0.0.1", "-port", $"{names}");
        Start(environment, Path.Join(program, "sbin", "rabbitmq-server"));
    }

    private void Start((string, string)[] environment, string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = _folder.FullName };
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        var process = Process.Start(start)!;
        process.OutputDataReceived += static (_, _) => { };
        process.ErrorDataReceived += static (_, _) => { };
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        _processes.Add(process);
    }
}
