using System.Text.Json;
using Postrider.Credentials;

namespace Postrider.InteropTests.Operators;

/// <summary>What happens to clients when the token of their account changes, and what is answered to whoever changes it.</summary>
internal static class ClaimsStories
{
    /// <summary>A folder with everything, from which accounts may be deleted.</summary>
    public const string Full = "{ type: full, dir: DIR, allow_delete: true, interval: \"1m\" }";

    private const string Revoked = "-ERR 'User Authentication Revoked'\n";

    private static readonly Dictionary<string, (string Expected, Func<ClaimsServer, Task<string>> Tell)> All = new(StringComparer.Ordinal)
    {
        ["user that is revoked is disconnected"] = (Revoked, server => ChangeAsync(server, (account, keys) => account with { Revocations = Now(keys.User.PublicKey) })),
        ["everybody that is revoked is disconnected"] = (Revoked, server => ChangeAsync(server, (account, _) => account with { Revocations = Now("*") })),
        ["bearer is disconnected when it is disallowed"] = ("-ERR 'Authorization Violation'\n", server => ChangeAsync(
            server,
            (account, _) => account with { Limits = account.Limits with { DisallowBearer = true } },
            user => user with { Settings = new UserSettings { IsBearer = true } })),
        ["user of a signing key that is gone is disconnected without a word"] = ("", server => ChangeAsync(server, (account, _) => account with { SigningKeys = [] }, signer: keys => keys.Signer)),
        ["user of a signing key that gets a role is disconnected without a word"] = ("", server => ChangeAsync(
            server,
            (account, keys) => account with { SigningKeys = [new AccountSigningKey(keys.Signer.PublicKey, new UserScope { Role = "r" })] },
            signer: keys => keys.Signer)),
        ["connection too many is disconnected"] = ("-ERR 'maximum account active connections exceeded'\n", async server =>
        {
            await using var older = await server.ConnectUserAsync();
            await older.SayAsync();
            var heard = await ChangeAsync(server, (account, _) => account with { Limits = account.Limits with { MaxConnections = 1 } });
            return heard + await older.SayAsync();
        }),
        ["client with too many subscriptions is disconnected"] = (
            "-ERR 'maximum subscriptions exceeded'\n", server => ChangeAsync(server, (account, _) => account with { Limits = account.Limits with { MaxSubscriptions = 1 } }, lines: ["SUB a 1", "SUB b 2"])),
        ["lower limit of the payload holds"] = ("-ERR 'Maximum Payload Violation'\n", async server =>
        {
            await using var user = await server.ConnectUserAsync();
            await user.SayAsync("PUB a 3", "abc");
            await server.PushAsync(server.Sign(server.Account with { Limits = server.Account.Limits with { MaxPayload = 2 } }));
            await user.SendAsync("PING\r\n");
            await user.SendAsync("PUB a 3\r\nabc\r\n");
            return (await user.ToEndAsync()).Replace("PONG\n", "", StringComparison.Ordinal);
        }),
        ["default permissions that change hold at once"] = (
            "-ERR 'Permissions Violation for Subscription to \"a\" (sid \"1\")'\n|-ERR 'Permissions Violation for Publish to \"b\"'\n", async server =>
            {
                await using var user = await server.ConnectUserAsync();
                await user.SayAsync("SUB a 1", "SUB c 2");
                var denied = new SubjectAccess { Deny = ["a", "b"] };
                await server.PushAsync(server.Sign(server.Account with { DefaultPermissions = new ClaimPermissions { Publish = denied, Subscribe = denied } }));
                var swept = await user.UntilAsync("(sid \"1\")'");
                return $"{swept}|{await user.SayAsync("PUB b 0", "")}";
            }),
        ["user whose token ends is disconnected"] = ("-ERR 'User Authentication Expired'\n", async server =>
        {
            await using var user = await server.ConnectUserAsync(user => user with { Expires = DateTimeOffset.UtcNow.AddSeconds(3) });
            return await user.SayAsync() + await user.ToEndAsync();
        }),
        ["users of an account whose token ends are disconnected"] = ("-ERR 'Account Authentication Expired'\n", server => ChangeAsync(server, (account, _) => account with { Expires = DateTimeOffset.UtcNow.AddSeconds(3) })),
        ["account whose token ended refuses until it has another"] = ("-ERR 'Authorization Violation'\n(closed)||200 ACCOUNT jwt updated|", async server =>
        {
            await ChangeAsync(server, (account, _) => account with { Expires = DateTimeOffset.UtcNow.AddSeconds(3) });
            var refused = await TryAsync(server);
            var pushed = await server.PushAsync(server.Sign(server.Account));
            return $"{refused}||{pushed}|{await TryAsync(server)}";
        }),

        // Answers.
        ["account that is pushed"] = ("200 OTHER jwt updated|True|True|", async server =>
        {
            var other = new AccountClaims { Subject = server.Keys.OtherAccount.PublicKey, Name = "new" };
            var token = server.Sign(other);
            var answer = await server.PushAsync(token);
            await using var admin = await server.ConnectAdminAsync();
            var listed = JsonDocument.Parse(await admin.AskAsync("$SYS.REQ.CLAIMS.LIST", "")).RootElement.GetProperty("data").EnumerateArray().Select(static one => one.GetString()).Order();
            var isListed = listed.SequenceEqual(new[] { other.Subject, server.Account.Subject, server.SystemAccount }.Order());
            var found = await admin.AskAsync($"$SYS.REQ.ACCOUNT.{other.Subject}.CLAIMS.LOOKUP", "") == token;
            await using var user = await TokenClient.ConnectAsync(server.Server.Port, new UserClaims { Subject = server.Keys.OtherUser.PublicKey }.Encode(server.Keys.OtherAccount), server.Keys.OtherUser);
            return $"{answer}|{isListed}|{found}|{await user.SayAsync()}";
        }),
        ["account that is pushed by its name"] = ("200 ACCOUNT jwt updated", server => server.PushAsync(server.Sign(server.Account with { Description = "x" }), $"$SYS.REQ.ACCOUNT.{server.Account.Subject}.CLAIMS.UPDATE")),
        ["account that is pushed by its name in the older way"] = ("200 ACCOUNT jwt updated", server => server.PushAsync(server.Sign(server.Account with { Description = "x" }), $"$SYS.ACCOUNT.{server.Account.Subject}.CLAIMS.UPDATE")),
        ["account that is pushed by the name of another"] = (
            "500 OTHER jwt update resulted in error - subject does not match jwt content", server => server.PushAsync(server.Sign(server.Account), $"$SYS.REQ.ACCOUNT.{server.Keys.OtherAccount.PublicKey}.CLAIMS.UPDATE")),
        ["text that is no token"] = ("500 n/a jwt update resulted in error", async server => (await server.PushAsync("abc"))[.."500 n/a jwt update resulted in error".Length]),
        ["token of a user"] = (
            "500 n/a jwt update resulted in error", async server => (await server.PushAsync(new UserClaims { Subject = server.Keys.User.PublicKey }.Encode(server.Keys.Account)))[.."500 n/a jwt update resulted in error".Length]),
        ["account that is not known"] = ("", async server =>
        {
            await using var admin = await server.ConnectAdminAsync();
            return await admin.AskAsync($"$SYS.REQ.ACCOUNT.{server.Keys.OtherAccount.PublicKey}.CLAIMS.LOOKUP", "");
        }),
        ["account that is deleted"] = ("-ERR 'Account Authentication Expired'\n|200 - deleted 1 accounts|-ERR 'Authorization Violation'\n(closed)", async server =>
        {
            await using var user = await server.ConnectUserAsync();
            await user.SayAsync();
            var answer = await DeleteAsync(server, server.Keys.Operator, server.Account.Subject);
            return $"{await user.ToEndAsync()}|{answer}|{await TryAsync(server)}";
        }),
        ["account that is deleted by a signing key of the operator"] = ("200 - deleted 1 accounts", server => DeleteAsync(server, server.Keys.OperatorSigner, server.Account.Subject)),
        ["account that is deleted twice"] = ("200 - deleted 1 accounts|200 - deleted 1 accounts", async server
            => $"{await DeleteAsync(server, server.Keys.Operator, server.Account.Subject)}|{await DeleteAsync(server, server.Keys.Operator, server.Account.Subject)}"),
        ["account that is deleted and pushed again"] = ("200 ACCOUNT jwt updated|", async server =>
        {
            await using var user = await server.ConnectUserAsync();
            await user.SayAsync();
            await DeleteAsync(server, server.Keys.Operator, server.Account.Subject);
            await user.ToEndAsync();
            return $"{await server.PushAsync(server.Sign(server.Account with { Description = "back" }))}|{await TryAsync(server)}";
        }),
        ["deletion by an operator that is not trusted"] = ("500 - delete accounts request by STRANGER failed - not trusted", server => DeleteAsync(server, server.Keys.Stranger, server.Account.Subject)),
        ["deletion signed by another key"] = (
            "500 - delete accounts request by OPERATOR failed - not self signed", server => DeleteAsync(server, server.Keys.OperatorSigner, [server.Account.Subject], server.Keys.Operator.PublicKey)),
        ["deletion of the system account"] = ("500 - delete accounts request by OPERATOR failed - not allowed to delete system account", server => DeleteAsync(server, server.Keys.Operator, server.SystemAccount)),
        ["deletion of what is no account"] = ("500 - delete accounts request by OPERATOR failed - malformed request", server => DeleteAsync(server, server.Keys.Operator, "abc")),
    };

