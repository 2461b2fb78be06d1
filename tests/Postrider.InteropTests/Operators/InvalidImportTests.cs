using System.Text.Json;
using Postrider.Credentials;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Operators;

/// <summary>What servers show of imports that the exporting account no longer allows: the same as Go's.</summary>
public sealed class InvalidImportTests
{
    private const string All = "complete open secret svc";

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Import_that_is_no_longer_allowed_is_invalid(ServerKind kind)
    {
        await using var server = await StartAsync(kind, expires: null);
        var revoked = Exporter(server.Account, new Dictionary<string, DateTimeOffset> { [server.Keys.OtherAccount.PublicKey] = DateTimeOffset.UtcNow.AddHours(1) });
        await AssertShownAsync(server, All);

        await server.PushAsync(server.Sign(revoked));
        await AssertShownAsync(server, "complete open !secret !svc");
        await server.PushAsync(server.Sign(Exporter(server.Account, null)));
        await AssertShownAsync(server, All);
        await server.PushAsync(server.Sign(revoked with { Exports = [] }));
        await AssertShownAsync(server, "complete !open !secret !svc");
        await server.PushAsync(server.Sign(revoked));
        await AssertShownAsync(server, "complete open !secret !svc");
        // The account itself begins anew: what is not allowed is left out.
        await server.PushAsync(server.Sign(Importer(server.Keys, null) with { Description = "changed" }));
        await AssertShownAsync(server, "incomplete open");
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Import_whose_token_has_expired_is_invalid(ServerKind kind)
    {
        await using var server = await StartAsync(kind, DateTimeOffset.UtcNow.AddSeconds(4));

        await AssertShownAsync(server, All);

        await AssertShownAsync(server, "complete open !secret !svc");
    }

    private static async Task<ClaimsServer> StartAsync(ServerKind kind, DateTimeOffset? expires)
    {
        var server = await ClaimsServer.StartAsync(kind, ClaimsStories.Full, (account, _) => Exporter(account, null), other: keys => Importer(keys, expires), isMonitored: true);
        // An account is known once somebody belongs to it.
        await using var user = await TokenClient.ConnectAsync(server.Server.Port, new UserClaims { Subject = server.Keys.OtherUser.PublicKey }.Encode(server.Keys.OtherAccount), server.Keys.OtherUser);
        await user.SayAsync();
        return server;
    }

    private static AccountClaims Exporter(AccountClaims account, IReadOnlyDictionary<string, DateTimeOffset>? revocations) => account with
    {
        Exports =
        [
            new AccountExport { Subject = "open", Kind = ExportKind.Stream },
            new AccountExport { Subject = "secret", Kind = ExportKind.Stream, TokenRequired = true, Revocations = revocations ?? new Dictionary<string, DateTimeOffset>() },
            new AccountExport { Subject = "svc", Kind = ExportKind.Service, TokenRequired = true, Revocations = revocations ?? new Dictionary<string, DateTimeOffset>() },
        ],
    };

    private static AccountClaims Importer(TokenKeys keys, DateTimeOffset? expires)
    {
        return new AccountClaims
        {
            Subject = keys.OtherAccount.PublicKey,
            Imports =
            [
                new AccountImport { Account = keys.Account.PublicKey, Subject = "open", Kind = ExportKind.Stream },
                new AccountImport { Account = keys.Account.PublicKey, Subject = "secret", Kind = ExportKind.Stream, LocalSubject = "mine", Token = Activate("secret", ExportKind.Stream) },
                new AccountImport { Account = keys.Account.PublicKey, Subject = "svc", Kind = ExportKind.Service, Token = Activate("svc", ExportKind.Service) },
            ],
        };

        string Activate(string subject, ExportKind kind)
            => new ActivationClaims { Subject = keys.OtherAccount.PublicKey, ImportSubject = subject, Kind = kind, Expires = expires }.Encode(keys.Account);
    }

    // On the page and in the system account's answer.
    private static async Task AssertShownAsync(ClaimsServer server, string expected)
    {
        var account = server.Keys.OtherAccount.PublicKey;
        var last = "";
        try
        {
            await Eventually.HoldsAsync(async () => (last = Describe((await server.Server.MonitorAsync($"accountz?acc={account}")).GetProperty("account_detail"), server)) == expected);
        }
        catch (TimeoutException late)
        {
            throw new TimeoutException($"{server.Server.Kind} shows '{last}' instead of '{expected}'", late);
        }
        await using var admin = await server.ConnectAdminAsync();
        Assert.Equal(expected, Describe(JsonDocument.Parse(await admin.AskAsync($"$SYS.REQ.ACCOUNT.{account}.INFO", "")).RootElement.GetProperty("data"), server));
    }

    // Without the services of the system account, which every account imports.
    private static string Describe(JsonElement info, ClaimsServer server)
    {
        var imports = info.TryGetProperty("imports", out var all) ? all.EnumerateArray().Where(import => import.GetProperty("account").GetString() == server.Keys.Account.PublicKey) : [];
        var names = imports.Select(static import => (import.GetProperty("invalid").GetBoolean() ? "!" : "") + import.GetProperty("subject").GetString()).OrderBy(static name => name.TrimStart('!'), StringComparer.Ordinal);
        return string.Join(' ', names.Prepend(info.GetProperty("complete").GetBoolean() ? "complete" : "incomplete"));
    }
}
