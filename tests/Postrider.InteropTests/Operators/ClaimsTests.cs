using System.Net;
using System.Text;
using Postrider.Credentials;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Operators;

/// <summary>Accounts that change while a server runs: both servers must do and say the same.</summary>
public sealed class ClaimsTests
{
    private const string Memory = "MEMORY";

    public static MatrixTheoryData<ServerKind, string> Stories => new(Enum.GetValues<ServerKind>(), ClaimsStories.Names);

    [Theory]
    [MemberData(nameof(Stories))]
    public async Task Story_of_an_account_that_changes_goes_as_written(ServerKind kind, string name)
    {
        await using var server = await ClaimsServer.StartAsync(kind, ClaimsStories.Full);

        var told = await ClaimsStories.TellAsync(name, server);

        Assert.Equal(ClaimsStories.Expected(name), told);
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Accounts_are_deleted_only_where_that_is_allowed(ServerKind kind)
    {
        await using var server = await ClaimsServer.StartAsync(kind, "{ type: full, dir: DIR }");

        Assert.Equal("500 - delete accounts request by OPERATOR failed - delete must be enabled in server config", await ClaimsStories.DeleteAsync(server, server.Keys.Operator, server.Account.Subject));
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Folder_that_is_full_takes_no_more_accounts(ServerKind kind)
    {
        await using var server = await ClaimsServer.StartAsync(kind, "{ type: full, dir: DIR, limit: 2 }");

        Assert.Equal("200 ACCOUNT jwt updated", await server.PushAsync(server.Sign(server.Account with { Description = "x" })));
        Assert.Equal("500 OTHER jwt update resulted in error - jwt store is full", await server.PushAsync(server.Sign(new AccountClaims { Subject = server.Keys.OtherAccount.PublicKey })));
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Operator_that_requires_signing_keys_refuses_its_own(ServerKind kind)
    {
        await using var server = await ClaimsServer.StartAsync(kind, ClaimsStories.Full, isStrict: true);

        Assert.Equal("500 ACCOUNT jwt update resulted in error - operator requires issuer to be a signing key", await server.PushAsync(server.Account.Encode(server.Keys.Operator)));
        Assert.Equal("-ERR 'Authorization Violation'\n(closed)", await ClaimsStories.TryAsync(server));
        await using var signed = await server.ConnectUserAsync(signer: server.Keys.Signer);
        Assert.Equal("", await signed.SayAsync());
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Accounts_in_memory_change_when_they_are_in_use(ServerKind kind)
    {
        await using var server = await ClaimsServer.StartAsync(kind, Memory);
        var subject = $"$SYS.REQ.ACCOUNT.{server.Account.Subject}.CLAIMS.UPDATE";
        var changed = server.Sign(server.Account with { Limits = server.Account.Limits with { MaxSubscriptions = 1 } });

        var before = await server.PushAsync(changed, subject);
        await using var user = await server.ConnectUserAsync();
        await user.SayAsync("SUB a 1", "SUB b 2");
        var after = await server.PushAsync(changed, subject);

        Assert.Equal(("200 ACCOUNT jwt update skipped", "200 ACCOUNT jwt updated"), (before, after));
        Assert.Equal("-ERR 'maximum subscriptions exceeded'\n", await user.ToEndAsync());
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task System_account_is_bootstrapped(ServerKind kind)
    {
        await using var server = await ClaimsServer.StartAsync(kind, ClaimsStories.Full, preloads: false);

        Assert.StartsWith("200 ", await server.PushAsync(server.SystemToken()), StringComparison.Ordinal);
        Assert.Equal("200 ACCOUNT jwt updated", await server.PushAsync(server.Sign(server.Account)));
        Assert.Equal("", await ClaimsStories.TryAsync(server));
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Folder_keeps_accounts_over_a_restart(ServerKind kind)
    {
        await using var server = await ClaimsServer.StartAsync(kind, ClaimsStories.Full, preloads: false);
        await server.PushAsync(server.SystemToken());
        await server.PushAsync(server.Sign(server.Account));

        await server.Server.KillAsync();
        await server.Server.RestartAsync();

        Assert.Equal("", await ClaimsStories.TryAsync(server));
        Assert.True(File.Exists(Path.Combine(server.Folder, server.Account.Subject + ".jwt")));
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Cache_asks_for_what_it_does_not_have(ServerKind kind)
    {
        await using var server = await ClaimsServer.StartAsync(kind, "{ type: cache, dir: DIR, ttl: \"1h\", timeout: \"20s\" }", preloads: false);
        await using var admin = await server.ConnectAdminAsync();
        await admin.SayAsync($"SUB $SYS.REQ.ACCOUNT.{server.Account.Subject}.CLAIMS.LOOKUP 1");

        var connecting = ClaimsStories.TryAsync(server);
        var reply = await admin.NextReplyAsync($"MSG $SYS.REQ.ACCOUNT.{server.Account.Subject}.CLAIMS.LOOKUP ");
        var token = server.Sign(server.Account);
        await admin.SayAsync($"PUB {reply} {token.Length}", token);

        Assert.Equal("", await connecting);
        Assert.Equal(token, await File.ReadAllTextAsync(Path.Combine(server.Folder, server.Account.Subject + ".jwt")));
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Accounts_are_fetched_over_http(ServerKind kind)
    {
        var tokens = new Dictionary<string, string>(StringComparer.Ordinal);
        using var http = new HttpListener();
        var address = Listen(http);
        var serving = ServeAsync(http, tokens);
        await using var server = await ClaimsServer.StartAsync(kind, $"URL({address})", preloads: false, prepare: own =>
        {
            tokens[own.SystemAccount] = own.SystemToken();
            tokens[own.Account.Subject] = own.Sign(own.Account);
        });

        // Go's server gives up after two seconds, which a busy machine may need.
        await Eventually.HoldsAsync(async () => await ClaimsStories.TryAsync(server) == "");
        await using var stranger = await TokenClient.ConnectAsync(server.Server.Port, new UserClaims { Subject = server.Keys.OtherUser.PublicKey }.Encode(server.Keys.OtherAccount), server.Keys.OtherUser);

        Assert.Equal("-ERR 'Authorization Violation'\n(closed)", await stranger.SayAsync());
        http.Stop();
        await serving;
    }

    [Fact]
    public async Task Pack_has_the_token_of_every_account()
    {
        await using var server = await ClaimsServer.StartAsync(ServerKind.Postrider, ClaimsStories.Full);
        await using var admin = await server.ConnectAdminAsync();
        await admin.SayAsync("SUB pack 1");

        await admin.SendAsync("PUB $SYS.REQ.CLAIMS.PACK pack 0\r\n\r\n");
        // An empty message ends the pack.
        var packed = await admin.UntilAsync("MSG pack 1 0\r\n");

        Assert.Equal(3, packed.Split("MSG pack 1 ").Length - 1);
        Assert.Contains($"\n{server.Account.Subject}|eyJ", packed, StringComparison.Ordinal);
        Assert.Contains($"\n{server.SystemAccount}|eyJ", packed, StringComparison.Ordinal);
    }

    private static string Listen(HttpListener http)
    {
        using (var probe = new System.Net.Sockets.TcpListener(IPAddress.Loopback, 0))
        {
            probe.Start();
            http.Prefixes.Add($"http://127.0.0.1:{((IPEndPoint)probe.LocalEndpoint).Port}/jwt/");
        }
        http.Start();
        return http.Prefixes.First();
    }

    private static async Task ServeAsync(HttpListener http, Dictionary<string, string> tokens)
    {
        while (http.IsListening)
        {
            try
            {
                var context = await http.GetContextAsync();
                var key = context.Request.Url!.Segments[^1];
                var found = key == "jwt/" ? "" : tokens.GetValueOrDefault(key);
                context.Response.StatusCode = found is null ? 404 : 200;
                if (found is not null) await context.Response.OutputStream.WriteAsync(Encoding.ASCII.GetBytes(found));
                context.Response.Close();
            }
            catch (Exception error) when (error is HttpListenerException or ObjectDisposedException)
            {
                // Stopped, or whoever asked has given up: others still ask.
            }
        }
    }
}
