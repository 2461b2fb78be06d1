using Postrider.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Tls;

/// <summary>Our client and the official one with TLS, against both servers: what they see is the same.</summary>
public sealed class TlsClientTests : IDisposable
{
    private readonly TestCertificates _certificates = new();

    public static TheoryData<ServerKind> Both => TlsServers.Both;

    private TlsOptions Trusting => new() { CaFile = _certificates.CaFile };

    private TlsOptions Presenting => Trusting with { CertFile = _certificates.ClientFile, KeyFile = _certificates.ClientKeyFile };

    public void Dispose() => _certificates.Dispose();

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Our_client_upgrades_when_it_is_told_to(ServerKind kind)
    {
        await using var server = await TlsServers.StartAsync(kind, _certificates);
        await using var client = await ConnectAsync(server, Trusting);
        await using var subscription = client.Subscribe<byte[]>("over.tls");
        await client.FlushAsync();
        int[] sizes = [5, 16_384, 100_000, 1_000_000];

        foreach (var size in sizes) await client.PublishAsync("over.tls", new byte[size]);

        foreach (var size in sizes) Assert.Equal(size, (await subscription.ReadAsync()).Data!.Length);
        Assert.True(client.ServerInfo!.TlsRequired);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Our_client_presents_its_certificate(ServerKind kind)
    {
        await using var server = await TlsServers.StartAsync(kind, _certificates, "verify: true");
        await using var client = await ConnectAsync(server, Presenting);

        await client.PingAsync();

        var refused = await Assert.ThrowsAsync<NatsClientException>(() => ConnectAsync(server, Trusting));
        Assert.Equal(NatsErrorCode.TlsHandshakeFailed, refused.Code);
        Assert.True(client.ServerInfo!.TlsVerify);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Our_client_begins_the_handshake_where_the_server_waits_for_it(ServerKind kind)
    {
        await using var server = await TlsServers.StartAsync(kind, _certificates, "handshake_first: true");
        await using var client = await ConnectAsync(server, Trusting with { HandshakeFirst = true });

        await client.PingAsync();

        Assert.True(client.ServerInfo!.TlsRequired);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Our_client_takes_either_order_with_a_fallback(ServerKind kind)
    {
        await using var server = await TlsServers.StartAsync(kind, _certificates, "handshake_first: \"2s\", timeout: 20");
        await using var first = await ConnectAsync(server, Trusting with { HandshakeFirst = true });
        await using var after = await ConnectAsync(server, Trusting);

        await first.PingAsync();
        await after.PingAsync();

        Assert.True(after.ServerInfo!.TlsRequired);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Our_client_goes_on_in_the_clear_or_not_where_both_are_allowed(ServerKind kind)
    {
        await using var server = await TlsServers.StartAsync(kind, _certificates, more: "allow_non_tls: true");
        await using var plain = await NatsClient.ConnectAsync($"nats://localhost:{server.Port}");
        await using var secure = await ConnectAsync(server, Trusting);
        await using var subscription = plain.Subscribe<string>("both");
        await plain.FlushAsync();

        await secure.PublishAsync("both", "from TLS");

        Assert.Equal("from TLS", (await subscription.ReadAsync()).Data);
        Assert.True(plain.ServerInfo!.TlsAvailable);
        Assert.False(plain.ServerInfo!.TlsRequired);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Our_client_comes_back_with_TLS(ServerKind kind)
    {
        await using var server = await TlsServers.StartAsync(kind, _certificates);
        await using var client = await ConnectAsync(server, Trusting);

        await server.KillAsync();
        await server.RestartAsync();
        await Eventually.HoldsAsync(() => client.Statistics.Reconnects == 1);

        await client.PingAsync();
    }

    [Theory]
    [InlineData(ServerKind.Go, "CN=client", "CN=client")]
    [InlineData(ServerKind.Postrider, "CN=client", "CN=client")]
    [InlineData(ServerKind.Go, "CN=kim, OU=dev, O=Example", "CN=kim,OU=dev,O=Example")]
    [InlineData(ServerKind.Postrider, "CN=kim, OU=dev, O=Example", "CN=kim,OU=dev,O=Example")]
    [InlineData(ServerKind.Go, "CN=kim, OU=dev, O=Example", "O=Example,OU=dev,CN=kim")]
    [InlineData(ServerKind.Postrider, "CN=kim, OU=dev, O=Example", "O=Example,OU=dev,CN=kim")]
    [InlineData(ServerKind.Go, "CN=kim, DC=example, DC=com", "CN=kim,DC=example,DC=com")]
    [InlineData(ServerKind.Postrider, "CN=kim, DC=example, DC=com", "CN=kim,DC=example,DC=com")]
    [InlineData(ServerKind.Go, "CN=\"Kim, the first\", O=Example", "CN=Kim\\\\, the first,O=Example")]
    [InlineData(ServerKind.Postrider, "CN=\"Kim, the first\", O=Example", "CN=Kim\\\\, the first,O=Example")]
    public async Task Subject_of_the_certificate_is_the_user(ServerKind kind, string subject, string user)
    {
        var certificate = _certificates.IssueClient("mapped", subject);
        var users = $"authorization {{ users: [ {{ user: \"other\" }}, {{ user: \"{user}\", permissions: {{ publish: \"open.>\", subscribe: \">\" }} }} ] }}";
        await using var server = await TlsServers.StartAsync(kind, _certificates, "verify_and_map: true", users);
        await using var client = await ConnectAsync(server, Trusting with { Certificate = certificate });
        var denied = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        client.EventOccurred += told =>
        {
            if (told.Kind == ClientEventKind.PermissionDenied) denied.TrySetResult(told.Subject);
        };

        await client.PublishAsync("closed", "x");

        Assert.Equal("closed", await denied.Task.WaitAsync(Eventually.Patience));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Official_client_upgrades(ServerKind kind)
    {
        await using var server = await TlsServers.StartAsync(kind, _certificates);

        Assert.Equal(Expected("connected true false false"), await TellAsync(server, _certificates.CaFile));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Official_client_presents_its_certificate(ServerKind kind)
    {
        await using var server = await TlsServers.StartAsync(kind, _certificates, "verify: true");

        Assert.Equal(Expected("connected true true false"), await TellAsync(server, _certificates.CaFile, _certificates.ClientFile, _certificates.ClientKeyFile));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Official_client_begins_the_handshake(ServerKind kind)
    {
        await using var server = await TlsServers.StartAsync(kind, _certificates, "handshake_first: \"2s\", timeout: 20");

        Assert.Equal(Expected("connected true false false"), await TellAsync(server, _certificates.CaFile, "", "", "first"));
    }

    private static string Expected(string connected) => $"""
        {connected}
        received 5
        received 100000
        received 1000000
        round trip true
        without the authority: Error
        """;

    private static Task<string> TellAsync(ServerProcess server, params string[] arguments)
        => ForeignProgram.RunAsync("node", [Path.Combine(Tools.NodeStories, "tls.mjs"), $"nats://localhost:{server.Port}", .. arguments]);

    private static Task<NatsClient> ConnectAsync(ServerProcess server, TlsOptions tls)
        => NatsClient.ConnectAsync($"nats://localhost:{server.Port}", options => (options.Tls, options.ReconnectDelay) = (tls, TimeSpan.FromMilliseconds(20)));
}
