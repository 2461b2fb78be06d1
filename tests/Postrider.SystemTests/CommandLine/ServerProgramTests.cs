using System.Net.Http.Json;
using System.Net.Sockets;
using System.Text.Json;

namespace Postrider.SystemTests.CommandLine;

public sealed class ServerProgramTests
{
    private const string Configuration = """
        port: -1
        http: "127.0.0.1:-1"
        ports_file_dir: "."
        server_tags: ["id:abc", "x"]
        """;

    [Theory]
    [InlineData("nats-server")]
    [InlineData("my-broker")]
    public async Task Ports_file_bears_the_programs_name_and_says_where_it_listens(string name)
    {
        using var server = Serve(name);

        var ports = await server.PortsAsync(name);

        var client = new Uri(ports.GetProperty("nats")[0].GetString()!);
        Assert.Equal(("nats", "127.0.0.1"), (client.Scheme, client.Host));
        Assert.StartsWith("INFO {", await FirstLineAsync(client), StringComparison.Ordinal);
        using var http = new HttpClient();
        var varz = await http.GetFromJsonAsync<JsonElement>(new Uri(ports.GetProperty("monitoring")[0].GetString() + "/varz"));
        Assert.Equal(client.Port, varz.GetProperty("port").GetInt32());
        Assert.Equal(["id:abc", "x"], varz.GetProperty("tags").EnumerateArray().Select(tag => tag.GetString()));
    }

    [Theory]
    [InlineData("TERM", "terminated")]
    [InlineData("INT", "interrupt")]
    public async Task Signal_to_end_ends_cleanly_and_takes_the_ports_file_away(string signal, string shown)
    {
        using var server = Serve("nats-server", "-P", "server.pid");
        await server.PortsAsync("nats-server");

        await server.SignalAsync(signal);

        Assert.Equal(0, await server.ExitAsync());
        Assert.Empty(Directory.GetFiles(server.Folder, "*.ports"));
        Assert.Equal([$"[INF] Trapped \"{shown}\" signal", "[INF] Initiating Shutdown...", "[INF] Server Exiting.."], ServerProcess.Lines(server.Errors)[^3..]);
    }

    [Fact]
    public async Task Log_begins_as_nats_server_does()
    {
        using var server = Serve("nats-server");
        // The last line of a start; it comes through a pipe, later than the ports file.
        await server.LoggedAsync("Server is ready");

        var lines = ServerProcess.Lines(server.Errors);

        Assert.Equal("[INF] Starting postrider 0.1.0", lines[0]);
        Assert.Equal("[INF]   Version:  2.15.1 (of the compatible nats-server)", lines[1]);
        Assert.StartsWith("[INF] Using configuration file: server.conf (sha256:", lines[4], StringComparison.Ordinal);
        Assert.StartsWith("[INF] Starting http monitor on 127.0.0.1:", lines[5], StringComparison.Ordinal);
        Assert.StartsWith("[INF] Listening for client connections on 0.0.0.0:", lines[6], StringComparison.Ordinal);
        Assert.Equal("[INF] Server is ready", lines[7]);
        Assert.Matches($@"^\[{server.Id}\] \d{{4}}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{{6}} \[INF\] ", server.Errors);
    }

    [Fact]
    public async Task Lame_duck_signal_lets_clients_go_and_ends()
    {
        using var server = Serve("nats-server");
        await server.PortsAsync("nats-server");

        await server.SignalAsync("USR2");

        Assert.Equal(0, await server.ExitAsync());
        Assert.Contains("[INF] Entering lame duck mode, stop accepting new clients", ServerProcess.Lines(server.Errors));
        Assert.Equal("[INF] Server Exiting..", ServerProcess.Lines(server.Errors)[^1]);
    }

