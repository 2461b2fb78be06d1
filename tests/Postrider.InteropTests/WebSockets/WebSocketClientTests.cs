using Postrider.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.WebSockets;

/// <summary>Our client, the official one and a browser over WebSockets, against both servers: what they see is the same.</summary>
public sealed class WebSocketClientTests : IDisposable
{
    private readonly TestCertificates _certificates = new();

    public static TheoryData<ServerKind> Both => WebSocketServers.Both;

    public void Dispose() => _certificates.Dispose();

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Our_client_publishes_subscribes_and_asks(ServerKind kind)
    {
        await using var server = await WebSocketServers.StartAsync(kind);
        await using var client = await NatsClient.ConnectAsync($"ws://127.0.0.1:{server.WebSocketPort()}");
        await using var plain = await NatsClient.ConnectAsync(server.Url);

        await ExchangeAsync(client, plain);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Our_client_compresses_where_the_server_does(ServerKind kind)
    {
        await using var server = await WebSocketServers.StartAsync(kind, "compression: true");
        await using var client = await NatsClient.ConnectAsync(new ClientOptions
        {
            Servers = [$"ws://127.0.0.1:{server.WebSocketPort()}"],
            WebSocketCompression = true,
        });
        await using var plain = await NatsClient.ConnectAsync(server.Url);

        await ExchangeAsync(client, plain);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Our_client_goes_over_TLS_with_its_certificate(ServerKind kind)
    {
        await using var server = await WebSocketServers.StartSecureAsync(kind, _certificates, "verify: true");
        var options = new ClientOptions
        {
            Servers = [$"wss://localhost:{server.WebSocketPort()}"],
            Tls = new TlsOptions { CaFile = _certificates.CaFile, CertFile = _certificates.ClientFile, KeyFile = _certificates.ClientKeyFile },
        };
        await using var client = await NatsClient.ConnectAsync(options);
        await using var plain = await NatsClient.ConnectAsync(server.Url);

        await ExchangeAsync(client, plain);

        var unknown = await Assert.ThrowsAsync<NatsClientException>(
            () => NatsClient.ConnectAsync(options with { Tls = new TlsOptions { CaFile = _certificates.CaFile } }));
        Assert.Equal(NatsErrorCode.TlsHandshakeFailed, unknown.Code);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Our_client_is_told_why_it_is_refused(ServerKind kind)
    {
        await using var server = await WebSocketServers.StartAsync(kind, "same_origin: true", "authorization { user: a, password: b }");
        var address = $"ws://127.0.0.1:{server.WebSocketPort()}";

        var origin = await Assert.ThrowsAsync<NatsClientException>(() => NatsClient.ConnectAsync(new ClientOptions
        {
            Servers = [address],
            WebSocketHeaders = new Dictionary<string, string>(StringComparer.Ordinal) { ["Origin"] = "https://elsewhere.org" },
        }));
        var password = await Assert.ThrowsAsync<NatsClientException>(() => NatsClient.ConnectAsync(new ClientOptions { Servers = [address], User = "a", Password = "c" }));
        var noWebSocket = await Assert.ThrowsAsync<NatsClientException>(() => NatsClient.ConnectAsync($"ws://127.0.0.1:{server.Port}"));

        Assert.Contains("rejected the WebSocket with HTTP status 403", origin.Message, StringComparison.Ordinal);
        Assert.Equal(NatsErrorCode.AuthorizationFailed, password.Code);
        Assert.Equal(NatsErrorCode.ConnectionFailed, noWebSocket.Code);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Our_client_comes_back_when_the_server_does(ServerKind kind)
    {
        var port = FreePort.Find();
        await using var server = await ServerProcess.StartAsync(
            kind, "-c", ServerProcess.WriteConfiguration($"websocket {{ listen: \"127.0.0.1:{port}\", no_tls: true }}"));
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Servers = [$"ws://127.0.0.1:{port}"], MaxReconnectDelay = TimeSpan.FromMilliseconds(200) });
        await using var subscription = client.Subscribe<string>("back");
        await client.FlushAsync();

        await server.KillAsync();
        await server.RestartAsync();
        await Eventually.HoldsAsync(() => client.State == ConnectionState.Connected && client.Statistics.Reconnects > 0);
        await client.PublishAsync("back", "again");

        Assert.Equal("again", (await subscription.ReadAsync()).Data);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Official_client_publishes_subscribes_and_asks(ServerKind kind)
    {
        await using var server = await WebSocketServers.StartAsync(kind, "compression: true");

        Assert.Equal(
            """
            connected false
            small 5
            large 100000
            largest 1000000
            answer HELLO
            nobody RequestError
            closed true
            """,
            await ForeignProgram.RunAsync("node", [Path.Combine(Tools.NodeStories, "websocket.mjs"), $"ws://127.0.0.1:{server.WebSocketPort()}"]));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Browser_talks_with_the_official_client(ServerKind kind)
    {
        await using var server = await WebSocketServers.StartAsync(kind, "compression: true");

        Assert.Equal(
            """
            connected true
            small 5
            large 100000
            largest 1000000
            answer HELLO
            closed true
            """,
            await ForeignProgram.RunAsync("node", [Path.Combine(Tools.NodeStories, "websocket-browser.mjs"), $"ws://127.0.0.1:{server.WebSocketPort()}"]));
    }

    [Fact]
    public async Task Monitoring_shows_the_same_of_a_connection()
    {
        var shown = new List<string>();
        foreach (var kind in (ServerKind[])[ServerKind.Go, ServerKind.Postrider])
        {
            await using var server = await WebSocketServers.StartAsync(kind, "compression: true");
            await using var client = await NatsClient.ConnectAsync($"ws://127.0.0.1:{server.WebSocketPort()}");
            await client.PingAsync();
            var connection = (await server.MonitorAsync("connz")).GetProperty("connections")[0];
            var listener = (await server.MonitorAsync("varz")).GetProperty("websocket");
            var names = string.Join(' ', listener.EnumerateObject().Where(static member => member.Name is not ("port" or "handshake_timeout")).Select(static member => $"{member.Name}={member.Value}").Order(StringComparer.Ordinal));
            shown.Add($"{connection.GetProperty("kind")} {connection.GetProperty("type")} {names} {client.ServerInfo!.Port == server.WebSocketPort()} {client.ServerInfo.TlsRequired}");
        }

        Assert.Equal(shown[0], shown[1]);
    }

    private static async Task ExchangeAsync(NatsClient client, NatsClient plain)
    {
        await using var subscription = client.Subscribe<byte[]>("to.client");
        await using var other = plain.Subscribe<byte[]>("to.other");
        await client.FlushAsync();
        await plain.FlushAsync();
        int[] sizes = [0, 5, 65_535, 65_536, 100_000, 1_000_000];
        foreach (var size in sizes)
        {
            var bytes = new byte[size];
            new Random(size).NextBytes(bytes);
            await client.PublishAsync("to.other", bytes);
            await plain.PublishAsync("to.client", bytes);
            Assert.Equal(bytes, (await other.ReadAsync()).Data);
            Assert.Equal(bytes, (await subscription.ReadAsync()).Data);
        }
        for (var i = 0; i < 2_000; i++) await client.PublishAsync("to.client", new byte[i]);
        for (var i = 0; i < 2_000; i++) Assert.Equal(i, (await subscription.ReadAsync()).Data!.Length);
        await Assert.ThrowsAsync<NatsNoRespondersException>(async () => await client.RequestAsync<string, string>("nobody", "there"));
    }
}
