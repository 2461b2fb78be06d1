using System.Text.Json;
using Postrider.Credentials;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Operators;
using Postrider.InteropTests.SystemAccount;

namespace Postrider.InteropTests.Callout;

/// <summary>Clients whom a service lets in or not, beside Go's server.</summary>
public sealed class AuthCalloutTests(CalloutServers servers) : IClassFixture<CalloutServers>
{
    private const string Refused = "-ERR 'Authorization Violation'\r\n";

    // The client's name decides what the service says; its credentials whether the service is asked.
    public static TheoryData<string, string, bool> Stories
    {
        get
        {
            var stories = new TheoryData<string, string, bool>();
            foreach (var isEncrypted in (bool[])[false, true])
            {
                foreach (var name in (string[])[
                    "alice", "nameless", "free", "home account", "refused", "empty", "garbage", "replayed", "stranger", "answer by stranger", "other user", "answer about other",
                    "other server", "no account", "expired", "issuer account", "silent", "in the clear", "other curve key"])
                    stories.Add(name, "\"user\":\"u\",\"pass\":\"x\"", isEncrypted);
                stories.Add("alice", "\"auth_token\":\"t\"", isEncrypted);
                stories.Add("alice", "\"user\":\"shared\",\"pass\":\"p\"", isEncrypted);
                stories.Add("refused", "\"user\":\"shared\",\"pass\":\"p\"", isEncrypted);
                stories.Add("refused", "\"user\":\"owner\",\"pass\":\"p\"", isEncrypted);
                stories.Add("alice", "\"user\":\"owner\",\"pass\":\"wrong\"", isEncrypted);
                stories.Add("refused", "\"user\":\"colleague\",\"pass\":\"p\"", isEncrypted);
                stories.Add("refused", "\"user\":\"auth\",\"pass\":\"p\"", isEncrypted);
                stories.Add("alice", "\"user\":\"auth\",\"pass\":\"wrong\"", isEncrypted);
                stories.Add("nameless", "\"name2\":\"\"", isEncrypted);
            }

            return stories;
        }
    }

    [Theory]
    [MemberData(nameof(Stories))]
    public async Task Client_is_let_in_or_refused_as_by_Gos(string name, string credentials, bool isEncrypted)
    {
        var go = await TellAsync(servers.PortOf(ServerKind.Go, isEncrypted), name, credentials);
        var own = await TellAsync(servers.PortOf(ServerKind.Postrider, isEncrypted), name, credentials);

        Assert.Equal(go, own);
    }

    [Theory]
    [InlineData("alice", "\"user\":\"u\",\"pass\":\"x\"", "INFO of APP")]
    [InlineData("refused", "\"user\":\"u\",\"pass\":\"x\"", Refused)]
    [InlineData("stranger", "\"user\":\"u\",\"pass\":\"x\"", Refused)]
    [InlineData("refused", "\"user\":\"shared\",\"pass\":\"p\"", Refused)]
    [InlineData("alice", "\"user\":\"shared\",\"pass\":\"p\"", "INFO of APP")]
    [InlineData("refused", "\"user\":\"auth\",\"pass\":\"p\"", "INFO of AUTH")]
    [InlineData("alice", "\"user\":\"owner\",\"pass\":\"wrong\"", "INFO of APP")]
    public async Task Leaf_node_is_let_in_or_refused_as_by_Gos(string name, string credentials, string expected)
    {
        foreach (var isEncrypted in (bool[])[false, true])
        {
            foreach (var kind in Enum.GetValues<ServerKind>())
                Assert.Equal((kind, expected), (kind, await TellLeafAsync(servers.LeafPortOf(kind, isEncrypted), name, credentials)));
        }

        if (expected == "INFO of APP")
            Assert.Equal("Leafnode", JsonDocument.Parse(servers.ServiceOf(ServerKind.Postrider, false).RequestOf(name)).RootElement.GetProperty("nats").GetProperty("client_info").GetProperty("kind").GetString());
    }

