using Postrider.Client;
using Postrider.Client.Credentials;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Authentication;

/// <summary>Operators, accounts and users that <c>postrider auth</c> makes, in front of both servers.</summary>
public sealed class OperatorModeTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Users_are_let_in_and_may_do_what_their_tokens_say(ServerKind kind)
    {
        using var authority = await Authority.CreateAsync();
        await authority.RunAsync("account", "add", "orders");
        var clerk = await authority.AddUserAsync("orders", "clerk", "--allow-pub", "orders.>,ask", "--allow-sub", "orders.>,_INBOX.>", "--allow-responses", "1", "--expires", "1h");
        await using var server = await StartAsync(kind, authority);
        await using var client = await ConnectAsync(server, clerk);
        await using var heard = client.Subscribe<string>("orders.*");
        var denied = EventOf(client, ClientEventKind.PermissionDenied);

        await client.PublishAsync("orders.new", "tea");
        await client.PublishAsync("secret", "x");

        Assert.Equal("tea", (await heard.ReadAsync()).Data);
        Assert.Equal("secret", (await denied.WaitAsync(Patience)).Subject);
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Accounts_do_not_see_each_others_subjects(ServerKind kind)
    {
        using var authority = await Authority.CreateAsync();
        await authority.RunAsync("account", "add", "east");
        await authority.RunAsync("account", "add", "west");
        var (eastern, western) = (await authority.AddUserAsync("east", "e"), await authority.AddUserAsync("west", "w"));
        await using var server = await StartAsync(kind, authority);
        await using var east = await ConnectAsync(server, eastern);
        await using var west = await ConnectAsync(server, western);
        await using var heard = west.Subscribe<string>("a");
        await west.FlushAsync();

        await east.PublishAsync("a", "from east");
        await east.FlushAsync();
        await west.PublishAsync("a", "from west");

        Assert.Equal("from west", (await heard.ReadAsync()).Data);
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Role_of_a_signing_key_says_what_its_users_may_do_even_where_signing_keys_are_required(ServerKind kind)
    {
        using var authority = await Authority.CreateAsync("--require-signing-keys");
        await authority.RunAsync("account", "add", "orders");
        await authority.RunAsync("signing-key", "add", "orders", "--role", "monitor", "--allow-sub", "orders.>,_INBOX.>", "--deny-pub", ">");
        await authority.RunAsync("signing-key", "add", "orders");
        var (probe, clerk) = (await authority.AddUserAsync("orders", "probe", "--role", "monitor"), await authority.AddUserAsync("orders", "clerk"));
        await using var server = await StartAsync(kind, authority);
        await using var reader = await ConnectAsync(server, probe);
        await using var writer = await ConnectAsync(server, clerk);
        await using var heard = reader.Subscribe<string>("orders.new");
        await reader.FlushAsync();
        var denied = EventOf(reader, ClientEventKind.PermissionDenied);

        await writer.PublishAsync("orders.new", "tea");
        await reader.PublishAsync("orders.new", "x");

        Assert.Equal("tea", (await heard.ReadAsync()).Data);
        Assert.Equal("orders.new", (await denied.WaitAsync(Patience)).Subject);
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Limits_of_the_account_hold(ServerKind kind)
    {
        using var authority = await Authority.CreateAsync();
        await authority.RunAsync("account", "add", "small", "--max-connections", "1", "--max-payload", "1KB");
        var user = await authority.AddUserAsync("small", "only");
        await using var server = await StartAsync(kind, authority);
        await using var client = await ConnectAsync(server, user);

        var refused = await Assert.ThrowsAsync<NatsClientException>(() => ConnectAsync(server, user));

        Assert.Contains("maximum account active connections exceeded", refused.Message, StringComparison.Ordinal);
        await Eventually.HoldsAsync(() => client.ServerInfo!.MaxPayload == 1024);
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Expired_revoked_and_foreign_users_are_refused(ServerKind kind)
    {
        using var authority = await Authority.CreateAsync();
        using var stranger = await Authority.CreateAsync();
        await authority.RunAsync("account", "add", "orders");
        await stranger.RunAsync("account", "add", "orders");
        var (revoked, expired) = (await authority.AddUserAsync("orders", "gone"), await authority.AddUserAsync("orders", "late"));
        var foreign = await stranger.AddUserAsync("orders", "foreign");
        authority.Issue("orders", "late", DateTimeOffset.UtcNow.AddMinutes(-1), expired);
        await authority.RunAsync("user", "revoke", "orders", "gone");
        await using var server = await StartAsync(kind, authority);

        foreach (var file in (string[])[revoked, expired, foreign])
        {
            var refused = await Assert.ThrowsAsync<NatsClientException>(() => ConnectAsync(server, file));
            Assert.Equal(NatsErrorCode.AuthorizationFailed, refused.Code);
        }
        var without = await Assert.ThrowsAsync<NatsClientException>(() => NatsClient.ConnectAsync(server.Url));
        Assert.Equal(NatsErrorCode.CredentialsUnavailable, without.Code);
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Bearer_connects_with_its_token_alone_and_others_do_not(ServerKind kind)
    {
        using var authority = await Authority.CreateAsync();
        await authority.RunAsync("account", "add", "orders");
        await authority.AddUserAsync("orders", "bearer", "--bearer");
        await authority.AddUserAsync("orders", "clerk");
        await using var server = await StartAsync(kind, authority);
        var (bearer, clerk) = (await TokenAsync("bearer"), await TokenAsync("clerk"));

        await using var client = await NatsClient.ConnectAsync(server.Url, options => options.Credentials = NatsCredentials.FromBearer(_ => new(bearer)));
        await client.PingAsync();

        var refused = await Assert.ThrowsAsync<NatsClientException>(() => NatsClient.ConnectAsync(server.Url, options => options.Credentials = NatsCredentials.FromBearer(_ => new(clerk))));
        Assert.Equal(NatsErrorCode.AuthorizationFailed, refused.Code);

        async Task<string> TokenAsync(string user) => (await File.ReadAllTextAsync(authority.FileOf($"auth/accounts/orders/{user}.jwt"))).Trim();
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Client_whose_token_ends_reconnects_with_the_renewed_file(ServerKind kind)
    {
        using var authority = await Authority.CreateAsync();
        await authority.RunAsync("account", "add", "orders");
        var file = await authority.AddUserAsync("orders", "clerk");
        authority.Issue("orders", "clerk", DateTimeOffset.UtcNow.AddSeconds(3), file);
        await using var server = await StartAsync(kind, authority);
        await using var client = await ConnectAsync(server, file);
        await using var heard = client.Subscribe<string>("orders.new");
        var (lost, back) = (EventOf(client, ClientEventKind.Disconnected), EventOf(client, ClientEventKind.Reconnected));
        authority.Issue("orders", "clerk", DateTimeOffset.UtcNow.AddHours(1), file);

        var reason = (await lost.WaitAsync(Patience)).Error;
        await back.WaitAsync(Patience);
        await client.PublishAsync("orders.new", "after");

        Assert.Contains("User Authentication Expired", reason!.Message, StringComparison.Ordinal);
        Assert.Equal("after", (await heard.ReadAsync()).Data);
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Official_client_connects_with_our_credentials_file(ServerKind kind)
    {
        using var authority = await Authority.CreateAsync();
        await authority.RunAsync("account", "add", "orders");
        var file = await authority.AddUserAsync("orders", "clerk", "--allow-pub", "orders.>", "--allow-sub", "orders.>");
        await using var server = await StartAsync(kind, authority);

        var story = await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "credentials.mjs"), server.Url, "creds", file);

        Assert.Equal("received tea\ndenied PermissionViolationError", story);
    }

    private static async Task<ServerProcess> StartAsync(ServerKind kind, Authority authority) => await ServerProcess.StartAsync(kind, "-c", await authority.WriteConfigurationAsync());

    private static Task<NatsClient> ConnectAsync(ServerProcess server, string file)
        => NatsClient.ConnectAsync(server.Url, options =>
        {
            options.Credentials = NatsCredentials.FromFile(file);
            options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
        });

    private static Task<ClientEvent> EventOf(NatsClient client, ClientEventKind kind)
    {
        var happened = new TaskCompletionSource<ClientEvent>(TaskCreationOptions.RunContinuationsAsynchronously);
        client.EventOccurred += told =>
        {
            if (told.Kind == kind) happened.TrySetResult(told);
        };
        return happened.Task;
    }
}
