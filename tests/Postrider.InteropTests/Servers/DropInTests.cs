using System.Text.Json;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Servers;

/// <summary>The same binary under the name nats-server, started as other projects' tests start it: by a file alone.</summary>
public sealed class DropInTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-interop-");

    public static TheoryData<ServerKind> Both => DefaultServers.Both;

    [Theory]
    [MemberData(nameof(Both))]
    public async Task File_alone_brings_up_ports_file_tags_and_random_ports(ServerKind kind)
    {
        var file = Path.Combine(_folder.FullName, "server.conf");
        await File.WriteAllTextAsync(file, $$"""
            port: -1
            http: "127.0.0.1:-1"
            ports_file_dir: "{{_folder.FullName}}"
            server_tags: ["id:story", "two"]
            cluster { name: "c", listen: "127.0.0.1:-1" }
            leafnodes { listen: "127.0.0.1:-1" }
            websocket { listen: "127.0.0.1:-1", no_tls: true }
            """, TestContext.Current.CancellationToken);

        await using var server = ForeignProgram.Start(Linked(kind), "-c", file);
        var ports = await PortsAsync(server);

        foreach (var (listener, scheme) in new[] { ("nats", "nats"), ("monitoring", "http"), ("cluster", "nats"), ("websocket", "ws") })
            Assert.Equal(scheme, new Uri(ports.GetProperty(listener)[0].GetString()!).Scheme);

        var varz = await ReadAsync(ports.GetProperty("monitoring")[0].GetString() + "/varz");
        Assert.Equal(["id:story", "two"], varz.GetProperty("tags").EnumerateArray().Select(tag => tag.GetString()));
        await using var client = await RawConnection.OpenAsync(new Uri(ports.GetProperty("nats")[0].GetString()!).Port);
        Assert.Equal("", await client.FenceAsync());
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Version_is_printed_as_clients_suites_read_it(ServerKind kind)
        => Assert.Equal("nats-server: v2.15.1", await ForeignProgram.RunAsync(Linked(kind), "-v"));

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Log_says_what_scripts_wait_for(ServerKind kind)
    {
        var log = Path.Combine(_folder.FullName, "log");
        await using var server = ForeignProgram.Start(Linked(kind), "-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", _folder.FullName, "-l", log);
        await PortsAsync(server);

        var text = await ReadUntilAsync(log, "Server is ready");

        Assert.Matches(@"(?m)^\[\d+\] \d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{6} \[INF\] Listening for client connections on 127\.0\.0\.1:\d+$", text);
        Assert.Matches(@"(?m)^\[\d+\] \d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{6} \[INF\] Server is ready$", text);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private string Linked(ServerKind kind)
    {
        var link = Path.Combine(_folder.FullName, "nats-server");
        File.CreateSymbolicLink(link, kind == ServerKind.Go ? Tools.NatsServer : Tools.Postrider);
        return link;
    }

    private async Task<JsonElement> PortsAsync(ForeignProgram server)
        => JsonDocument.Parse(await ReadUntilAsync(Path.Combine(_folder.FullName, $"nats-server_{server.Id}.ports"), "}", server)).RootElement;

    private static Task<string> ReadUntilAsync(string file, string word, ForeignProgram? server = null)
    {
        return Eventually.GivesAsync(ReadAsync, what: $"'{word}' in {file}");

        async Task<string?> ReadAsync()
        {
            if (File.Exists(file) && await File.ReadAllTextAsync(file) is var text && text.Contains(word, StringComparison.Ordinal))
                return text;

            return server is { HasExited: true } ? throw new InvalidOperationException($"The server ended: {await server.ToEndAsync()}") : null;
        }
    }

    private static async Task<JsonElement> ReadAsync(string url)
    {
        using var http = new HttpClient();
        return JsonDocument.Parse(await http.GetStringAsync(new Uri(url))).RootElement;
    }
}