    [Fact]
    public async Task Service_decides_about_account_and_permissions()
    {
        var allowed = await TellAsync(servers.PortOf(ServerKind.Postrider, true), "alice", "\"user\":\"u\",\"pass\":\"x\"");
        var refused = await TellAsync(servers.PortOf(ServerKind.Postrider, true), "refused", "\"user\":\"u\",\"pass\":\"x\"");

        Assert.Contains("\"account\":\"APP\"", allowed, StringComparison.Ordinal);
        Assert.Contains("\"user\":\"Alice\"", allowed, StringComparison.Ordinal);
        Assert.Contains("Permissions Violation for Publish to \"nok\"", allowed, StringComparison.Ordinal);
        Assert.Equal(Refused, refused);
    }

    [Fact]
    public async Task User_for_another_type_of_connection_is_refused()
    {
        // Go's server lets it in.
        Assert.Equal(Refused, await TellAsync(servers.PortOf(ServerKind.Postrider, true), "other connection type", "\"user\":\"u\",\"pass\":\"x\""));
    }

    [Fact]
    public async Task Payload_is_limited_as_the_service_says()
    {
        // Go's server takes no notice of it.
        await using var client = await SystemClient.ConnectAsync(servers.PortOf(ServerKind.Postrider, false), "small payload", static _ => "\"user\":\"u\"");

        await client.PublishAsync("ok.fine", "abc");
        await client.UntilAsync(static _ => false);

        Assert.EndsWith("-ERR 'Maximum Payload Violation'\r\n", client.Received, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Request_is_as_Gos(bool isEncrypted)
    {
        var shapes = new Dictionary<ServerKind, List<string>>();
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            await TellAsync(servers.PortOf(kind, isEncrypted), "alice", "\"user\":\"u\",\"pass\":\"x\"");
            var request = JsonDocument.Parse(servers.ServiceOf(kind, isEncrypted).RequestOf("alice")).RootElement;
            var nats = request.GetProperty("nats");
            shapes[kind] = [
                .. JsonShape.Of(request), request.GetProperty("aud").GetString()!, request.GetProperty("sub").GetString()!, nats.GetProperty("type").GetString()!,
                JsonSerializer.Serialize(nats.GetProperty("connect_opts")), nats.GetProperty("client_info").GetProperty("user").GetString()!,
                nats.GetProperty("client_info").GetProperty("kind").GetString()!, nats.GetProperty("server_id").GetProperty("name").GetString()!,
                $"{request.GetProperty("iss").GetString() == nats.GetProperty("server_id").GetProperty("id").GetString()}",
                $"{request.GetProperty("exp").GetInt64() - request.GetProperty("iat").GetInt64()}"];
        }

        Assert.Equal(shapes[ServerKind.Go], shapes[ServerKind.Postrider]);
    }

    [Theory]
    [InlineData("alice")]
    [InlineData("free")]
    [InlineData("refused")]
    [InlineData("stranger")]
    [InlineData("other user")]
    [InlineData("other server")]
    [InlineData("home account")]
    [InlineData("in the clear")]
    [InlineData("other curve key")]
    public async Task Callout_of_an_account_in_operator_mode_decides_as_with_Gos(string name)
    {
        var heard = new Dictionary<ServerKind, string>();
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            foreach (var isEncrypted in (bool[])[false, true])
                heard[kind] = heard.GetValueOrDefault(kind) + await TellInOperatorModeAsync(kind, name, isEncrypted);
        }

        Assert.Equal(heard[ServerKind.Go], heard[ServerKind.Postrider]);
    }

