using System.CommandLine;
using Postrider.CommandLine.Authority;
using Postrider.Credentials;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider auth account</c>.</summary>
internal static class AuthAccountVerb
{
    internal static Command Create() => new("account", "Create and change accounts: spaces of subjects with their users and limits.") { Add(), Edit(), Show(), List() };

    private static Command Add()
    {
        var (folder, name, flags) = (AuthVerb.Folder(), AuthVerb.Account(), new AccountFlags());
        return LocalVerb.Create("add", """
            Create an account.
              postrider auth account add orders --js-disk 10GB --max-connections 100
            """, Run, [name, .. flags.All, folder]);

        void Run(ParseResult result)
        {
            var store = AuthVerb.Open(result, folder);
            store.ReadOperator();
            var account = AuthorityStore.CheckName(result.GetValue(name)!);
            if (store.HasAccount(account)) throw new AuthorityException($"The account '{account}' already exists: change it with 'postrider auth account edit'.");
            var claims = flags.Apply(new AccountClaims { Subject = store.AddKey(NkeyKind.Account), Name = account }, result);
            store.WriteAccount(claims);
            Console.WriteLine($"Account {claims.Name}: {claims.Subject}");
        }
    }

    private static Command Edit()
    {
        var (folder, name, flags) = (AuthVerb.Folder(), AuthVerb.Account(), new AccountFlags());
        var verb = LocalVerb.Create("edit", """
            Change an account's limits, default permissions or expiry; other settings stay.
              postrider auth account edit orders --max-payload 64KB --expires 90d
            """, Run, [name, .. flags.All, folder]);
        return JetStreamVerb.RequireOneOf(verb, flags.All);

        void Run(ParseResult result)
        {
            var store = AuthVerb.Open(result, folder);
            store.WriteAccount(flags.Apply(store.ReadAccount(result.GetValue(name)!), result));
            Console.WriteLine(ClaimsText.Describe(store.ReadAccount(result.GetValue(name)!)));
        }
    }

    private static Command Show()
    {
        var (folder, name) = (AuthVerb.Folder(), AuthVerb.Account());
        return LocalVerb.Create("show", "Show an account and its users.", Run, name, folder);

        void Run(ParseResult result)
        {
            var store = AuthVerb.Open(result, folder);
            var account = store.ReadAccount(result.GetValue(name)!);
            Console.WriteLine(ClaimsText.Describe(account));
            if (ClaimsText.ListUsers(store, account) is not { Length: > 0 } users) return;
            Console.WriteLine();
            Console.WriteLine(users);
        }
    }

    private static Command List()
    {
        var folder = AuthVerb.Folder();
        return LocalVerb.Create("list", "List the accounts.", result => Console.WriteLine(ClaimsText.ListAccounts(AuthVerb.Open(result, folder))), folder);
    }
}
