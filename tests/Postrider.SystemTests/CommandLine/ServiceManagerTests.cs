using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Postrider.SystemTests.CommandLine;

/// <summary>The program under a service manager: what systemd is notified of, and lines in the system's log and in that of another machine.</summary>
public sealed class ServiceManagerTests
{
    private const string Configuration = "port: -1\nports_file_dir: \".\"\n";

    [Fact]
    public async Task Systemd_is_notified_of_start_reload_and_stop()
    {
        var folder = ServerProcess.NewFolder();
        using var notices = Listen(Path.Join(folder, "notify"));
        using var server = Serve(folder, Configuration, ("NOTIFY_SOCKET", Path.Join(folder, "notify")));

        Assert.Equal("READY=1", await ReadAsync(notices));
        await server.SignalAsync("HUP");
        Assert.Matches("^RELOADING=1\nMONOTONIC_USEC=[0-9]+$", await ReadAsync(notices));
        Assert.Equal("READY=1", await ReadAsync(notices));
        await server.SignalAsync("TERM");

        Assert.Equal("STOPPING=1", await ReadAsync(notices));
        Assert.Equal(0, await server.ExitAsync());
    }

    [Fact]
    public async Task Reload_of_a_bad_file_ends_as_well()
    {
        var folder = ServerProcess.NewFolder();
        using var notices = Listen(Path.Join(folder, "notify"));
        using var server = Serve(folder, Configuration, ("NOTIFY_SOCKET", Path.Join(folder, "notify")));
        Assert.Equal("READY=1", await ReadAsync(notices));

        await File.WriteAllTextAsync(Path.Join(folder, "server.conf"), "nonsense: {");
        await server.SignalAsync("HUP");

        Assert.StartsWith("RELOADING=1\n", await ReadAsync(notices), StringComparison.Ordinal);
        Assert.Equal("READY=1", await ReadAsync(notices));
        await server.SignalAsync("USR2");
        Assert.Equal("STOPPING=1", await ReadAsync(notices));
        Assert.Equal(0, await server.ExitAsync());
    }

    [Fact]
    public async Task Service_manager_that_is_gone_stops_nothing()
    {
        using var server = Serve(ServerProcess.NewFolder(), Configuration, ("NOTIFY_SOCKET", "/nothing/there"));

        await server.LoggedAsync("Server is ready");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Another_machines_log_gets_lines_by_RFC_3164(bool byFlag)
    {
        var folder = ServerProcess.NewFolder();
        using var log = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        log.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var address = string.Create(CultureInfo.InvariantCulture, $"udp://127.0.0.1:{((IPEndPoint)log.LocalEndPoint!).Port}");
        using var server = byFlag
            ? ServerProcess.Start("nats-server", WithConfiguration(folder, Configuration), "-c", "server.conf", "-a", "127.0.0.1", "-r", address)
            : Serve(folder, $"{Configuration}remote_syslog: \"{address}\"\n");

        var line = await ReadAsync(log);
        await server.SignalAsync("TERM");
        await server.ExitAsync();

        Assert.Matches($@"^<29>\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d \S+ nats-server\[{server.Id}\]: Starting postrider", line);
        Assert.DoesNotContain("Starting postrider", server.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Log_of_this_machine_gets_lines_without_its_name()
    {
        var folder = ServerProcess.NewFolder();
        using var log = Listen(Path.Join(folder, "log"));
        using var server = Serve(folder, $"{Configuration}remote_syslog: \"unix://{folder}/log\"\ndebug: true\n");

        var line = await ReadAsync(log);

        Assert.Matches($@"^<29>[A-Z][a-z]{{2}} [ \d]\d \d\d:\d\d:\d\d nats-server\[{server.Id}\]: Starting postrider", line);
    }

    [Theory]
    [InlineData("http://127.0.0.1:1", "invalid syslog address \"http://127.0.0.1:1\". Use udp://HOST:PORT, tcp://HOST:PORT or unix:///PATH")]
    [InlineData("unix:///nothing/there", "error connecting to syslog")]
    public async Task Log_that_is_not_there_is_an_error(string address, string error)
    {
        using var server = Serve(ServerProcess.NewFolder(), $"{Configuration}remote_syslog: \"{address}\"\n");

        Assert.Equal(1, await server.ExitAsync());
        await Eventually.HoldsAsync(() => server.Errors.Contains(error, StringComparison.Ordinal));
    }

    private static ServerProcess Serve(string folder, string configuration, params (string Name, string Value)[] variables)
        => ServerProcess.Start("nats-server", WithConfiguration(folder, configuration), variables, ["-c", "server.conf", "-a", "127.0.0.1"]);

    private static string WithConfiguration(string folder, string configuration)
    {
        File.WriteAllText(Path.Join(folder, "server.conf"), configuration);
        return folder;
    }

    private static Socket Listen(string path)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(path));
        return socket;
    }

    private static async Task<string> ReadAsync(Socket socket)
    {
        using var patience = new CancellationTokenSource(ServerProcess.Patience);
        var buffer = new byte[4096];
        var count = await socket.ReceiveAsync(buffer.AsMemory(), patience.Token);
        return Encoding.UTF8.GetString(buffer, 0, count);
    }
}
