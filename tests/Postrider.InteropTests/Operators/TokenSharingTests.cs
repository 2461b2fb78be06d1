using Postrider.Credentials;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Operators;

/// <summary>Exports and imports in tokens: both servers must let the same messages cross.</summary>
public sealed class TokenSharingTests
{
    private const string Heard = "MSG events.a 1 1\nx\n|MSG svc 2 ping|MSG in 2 4\npong\n";
    private const string Nothing = "|nothing|";

    // Such a token makes the whole account invalid.
    private const string Refused = "(closed)|nothing|";

    private static readonly Dictionary<string, (string Expected, Func<AccountExport, TokenKeys, AccountExport> Export, Func<AccountImport, TokenKeys, AccountImport> Import)> All = new(StringComparer.Ordinal)
    {
        ["public"] = (Heard, (export, _) => export, (import, _) => import),
        ["private with an activation"] = (Heard, Private, (import, keys) => import with { Token = Activate(import, keys).Encode(keys.Account) }),
        ["private with an activation of a signing key"] = (
            Heard, Private, (import, keys) => import with { Token = (Activate(import, keys) with { IssuerAccount = keys.Account.PublicKey }).Encode(keys.Signer) }),
        ["private without an activation"] = (Nothing, Private, (import, _) => import),
        ["activation of somebody else"] = (Refused, Private, (import, keys) => import with { Token = Activate(import, keys).Encode(keys.OtherAccount) }),
        ["activation for somebody else"] = (Refused, Private, (import, keys) => import with { Token = (Activate(import, keys) with { Subject = keys.Signer.PublicKey }).Encode(keys.Account) }),
        ["activation that has expired"] = (Nothing, Private, (import, keys) => import with { Token = (Activate(import, keys) with { Expires = DateTimeOffset.UtcNow.AddMinutes(-1) }).Encode(keys.Account) }),
        ["activation of another subject"] = (Refused, Private, (import, keys) => import with { Token = (Activate(import, keys) with { ImportSubject = "other" }).Encode(keys.Account) }),
        ["activation that is revoked"] = (
            Nothing,
            (export, keys) => Private(export, keys) with { Revocations = new Dictionary<string, DateTimeOffset> { [keys.OtherAccount.PublicKey] = DateTimeOffset.UtcNow.AddHours(1) } },
            (import, keys) => import with { Token = Activate(import, keys).Encode(keys.Account) }),
    };

    public static MatrixTheoryData<ServerKind, string> Stories => new(Enum.GetValues<ServerKind>(), All.Keys);

    [Theory]
    [MemberData(nameof(Stories))]
    public async Task Messages_cross_as_the_tokens_say(ServerKind kind, string name)
    {
        var (expected, export, import) = All[name];
        await using var server = await ClaimsServer.StartAsync(
            kind,
            "MEMORY",
            (account, keys) => account with
            {
                Exports =
                [
                    export(new AccountExport { Name = "e", Subject = "events.>", Kind = ExportKind.Stream }, keys),
                    export(new AccountExport { Name = "s", Subject = "svc", Kind = ExportKind.Service }, keys),
                ],
            },
            other: keys => new AccountClaims
            {
                Subject = keys.OtherAccount.PublicKey,
                Imports =
                [
                    import(new AccountImport { Name = "e", Account = keys.Account.PublicKey, Subject = "events.>", Kind = ExportKind.Stream }, keys),
                    import(new AccountImport { Name = "s", Account = keys.Account.PublicKey, Subject = "svc", LocalSubject = "ask", Kind = ExportKind.Service }, keys),
                ],
            });
        await using var exporter = await server.ConnectUserAsync();
        await exporter.SayAsync("SUB svc 2");
        await using var importer = await TokenClient.ConnectAsync(server.Server.Port, new UserClaims { Subject = server.Keys.OtherUser.PublicKey }.Encode(server.Keys.OtherAccount), server.Keys.OtherUser);
        await importer.SayAsync("SUB events.* 1", "SUB in 2");

        await exporter.SayAsync("PUB events.a 1", "x");
        var heard = await importer.SayAsync("PUB ask in 4", "ping");
        var asked = await exporter.SayAsync();
        var told = $"{heard}|{(asked.Length == 0 ? "nothing" : $"MSG svc 2 {asked.Split('\n')[1]}")}|";
        if (asked.Length > 0)
        {
            await exporter.SayAsync($"PUB {asked.Split(' ')[3]} 4", "pong");
            told += await importer.SayAsync();
        }

        Assert.Equal(expected, told);
    }

    private static AccountExport Private(AccountExport export, TokenKeys keys) => export with { TokenRequired = true };

    private static ActivationClaims Activate(AccountImport import, TokenKeys keys)
        => new() { Subject = keys.OtherAccount.PublicKey, ImportSubject = import.Subject, Kind = import.Kind };
}
