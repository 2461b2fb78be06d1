using System.CommandLine;
using Postrider.CommandLine.Authority;
using Postrider.Credentials;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider auth operator</c>.</summary>
internal static class AuthOperatorVerb
{
    private const string DefaultSystemAccount = "SYS";

    internal static Command Create() => new("operator", "Create and change the operator, whom servers trust.") { Add(), Edit(), Show() };

    private static Command Add()
    {
        var (folder, expires, require, addresses) = (AuthVerb.Folder(), AuthVerb.Expires(), RequireSigningKeys(), ServiceUrls());
        var name = new Argument<string>("name") { Description = "The operator's name" };
        var system = new Option<string>("--system-account") { Description = "Name of the system account; empty for none", DefaultValueFactory = _ => DefaultSystemAccount };
        return LocalVerb.Create("add", """
            Create an operator with a signing key and a system account.
              postrider auth operator add shop
            Its own key is only needed to change the operator: keep it elsewhere.
            """, Run, name, system, expires, require, addresses, folder);

        void Run(ParseResult result)
        {
            var store = AuthVerb.Open(result, folder);
            if (store.HasOperator) throw new AuthorityException($"There is already an operator in {result.GetValue(folder)}: '{store.ReadOperator().Name}'.");
            var claims = new OperatorClaims
            {
                Subject = store.AddKey(NkeyKind.Operator),
                Name = AuthorityStore.CheckName(result.GetValue(name)!),
                SigningKeys = [store.AddKey(NkeyKind.Operator)],
                Expires = AuthVerb.ExpiresAt(result, expires, null),
                RequireSigningKeys = result.GetValue(require) ?? false,
                ServiceUrls = JetStreamVerb.Given(result, addresses) ?? [],
            };
            var account = result.GetValue(system) is { Length: > 0 } given ? new AccountClaims { Subject = store.AddKey(NkeyKind.Account), Name = AuthorityStore.CheckName(given) } : null;
            store.WriteOperator(claims with { SystemAccount = account?.Subject });
            if (account is not null) store.WriteAccount(account);
            Console.WriteLine($"Operator {claims.Name}: {claims.Subject}");
            if (account is not null) Console.WriteLine($"Account {account.Name}: {account.Subject}");
        }
    }

    private static Command Edit()
    {
        var (folder, expires, require, addresses) = (AuthVerb.Folder(), AuthVerb.Expires(), RequireSigningKeys(), ServiceUrls());
        var server = new Option<string?>("--account-server") { Description = "URL of the server of account tokens; empty for none" };
        var system = new Option<string?>("--system-account") { Description = "Name of the system account; empty for none" };
        Option[] changes = [expires, require, addresses, server, system];
        var verb = LocalVerb.Create("edit", """
            Change the operator.
              postrider auth operator edit --service-url nats://nats.example.com:4222 --expires 1y
            """, Run, [.. changes, folder]);
        return JetStreamVerb.RequireOneOf(verb, changes);

        void Run(ParseResult result)
        {
            var store = AuthVerb.Open(result, folder);
            var claims = store.ReadOperator();
            store.WriteOperator(claims with
            {
                Expires = AuthVerb.ExpiresAt(result, expires, claims.Expires),
                RequireSigningKeys = result.GetValue(require) ?? claims.RequireSigningKeys,
                ServiceUrls = JetStreamVerb.Given(result, addresses) ?? claims.ServiceUrls,
                AccountServerUrl = result.GetValue(server) ?? claims.AccountServerUrl,
                SystemAccount = result.GetValue(system) switch { null => claims.SystemAccount, "" => null, var name => store.ReadAccount(name).Subject },
            });
            Console.WriteLine(ClaimsText.Describe(store.ReadOperator()));
        }
    }

    private static Command Show()
    {
        var folder = AuthVerb.Folder();
        return LocalVerb.Create("show", "Show the operator and its accounts.", Run, folder);

        void Run(ParseResult result)
        {
            var store = AuthVerb.Open(result, folder);
            Console.WriteLine(ClaimsText.Describe(store.ReadOperator()));
            Console.WriteLine();
            Console.WriteLine(ClaimsText.ListAccounts(store));
        }
    }

    private static Option<bool?> RequireSigningKeys() => new("--require-signing-keys") { Description = "Accounts and users are signed only by signing keys, never by the keys of operator and account" };

    private static Option<string[]?> ServiceUrls() => AuthVerb.Words("--service-url", "Addresses of the operator's servers, for tools");
}
