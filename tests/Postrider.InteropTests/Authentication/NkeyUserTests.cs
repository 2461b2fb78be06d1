using Postrider.Client;
using Postrider.Client.Credentials;
using Postrider.Credentials;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Authentication;

/// <summary>Users with nkeys in front of both servers: what they see is the same.</summary>
public sealed class NkeyUserTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-nkeys-");
    private readonly NkeyPair _key = NkeyPair.Create(NkeyKind.User);
    private readonly NkeyPair _stranger = NkeyPair.Create(NkeyKind.User);

    public static TheoryData<ServerKind> Both => [ServerKind.Go, ServerKind.Postrider];

    private string SeedOfKey => Path.Combine(_folder.FullName, "key.nk");

    public void Dispose()
    {
        _folder.Delete(recursive: true);
        _key.Dispose();
        _stranger.Dispose();
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task User_is_let_in_with_its_permissions(ServerKind kind)
    {
        await using var server = await StartAsync(kind);
        await using var client = await ConnectAsync(server, _key);
        await using var heard = client.Subscribe<string>("orders.*");
        var denied = new TaskCompletionSource<ClientEvent>(TaskCreationOptions.RunContinuationsAsynchronously);
        client.EventOccurred += told =>
        {
            if (told.Kind == ClientEventKind.PermissionDenied) denied.TrySetResult(told);
        };

        await client.PublishAsync("orders.new", "tea");
        await client.PublishAsync("secret", "x");

        Assert.Equal("tea", (await heard.ReadAsync()).Data);
        Assert.Equal("secret", (await denied.Task.WaitAsync(Patience)).Subject);
        Assert.Equal(15, client.ServerInfo!.Nonce?.Length ?? 15);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Strangers_and_clients_without_a_key_are_refused(ServerKind kind)
    {
        await using var server = await StartAsync(kind);

        var stranger = await Assert.ThrowsAsync<NatsClientException>(() => ConnectAsync(server, _stranger));
        var nobody = await Assert.ThrowsAsync<NatsClientException>(() => NatsClient.ConnectAsync(server.Url));

        Assert.Equal((NatsErrorCode.AuthorizationFailed, "The server reported: Authorization Violation"), (stranger.Code, stranger.Message));
        Assert.Equal(NatsErrorCode.CredentialsUnavailable, nobody.Code);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Client_signs_again_when_it_reconnects(ServerKind kind)
    {
        await using var server = await StartAsync(kind);
        await using var client = await ConnectAsync(server, _key);
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        client.EventOccurred += told =>
        {
            if (told.Kind == ClientEventKind.Reconnected) back.TrySetResult();
        };

        await server.KillAsync();
        await server.RestartAsync();
        await back.Task.WaitAsync(Patience);

        await client.PingAsync();
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Command_line_and_the_official_client_connect(ServerKind kind)
    {
        await using var server = await StartAsync(kind);
        SeedFile.Write(SeedOfKey, _key);

        var published = await ForeignProgram.RunAsync(Tools.Postrider, "pub", "orders.new", "tea", "-s", server.Url, "--nkey", SeedOfKey);
        var story = await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "credentials.mjs"), server.Url, "nkey", SeedOfKey);

        Assert.Equal("Published 1 × 3 bytes to orders.new", published);
        Assert.Equal("received tea\ndenied PermissionViolationError", story);
    }

    private Task<ServerProcess> StartAsync(ServerKind kind) => ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration($$"""
        authorization {
          users: [
            { nkey: {{_key.PublicKey}}, permissions: { publish: "orders.>", subscribe: "orders.>" } }
            { user: ann, password: secret }
          ]
        }
        """));

    private static Task<NatsClient> ConnectAsync(ServerProcess server, NkeyPair key)
        => NatsClient.ConnectAsync(server.Url, options =>
        {
            options.Credentials = NatsCredentials.FromSeed(_ =>
            {
                var seed = new char[NkeyPair.SeedLength];
                key.WriteSeed(seed);
                return new(seed);
            });
            options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
        });
}
