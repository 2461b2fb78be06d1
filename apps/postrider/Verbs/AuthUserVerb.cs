using System.CommandLine;
using Postrider.CommandLine.Authority;
using Postrider.Credentials;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider auth user</c>.</summary>
internal static class AuthUserVerb
{
    internal static Command Create() => new("user", "Create and change the users of an account.") { Add(), Edit(), Show(), Creds(), Revoke() };

    private static Command Add()
    {
        var (folder, account, user, flags, expires) = (AuthVerb.Folder(), AuthVerb.Account(), AuthVerb.User(), new UserFlags(), AuthVerb.Expires());
        var role = new Option<string?>("--role") { Description = "Role of a scoped signing key, which defines the user's permissions" };
        var key = new Option<string?>("--key") { Description = "The user's own public key (U…), when its seed stays with the user" };
        var file = Out();
        return LocalVerb.Create("add", """
            Create a user, and its credentials file.
              postrider auth user add orders clerk --allow-pub 'orders.>' --allow-sub '_INBOX.>' --expires 90d --out clerk.creds
              postrider auth user add orders probe --role monitor --out probe.creds
            """, Run, [account, user, role, key, expires, file, .. flags.All, folder]);

        void Run(ParseResult result)
        {
            var store = AuthVerb.Open(result, folder);
            var owner = store.ReadAccount(result.GetValue(account)!);
            var name = AuthorityStore.CheckName(result.GetValue(user)!);
            if (store.HasUser(owner.Name!, name)) throw new AuthorityException($"The user '{name}' already exists in account '{owner.Name}': change it with 'postrider auth user edit'.");
            if (result.GetValue(key) is not null && result.GetValue(file) is not null) throw new AuthorityException("A credentials file contains the seed, which --key leaves with the user: leave out --out.");
            var signer = AuthSigningKeyVerb.FindSigner(store, owner, result.GetValue(role));
            var settings = Settings(result, flags, new UserSettings(), result.GetValue(role));
            var claims = new UserClaims
            {
                Subject = result.GetValue(key) ?? store.AddKey(NkeyKind.User),
                Name = name,
                Expires = AuthVerb.ExpiresAt(result, expires, null),
                Settings = settings,
            };
            store.WriteUser(owner, claims, signer);
            Console.WriteLine($"User {name} of {owner.Name}: {claims.Subject}");
            if (result.GetValue(file) is { } path) WriteCredentials(store, owner.Name!, name, path);
        }
    }

    private static Command Edit()
    {
        var (folder, account, user, flags, expires) = (AuthVerb.Folder(), AuthVerb.Account(), AuthVerb.User(), new UserFlags(), AuthVerb.Expires());
        var file = Out();
        Option[] changes = [expires, .. flags.All];
        var verb = LocalVerb.Create("edit", """
            Change a user's permissions, or when its token expires; other settings stay.
              postrider auth user edit orders clerk --deny-pub orders.archive --out clerk.creds
            The user's credentials file has to be written again; the previous one is valid until it is revoked.
            """, Run, [account, user, .. changes, file, folder]);
        return JetStreamVerb.RequireOneOf(verb, changes);

        void Run(ParseResult result)
        {
            var store = AuthVerb.Open(result, folder);
            var owner = store.ReadAccount(result.GetValue(account)!);
            var claims = store.ReadUser(owner.Name!, result.GetValue(user)!);
            var settings = claims.Settings is { } own ? flags.Apply(own, result) : Settings(result, flags, new UserSettings(), RoleOf(owner, claims));
            store.WriteUser(owner, claims with { Expires = AuthVerb.ExpiresAt(result, expires, claims.Expires), Settings = settings }, claims.Issuer!);
            Console.WriteLine(ClaimsText.Describe(store.ReadUser(owner.Name!, claims.Name!)));
            if (result.GetValue(file) is { } path) WriteCredentials(store, owner.Name!, claims.Name!, path);
        }
    }

    private static Command Show()
    {
        var (folder, account, user) = (AuthVerb.Folder(), AuthVerb.Account(), AuthVerb.User());
        return LocalVerb.Create("show", "Show a user.", Run, account, user, folder);

        void Run(ParseResult result) => Console.WriteLine(ClaimsText.Describe(AuthVerb.Open(result, folder).ReadUser(result.GetValue(account)!, result.GetValue(user)!)));
    }

    private static Command Creds()
    {
        var (folder, account, user, file) = (AuthVerb.Folder(), AuthVerb.Account(), AuthVerb.User(), Out());
        file.Required = true;
        return LocalVerb.Create("creds", """
            Write a user's credentials file: its token and its seed, readable only by its owner.
              postrider auth user creds orders clerk --out clerk.creds
            """, Run, account, user, file, folder);

        void Run(ParseResult result) => WriteCredentials(AuthVerb.Open(result, folder), result.GetValue(account)!, result.GetValue(user)!, result.GetValue(file)!);
    }

    private static Command Revoke()
    {
        var (folder, account, user) = (AuthVerb.Folder(), AuthVerb.Account(), AuthVerb.User());
        return LocalVerb.Create("revoke", """
            Revoke all tokens issued to a user until now. Servers need the account's new token: see 'postrider auth resolver-config'.
              postrider auth user revoke orders clerk
            """, Run, account, user, folder);

        void Run(ParseResult result)
        {
            var store = AuthVerb.Open(result, folder);
            var owner = store.ReadAccount(result.GetValue(account)!);
            var claims = store.ReadUser(owner.Name!, result.GetValue(user)!);
            var revocations = new Dictionary<string, DateTimeOffset>(owner.Revocations, StringComparer.Ordinal) { [claims.Subject] = TimeProvider.System.GetUtcNow() };
            store.WriteAccount(owner with { Revocations = revocations });
            Console.WriteLine($"Revoked all credentials issued to user {claims.Name} of {owner.Name} until now.");
        }
    }

    private static Option<string?> Out() => new("--out") { Description = "Credentials file to write" };

    private static void WriteCredentials(AuthorityStore store, string account, string user, string path)
    {
        var token = store.ReadUserToken(account, user);
        using var file = new CredentialsFile(token, store.ReadKey(store.ReadUser(account, user).Subject));
        file.Write(path);
        Console.WriteLine($"Credentials: {path}");
    }

    private static UserSettings? Settings(ParseResult result, UserFlags flags, UserSettings settings, string? role)
    {
        if (role is null) return flags.Apply(settings, result);
        if (flags.All.FirstOrDefault(option => AuthVerb.IsGiven(result, option)) is { } option)
            throw new AuthorityException($"The role '{role}' defines the user's permissions: leave out {option.Name}, or change the role.");
        return null;
    }

    private static string RoleOf(AccountClaims account, UserClaims claims) => account.FindSigner(claims.Issuer)?.Scope?.Role ?? "";
}