    private static async Task<string> TellInOperatorModeAsync(ServerKind kind, string name, bool isEncrypted)
    {
        CalloutKeysOfTest? keys = null;
        await using var server = await ClaimsServer.StartAsync(
            kind,
            "MEMORY",
            (account, all) =>
            {
                keys = new CalloutKeysOfTest { Issuer = all.Account, TargetKey = all.OtherAccount, Target = all.OtherAccount.PublicKey };
                return account with { Authorization = new ExternalAuthorization { Users = [all.User.PublicKey], AllowedAccounts = [all.OtherAccount.PublicKey], CurveKey = isEncrypted ? keys.Curve.PublicKey : null } };
            },
            other: static all => new AccountClaims { Subject = all.OtherAccount.PublicKey, Name = "other" });
        var service = await SystemClient.ConnectAsync(server.Server.Port, "service", nonce => Credentials(new UserClaims { Subject = server.Keys.User.PublicKey }.Encode(server.Keys.Account), TokenKeys.Sign(nonce, server.Keys.User)));
        await using (await CalloutService.StartAsync(service, keys!))
        {
            var sentinel = new UserClaims { Subject = server.Keys.OtherUser.PublicKey, Name = "sentinel", Settings = new UserSettings { IsBearer = true } }.Encode(server.Keys.Account);
            var heard = await TellAsync(server.Server.Port, name, $"\"jwt\":\"{sentinel}\"");
            return heard.Replace(server.Keys.OtherAccount.PublicKey, "OTHER", StringComparison.Ordinal).Replace(server.Keys.Account.PublicKey, "ACCOUNT", StringComparison.Ordinal);
        }

        static string Credentials(string token, string signature) => $"\"jwt\":\"{token}\",\"sig\":\"{signature}\"";
    }

    private static async Task<string> TellLeafAsync(int port, string name, string credentials)
    {
        await using var leaf = await RawConnection.OpenAsync(port);
        await leaf.SendAsync($"CONNECT {{\"name\":\"{name}\",\"server_id\":\"{Guid.NewGuid():N}\",\"version\":\"2.15.1\",\"headers\":true,\"protocol\":1,{credentials}}}\r\n");
        await leaf.UntilAsync(static text => text.Contains("\"remote_account\":\"", StringComparison.Ordinal) || text.Contains("-ERR", StringComparison.Ordinal));
        var at = leaf.Received.IndexOf("\"remote_account\":\"", StringComparison.Ordinal);
        return at < 0 ? leaf.Received : "INFO of " + leaf.Received[(at + "\"remote_account\":\"".Length)..].Split('"')[0];
    }

    // What the client is told: that it is refused, or who it is and what it may not publish.
    private static async Task<string> TellAsync(int port, string name, string credentials)
    {
        await using var client = await SystemClient.ConnectAsync(port, name, _ => credentials);
        if (!client.IsIn)
        {
            await client.UntilAsync(static _ => false);
            return client.Received.Replace("PING\r\n", "", StringComparison.Ordinal);
        }

        // Not the names that tokens give: those are looked at elsewhere.
        var data = JsonDocument.Parse(await client.AskAsync("$SYS.REQ.USER.INFO")).RootElement.GetProperty("data");
        var info = string.Join(',', data.EnumerateObject().Where(static one => one.Name is "user" or "account" or "permissions").Select(static one => $"\"{one.Name}\":{JsonSerializer.Serialize(one.Value)}")) + "\n";
        await client.PublishAsync("ok.fine");
        await client.PublishAsync("nok");
        await client.PublishAsync("$SYS.REQ.USER.AUTH", "x");
        await client.SubscribeAsync("secret");
        // An empty object says the same as none, and Go's server writes lists in any order.
        return info.Replace("\"$SYS.REQ.USER.AUTH\",\"nok\"", "\"nok\",\"$SYS.REQ.USER.AUTH\"", StringComparison.Ordinal).Replace(",\"subscribe\":{}", "", StringComparison.Ordinal) + string.Join('\n', client.Received.Split("\r\n").Where(static line => line.StartsWith("-ERR", StringComparison.Ordinal)));
    }
}