    [Fact]
    public async Task A_full_disk_under_the_log_file_does_not_end_the_server()
    {
        using var server = Serve("nats-server", "-l", "/dev/full");
        var ports = await server.PortsAsync("nats-server");

        var greeting = await FirstLineAsync(new Uri(ports.GetProperty("nats")[0].GetString()!));

        Assert.StartsWith("INFO {", greeting, StringComparison.Ordinal);
        await server.LoggedAsync("Server is ready (log file /dev/full: ");
    }

    [Fact]
    public async Task Log_file_is_opened_again_after_it_was_moved_away()
    {
        using var server = Serve("nats-server", "-l", "server.log");
        await server.PortsAsync("nats-server");
        var log = Path.Join(server.Folder, "server.log");
        File.Move(log, log + ".1");

        await server.SignalAsync("USR1");

        await Eventually.HoldsAsync(() => File.Exists(log) && File.ReadAllText(log).Contains("File log re-opened", StringComparison.Ordinal));
        Assert.Contains("Server is ready", await File.ReadAllTextAsync(log + ".1"), StringComparison.Ordinal);
        Assert.DoesNotContain("Server is ready", await File.ReadAllTextAsync(log), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Second_program_sends_a_signal_by_the_pid_file()
    {
        using var server = Serve("nats-server", "--pid=server.pid");
        await server.PortsAsync("nats-server");

        using var sender = ServerProcess.Start("nats-server", ServerProcess.NewFolder(), "-sl", $"quit={Path.Join(server.Folder, "server.pid")}");

        Assert.Equal(0, await sender.ExitAsync());
        Assert.Equal(0, await server.ExitAsync());
    }

    public static TheoryData<string, string, int, string, string> Short => new()
    {
        { "nats-server", "-v", 0, "nats-server: v2.15.1", "" },
        { "nats-server", "--version", 0, "nats-server: v2.15.1", "" },
        { "postrider", "serve -v", 0, "postrider: v0.1.0", "" },
        { "nats-server", "-foo", 1, "", "nats-server: flag provided but not defined: -foo" },
        { "nats-server", "-tls", 1, "", "nats-server: TLS Server certificate must be present and valid" },
        { "nats-server", "-c gone.conf", 1, "", "nats-server: open gone.conf: no such file or directory" },
        { "nats-server", "-t -c bad.conf", 1, "", "nats-server: bad.conf:2:3: unknown field \"foo\"" },
        { "nats-server", "-t -c good.conf", 0, "", "nats-server: configuration file good.conf is valid (sha256:d127cab9380e6c74d0894707cede545c354a670fecd2b7b74f43b3a177bd0b92)" },
        { "nats-server", "-sl foo=1", 1, "", "nats-server: unknown signal \"foo\"" },
        { "nats-server", "-sl quit=x", 1, "", "nats-server: invalid pid: x" },
        { "nats-server", "-sl quit=99999999", 1, "", "nats-server: signal \"quit\" 99999999: no such process" },
    };

    [Theory]
    [MemberData(nameof(Short))]
    public async Task Program_answers_and_ends(string name, string args, int code, string output, string errors)
    {
        var folder = ServerProcess.NewFolder();
        await File.WriteAllTextAsync(Path.Join(folder, "bad.conf"), "port: -1\n  foo: 1\n");
        await File.WriteAllTextAsync(Path.Join(folder, "good.conf"), "{\"port\": -1, \"server_tags\":[\"a\",\"b\"]}");

        using var program = ServerProcess.Start(name, folder, args.Split(' '));

        Assert.Equal(code, await program.ExitAsync());
        Assert.Equal(output, program.Output);
        Assert.Equal(errors, program.Errors);
    }

    [Fact]
    public async Task Taken_port_is_named()
    {
        using var taken = new TcpListener(System.Net.IPAddress.Loopback, 0);
        taken.Start();
        var port = ((System.Net.IPEndPoint)taken.LocalEndpoint).Port;

        using var program = ServerProcess.Start("nats-server", ServerProcess.NewFolder(), "-a", "127.0.0.1", "-p", $"{port}");

        Assert.Equal(1, await program.ExitAsync());
        Assert.StartsWith($"nats-server: Cannot listen on 127.0.0.1:{port}: ", program.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("\n", program.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Taken_monitoring_port_is_named_and_nothing_is_left_running()
    {
        using var taken = new TcpListener(System.Net.IPAddress.Loopback, 0);
        taken.Start();
        var port = ((System.Net.IPEndPoint)taken.LocalEndpoint).Port;

        using var program = ServerProcess.Start("postrider", ServerProcess.NewFolder(), "serve", "-a", "127.0.0.1", "-p", "-1", "-m", $"{port}", "-l", "server.log");

        Assert.Equal(1, await program.ExitAsync());
        Assert.DoesNotContain("Shutdown", await File.ReadAllTextAsync(Path.Join(program.Folder, "server.log")), StringComparison.Ordinal);
        Assert.StartsWith($"postrider: Cannot listen for monitoring on 127.0.0.1:{port}: ", program.Errors, StringComparison.Ordinal);
        Assert.Contains($"[FTL] Cannot listen for monitoring on 127.0.0.1:{port}", await File.ReadAllTextAsync(Path.Join(program.Folder, "server.log")), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Threads_of_requests_to_streams_have_a_lower_priority_than_loops_of_connections()
    {
        using var server = Serve("nats-server", "-js", "-sd", "streams");
        var ports = await server.PortsAsync("nats-server");
        var address = new Uri(ports.GetProperty("nats")[0].GetString()!);
        using var client = new TcpClient();
        await client.ConnectAsync(address.Host, address.Port);
        using var reader = new StreamReader(client.GetStream());
        const string Stream = """{"name":"ORDERS","subjects":["orders.>"],"storage":"file"}""";
        await client.GetStream().WriteAsync(System.Text.Encoding.ASCII.GetBytes(
            $"CONNECT {{\"verbose\":false}}\r\nSUB answers 1\r\nPUB $JS.API.STREAM.CREATE.ORDERS answers {Stream.Length}\r\n{Stream}\r\n"));

        Assert.StartsWith("INFO {", await reader.ReadLineAsync(), StringComparison.Ordinal);
        Assert.StartsWith("MSG answers 1 ", await reader.ReadLineAsync(), StringComparison.Ordinal);
        var threads = Directory.GetDirectories($"/proc/{server.Id}/task").Select(static thread => NameAndNice(File.ReadAllText(Path.Join(thread, "stat")))).ToList();
        var own = NameAndNice(await File.ReadAllTextAsync($"/proc/{server.Id}/stat")).Nice;

        Assert.Contains(threads, thread => thread.Name == ".NET TP Worker" && thread.Nice == Math.Min(own + 5, 19));
        Assert.All(threads.Where(static thread => thread.Name.StartsWith("postrider epoll", StringComparison.Ordinal)), thread => Assert.Equal(own, thread.Nice));
        Assert.Contains(threads, static thread => thread.Name.StartsWith("postrider epoll", StringComparison.Ordinal));
    }

    // proc(5): the name is in parentheses, and nice is the seventeenth field after it.
    private static (string Name, int Nice) NameAndNice(string stat)
    {
        var end = stat.LastIndexOf(')');
        return (stat[(stat.IndexOf('(', StringComparison.Ordinal) + 1)..end], int.Parse(stat[(end + 2)..].Split(' ')[16]));
    }

    private static ServerProcess Serve(string name, params string[] flags)
    {
        var folder = ServerProcess.NewFolder();
        File.WriteAllText(Path.Join(folder, "server.conf"), Configuration);
        string[] args = ["-c", "server.conf", .. flags];
        return ServerProcess.Start(name, folder, name == "nats-server" ? args : ["serve", .. args]);
    }

    private static async Task<string> FirstLineAsync(Uri server)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(server.Host, server.Port);
        using var reader = new StreamReader(client.GetStream());
        return await reader.ReadLineAsync() ?? "";
    }
}
