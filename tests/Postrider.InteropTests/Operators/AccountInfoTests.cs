using System.Buffers.Text;
using System.Text;
using System.Text.Json;
using Postrider.Credentials;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Operators;

/// <summary>What <c>$SYS.REQ.ACCOUNT.*.INFO</c> shows of accounts that tokens describe, beside Go's server.</summary>
public sealed class AccountInfoTests
{
    private const string Full = ClaimsStories.Full;

    private static readonly JetStreamClaimLimits Streams = new() { MemoryBytes = 1024, DiskBytes = null, MaxStreams = 5, MaxAckPending = 7, MaxBytesRequired = true };

    // What the account's token says, and that of another one that it imports from.
    private static readonly Dictionary<string, (Func<AccountClaims, TokenKeys, AccountClaims> Account, Func<TokenKeys, AccountClaims>? Other)> All = new(StringComparer.Ordinal)
    {
        ["nothing more"] = ((account, _) => account, null),
        ["no name"] = ((account, _) => account with { Name = null }, null),
        ["general members"] = ((account, _) => account with
        {
            Tags = ["a:b", "c"], Description = "what <it> is", InfoUrl = "https://example.org/?a=1&b=2", Audience = "someone", NotBefore = DateTimeOffset.UnixEpoch.AddSeconds(5), Expires = DateTimeOffset.UtcNow.AddDays(1), ClusterTraffic = "owner",
        }, null),
        ["limits"] = ((account, _) => account with { Limits = new AccountLimits { MaxSubscriptions = 10, MaxData = 0, MaxPayload = 100, MaxImports = 1, MaxExports = 2, AllowWildcardExports = false, DisallowBearer = true, MaxConnections = 50, MaxLeafNodes = 0 } }, null),
        ["limits of streams"] = ((account, _) => account with { Limits = new AccountLimits { JetStream = Streams } }, null),
        ["limits of streams by tier"] = ((account, _) => account with { Limits = new AccountLimits { JetStreamTiers = new Dictionary<string, JetStreamClaimLimits> { ["R1"] = Streams, ["R3"] = new() { DiskBytes = 5 } } } }, null),
        ["signing keys"] = ((account, keys) => account with
        {
            SigningKeys =
            [
                new AccountSigningKey(keys.Signer.PublicKey),
                new AccountSigningKey(keys.Scoped.PublicKey, new UserScope
                {
                    Role = "reader",
                    Description = "reads",
                    Template = new UserSettings
                    {
                        Permissions = new ClaimPermissions { Subscribe = new SubjectAccess { Allow = ["a.>", "b q"] }, Responses = new ResponseAccess(2, TimeSpan.FromSeconds(3)) },
                        Sources = ["192.0.2.0/24"],
                        Times = [new DailyTime(new TimeOnly(1, 2, 3), new TimeOnly(4, 5, 6))],
                        TimeZone = "UTC",
                        MaxSubscriptions = 3,
                        IsBearer = true,
                        AllowedConnectionTypes = ["STANDARD"],
                    },
                }),
            ],
        }, null),
        ["revoked users"] = ((account, keys) => account with { Revocations = new Dictionary<string, DateTimeOffset> { ["*"] = DateTimeOffset.UnixEpoch.AddSeconds(7), [keys.OtherUser.PublicKey] = DateTimeOffset.UnixEpoch.AddSeconds(1_700_000_000) } }, null),
        ["permissions"] = ((account, _) => account with { DefaultPermissions = new ClaimPermissions { Publish = new SubjectAccess { Deny = ["no"] }, Responses = new ResponseAccess(0, TimeSpan.Zero) } }, null),
        ["mappings"] = ((account, _) => account with { Mappings = new Dictionary<string, IReadOnlyList<WeightedMapping>> { ["m.*"] = [new WeightedMapping("n.$1", 20), new WeightedMapping("o.$1", 80)], ["r.*.*"] = [new WeightedMapping("s.$2.$1", 70)], ["x"] = [new WeightedMapping("y")] } }, null),
        ["traces"] = ((account, _) => account with { Trace = new MessageTrace("traces", 30) }, null),
        ["traces without a share"] = ((account, _) => account with { Trace = new MessageTrace("traces", 0) }, null),
        ["exports"] = ((account, keys) => account with
        {
            Exports =
            [
                new AccountExport { Name = "z", Subject = "svc.z", Kind = ExportKind.Service, TokenRequired = true, Revocations = new Dictionary<string, DateTimeOffset> { [keys.OtherAccount.PublicKey] = DateTimeOffset.UnixEpoch.AddSeconds(9) } },
                new AccountExport { Subject = "svc.a", Kind = ExportKind.Service, ResponseType = ResponseType.Stream, ResponseThreshold = TimeSpan.FromSeconds(2), AllowTrace = true, Advertise = true },
                new AccountExport { Subject = "svc.b", Kind = ExportKind.Service, Latency = new ServiceLatency(25, "latency.b"), Description = "d" },
                new AccountExport { Subject = "svc.c", Kind = ExportKind.Service, Latency = new ServiceLatency(0, "latency.c"), InfoUrl = "http://example.org" },
                new AccountExport { Subject = "str.*", Kind = ExportKind.Stream, AccountTokenPosition = 2 },
            ],
        }, null),
        ["imports"] = ((account, keys) => account with
        {
            Imports =
            [
                new AccountImport { Name = "s", Account = keys.OtherAccount.PublicKey, Subject = "str.>", Kind = ExportKind.Stream, LocalSubject = "mine.>", AllowTrace = true },
                new AccountImport { Account = keys.OtherAccount.PublicKey, Subject = "svc", Kind = ExportKind.Service, Share = true },
                new AccountImport { Account = keys.OtherAccount.PublicKey, Subject = "svc.measured", Kind = ExportKind.Service, LocalSubject = "ask" },
            ],
        }, Exporter),
        ["imports in the older form"] = ((account, keys) => account with
        {
            Imports =
            [
                new AccountImport { Account = keys.OtherAccount.PublicKey, Subject = "str.>", Kind = ExportKind.Stream, To = "pre" },
                new AccountImport { Account = keys.OtherAccount.PublicKey, Subject = "ask", Kind = ExportKind.Service, To = "svc" },
            ],
        }, Exporter),
        ["import of an account that nobody knows"] = ((account, keys) => account with { Imports = [new AccountImport { Account = keys.OtherAccount.PublicKey, Subject = "svc", Kind = ExportKind.Service }] }, null),
        ["import that is not allowed"] = (
            (account, keys) => account with
            {
                Imports =
                [
                    new AccountImport { Account = keys.OtherAccount.PublicKey, Subject = "svc", Kind = ExportKind.Service },
                    new AccountImport { Account = keys.OtherAccount.PublicKey, Subject = "private", Kind = ExportKind.Service },
                ],
            },
            Exporter),
    };