    public static IEnumerable<string> Names => All.Keys;

    public static string Expected(string name) => All[name].Expected;

    public static Task<string> TellAsync(string name, ClaimsServer server) => All[name].Tell(server);

    /// <summary>Connects a user of the account, and gives what it hears.</summary>
    public static async Task<string> TryAsync(ClaimsServer server)
    {
        await using var user = await server.ConnectUserAsync();
        return await user.SayAsync();
    }

    /// <summary>Asks for accounts to be deleted.</summary>
    public static Task<string> DeleteAsync(ClaimsServer server, NkeyPair signer, params string[] accounts) => DeleteAsync(server, signer, accounts, signer.PublicKey);

    private static async Task<string> DeleteAsync(ClaimsServer server, NkeyPair signer, string[] accounts, string subject)
    {
        await using var admin = await server.ConnectAdminAsync();
        return server.Describe(await admin.AskAsync("$SYS.REQ.CLAIMS.DELETE", new AccountDeletionClaims { Subject = subject, Accounts = accounts }.Encode(signer)));
    }

    // Has a user connect, pushes the account with a change, and gives what the user hears until it is disconnected.
    private static async Task<string> ChangeAsync(
        ClaimsServer server,
        Func<AccountClaims, TokenKeys, AccountClaims> change,
        Func<UserClaims, UserClaims>? user = null,
        Func<TokenKeys, NkeyPair>? signer = null,
        string[]? lines = null)
    {
        await using var client = await server.ConnectUserAsync(user, signer?.Invoke(server.Keys));
        var heard = await client.SayAsync(lines ?? []);
        Assert.Equal("200 ACCOUNT jwt updated", await server.PushAsync(server.Sign(change(server.Account, server.Keys))));
        return heard + await client.ToEndAsync();
    }

    private static Dictionary<string, DateTimeOffset> Now(string user) => new(StringComparer.Ordinal) { [user] = DateTimeOffset.UtcNow.AddSeconds(5) };
}