    public static TheoryData<string> Names => [.. All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Account_shows_what_its_token_says(string name)
    {
        var go = await ReadAsync(ServerKind.Go, name);
        var own = await ReadAsync(ServerKind.Postrider, name);

        Assert.Equal(go, own);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Token_of_another_tool_is_shown_as_Go_reads_it(int version)
    {
        var shown = new List<IReadOnlyList<string>>();

        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            await using var server = await ClaimsServer.StartAsync(kind, Full, streams: true);
            Assert.Equal("200 ACCOUNT jwt updated", await server.PushAsync(version == 1 ? SignFirst(server) : SignForeign(server)));
            await using var user = await server.ConnectUserAsync(version == 1 ? null : static user => user with { Settings = null }, version == 1 ? server.Keys.Signer : server.Keys.Scoped);
            // A scope without a limit of subscriptions does not limit them.
            Assert.Equal("", await user.SayAsync("SUB a 1", "SUB b 2"));
            await using var admin = await server.ConnectAdminAsync();
            shown.Add(AccountInfoText.LinesOf(await AskAsync(admin, server.Account.Subject), server));
        }

        Assert.Equal(shown[0], shown[1]);
        Assert.Contains($"decoded_jwt/nats/version {version}", shown[1]);
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Token_is_the_one_that_was_pushed_last(ServerKind kind)
    {
        await using var server = await ClaimsServer.StartAsync(kind, Full);
        await using var user = await server.ConnectUserAsync();
        await using var admin = await server.ConnectAdminAsync();
        await user.SayAsync();
        var before = await AskAsync(admin, server.Account.Subject);
        var token = server.Sign(server.Account with { Name = "new", Tags = ["t"] });

        await server.PushAsync(token);

        var after = await AskAsync(admin, server.Account.Subject);
        Assert.NotEqual(token, before.GetProperty("jwt").GetString());
        Assert.Equal(token, after.GetProperty("jwt").GetString());
        Assert.Equal("new", after.GetProperty("name_tag").GetString());
        Assert.Equal("new", after.GetProperty("decoded_jwt").GetProperty("name").GetString());
        Assert.Equal("t", after.GetProperty("tags")[0].GetString());
        Assert.NotEqual(before.GetProperty("update_time").GetString(), after.GetProperty("update_time").GetString());
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Account_whose_token_ends_has_expired(ServerKind kind)
    {
        await using var server = await ClaimsServer.StartAsync(kind, Full, (account, _) => account with { Expires = DateTimeOffset.UtcNow.AddSeconds(3) });
        await using var user = await server.ConnectUserAsync();
        await using var admin = await server.ConnectAdminAsync();
        await user.SayAsync();

        var before = await AskAsync(admin, server.Account.Subject);
        // A connection for each look: a client here keeps all that it received.
        await Eventually.HoldsAsync(
            async () =>
            {
                await using var asking = await server.ConnectAdminAsync();
                return (await AskAsync(asking, server.Account.Subject)).TryGetProperty("validation_result_jwt", out _);
            },
            TimeSpan.FromSeconds(30));
        var after = await AskAsync(admin, server.Account.Subject);

        Assert.False(before.GetProperty("expired").GetBoolean());
        Assert.True(after.GetProperty("expired").GetBoolean());
        Assert.Equal("""[{"description":"claim is expired","blocking":false,"time_check":true}]""", after.GetProperty("validation_result_jwt").GetRawText());
    }

    [Fact]
    public async Task System_account_is_shown_before_its_token_is_known_and_after()
    {
        var shown = new List<List<string>>();

        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            await using var server = await ClaimsServer.StartAsync(kind, Full, preloads: false);
            await using var admin = await server.ConnectAdminAsync();
            List<string> lines = [.. AccountInfoText.LinesOf(await AskAsync(admin, server.SystemAccount), server)];
            await server.PushAsync(server.SystemToken());
            await Eventually.HoldsAsync(async () => (await AskAsync(admin, server.SystemAccount)).TryGetProperty("jwt", out _), TimeSpan.FromSeconds(30));
            shown.Add([.. lines, .. AccountInfoText.LinesOf(await AskAsync(admin, server.SystemAccount), server)]);
        }

        Assert.Equal(shown[0], shown[1]);
    }

    [Theory]
    [InlineData("/accountz?acc=")]
    [InlineData("/accstatz?unused=1")]
    [InlineData("/connz?auth=1&subs=detail")]
    [InlineData("/subsz?subs=1&test=foo")]
    [InlineData("/jsz?accounts=1")]
    public async Task Pages_show_names_and_keys_of_tokens(string page)
    {
        var shown = new List<IReadOnlyList<string>>();

        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            await using var server = await ClaimsServer.StartAsync(kind, Full, (account, _) => account with { Limits = new AccountLimits { JetStream = Streams } }, streams: true, isMonitored: true);
            await using var user = await server.ConnectUserAsync(static user => user with { Tags = ["u:v"] });
            await user.SayAsync("SUB foo 1");

            shown.Add(AccountInfoText.NamesOf(await server.Server.MonitorAsync(page[1..] + (page.EndsWith('=') ? server.Account.Subject : "")), server));
        }

        Assert.Equal(shown[0], shown[1]);
        Assert.Contains(shown[1], static line => line.Contains("shop", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task User_is_told_the_names_of_its_tokens(bool ends)
    {
        var told = new List<string>();

        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            await using var server = await ClaimsServer.StartAsync(kind, Full);
            await using var user = await server.ConnectUserAsync(user => user with { Expires = ends ? DateTimeOffset.UtcNow.AddHours(1) : null });
            var info = JsonDocument.Parse(await user.AskAsync("$SYS.REQ.USER.INFO", "")).RootElement.GetProperty("data");
            told.Add(string.Join(' ', info.EnumerateObject().Select(member => $"{member.Name}={(member.Name == "expires" ? "*" : AccountInfoText.WithWords(member.Value.ToString(), server))}")));
        }

        Assert.Equal(told[0], told[1]);
    }

    private static AccountClaims Exporter(TokenKeys keys) => new()
    {
        Subject = keys.OtherAccount.PublicKey,
        Name = "exporter",
        Exports =
        [
            new AccountExport { Subject = "str.>", Kind = ExportKind.Stream },
            new AccountExport { Subject = "svc", Kind = ExportKind.Service },
            new AccountExport { Subject = "svc.measured", Kind = ExportKind.Service, Latency = new ServiceLatency(100, "latency") },
            new AccountExport { Subject = "private", Kind = ExportKind.Service, TokenRequired = true },
        ],
    };

    private static async Task<IReadOnlyList<string>> ReadAsync(ServerKind kind, string name)
    {
        var (account, other) = All[name];
        await using var server = await ClaimsServer.StartAsync(kind, Full, account, streams: true, other: other);
        // An account is known once somebody belongs to it.
        await using var user = await server.ConnectUserAsync();
        Assert.Equal("", await user.SayAsync());
        await using var admin = await server.ConnectAdminAsync();
        var info = await AskAsync(admin, server.Account.Subject);
        Assert.Equal(server.Account.Subject, NatsJwt.DecodeAnyTime<AccountClaims>(info.GetProperty("jwt").GetString()!).Subject);
        return AccountInfoText.LinesOf(info, server);
    }

    private static async Task<JsonElement> AskAsync(TokenClient admin, string account)
        => JsonDocument.Parse(await admin.AskAsync($"$SYS.REQ.ACCOUNT.{account}.INFO", "")).RootElement.GetProperty("data").Clone();

    // With unknown and empty members, and without the members that Go always writes.
    private static string SignForeign(ClaimsServer server)
    {
        const string Claims = """
            {"jti":"X","iat":1600000000,"exp":0,"aud":"","iss":"OPERATOR-SIGNER","name":"foreign","sub":"ACCOUNT","other":[1],"nats":{
              "version":2,"type":"account","unknown":{"a":1},"tags":[],"description":"","imports":[],"revocations":{},
              "exports":[{"subject":"a.*","type":"service","token_req":false,"service_latency":{"results":"l","sampling":"HEADERS"},"more":true}],
              "limits":{"subs":-1,"conn":-1,"leaf":0,"exports":-1,"imports":-1,"payload":-1,"wildcards":true,"mem_storage":9,"max_ack_pending":-1,"tiered_limits":{"R1":{"disk_storage":5,"streams":0,"x":1},"R3":{}}},
              "signing_keys":["SIGNER",{"kind":"user_scope","key":"SCOPED","template":{"src":"192.0.2.0/24,127.0.0.1/8","pub":{"allow":[]}}}],
              "mappings":{"m":[{"subject":"n","weight":100,"x":1}]},"trace":{"dest":"t"}
            }}
            """;
        var signed = $"{Base64Url.EncodeToString("""{"typ":"JWT","alg":"ed25519-nkey"}"""u8)}.{Encode(Claims, server)}";
        return $"{signed}.{Base64Url.EncodeToString(server.Keys.OperatorSigner.Sign(Encoding.ASCII.GetBytes(signed)))}";
    }

    // In version 1 only the claims are signed.
    private static string SignFirst(ClaimsServer server)
    {
        const string Claims = """
            {"jti":"X","iat":1600000000,"iss":"OPERATOR-SIGNER","name":"first","sub":"ACCOUNT","type":"account","tags":["one"],"nats":{
              "exports":[{"name":"e","subject":"a.>","type":"stream","unknown":1}],"signing_keys":["SIGNER"],"revocations":{"OTHER-USER":5},"mappings":{"a":[{"subject":"b"}]},
              "limits":{"subs":-1,"conn":7,"leaf":-1,"imports":-1,"exports":-1,"data":-1,"payload":1024,"wildcards":true,"mem_storage":5}
            }}
            """;
        var signed = Encode(Claims, server);
        return $"{Base64Url.EncodeToString("""{"typ":"jwt","alg":"ed25519"}"""u8)}.{signed}.{Base64Url.EncodeToString(server.Keys.OperatorSigner.Sign(Encoding.ASCII.GetBytes(signed)))}";
    }

    private static string Encode(string claims, ClaimsServer server) => Base64Url.EncodeToString(Encoding.UTF8.GetBytes(AccountInfoText.WithKeys(claims, server)));
}
