using System.CommandLine;
using Postrider.CommandLine.Authority;
using Postrider.Credentials;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider auth signing-key</c>.</summary>
internal static class AuthSigningKeyVerb
{
    internal static Command Create() => new("signing-key", "Create and remove keys that sign in the name of the operator or of an account.") { Add(), Remove() };

    /// <summary>The key that signs a user: the role's key; without a role, a signing key that has no role, or the account's own key.</summary>
    internal static string FindSigner(AuthorityStore store, AccountClaims account, string? role)
    {
        if (role is null)
        {
            if (account.SigningKeys.FirstOrDefault(static key => key.Scope is null) is { } plain) return plain.Key;
            return store.ReadOperator().RequireSigningKeys
                ? throw new AuthorityException($"The operator requires signing keys, and the account '{account.Name}' has none without a role. Create one with 'postrider auth signing-key add {account.Name}'.")
                : account.Subject;
        }
        return account.SigningKeys.FirstOrDefault(key => key.Scope?.Role == role)?.Key
            ?? throw new AuthorityException($"The account '{account.Name}' has no role '{role}'. Roles: {Roles(account)}. Create one with 'postrider auth signing-key add {account.Name} --role {role}'.");
    }

    private static Command Add()
    {
        var (folder, account, flags) = (AuthVerb.Folder(), OwnerArgument(), new UserFlags());
        var role = new Option<string?>("--role") { Description = "Name of a role: the flags below define the permissions of users that the key signs" };
        var description = new Option<string?>("--description") { Description = "Description of the role" };
        return LocalVerb.Create("add", """
            Create a signing key for an account, or for the operator if no account is named.
              postrider auth signing-key add
              postrider auth signing-key add orders --role monitor --allow-sub 'orders.>' --deny-pub '>'
            """, Run, [account, role, description, .. flags.All, folder]);

        void Run(ParseResult result)
        {
            var store = AuthVerb.Open(result, folder);
            if (result.GetValue(account) is not { Length: > 0 } name)
            {
                AddToOperator(store, result, [role, description, .. flags.All]);
                return;
            }
            var owner = store.ReadAccount(name);
            if (result.GetValue(role) is { } taken && owner.SigningKeys.Any(key => key.Scope?.Role == taken)) throw new AuthorityException($"The account '{name}' already has a role '{taken}'.");
            UserScope? scope = null;
            if (result.GetValue(role) is { Length: > 0 } word) scope = new UserScope { Role = word, Description = result.GetValue(description) ?? "", Template = flags.Apply(new UserSettings(), result) };
            else if (flags.All.Append(description).FirstOrDefault(option => AuthVerb.IsGiven(result, option)) is { } option) throw new AuthorityException($"{option.Name} belongs to a role: name it with --role.");
            var added = store.AddKey(NkeyKind.Account);
            store.WriteAccount(owner with { SigningKeys = [.. owner.SigningKeys, new AccountSigningKey(added, scope)] });
            Console.WriteLine($"Signing key of {name}{(scope is null ? "" : $", role {scope.Role}")}: {added}");
        }
    }

    private static Command Remove()
    {
        var (folder, account) = (AuthVerb.Folder(), OwnerArgument());
        var key = new Option<string>("--key") { Description = "The public key", Required = true };
        return LocalVerb.Create("remove", """
            Remove a signing key: tokens that it signed are no longer valid.
              postrider auth signing-key remove orders --key AB…
            """, Run, account, key, folder);

        void Run(ParseResult result)
        {
            var (store, removed) = (AuthVerb.Open(result, folder), result.GetValue(key)!);
            if (result.GetValue(account) is { Length: > 0 } name)
            {
                var owner = store.ReadAccount(name);
                if (owner.SigningKeys.All(known => known.Key != removed)) throw new AuthorityException($"'{removed}' is not a signing key of account '{name}'.");
                store.WriteAccount(owner with { SigningKeys = [.. owner.SigningKeys.Where(known => known.Key != removed)] });
            }
            else
            {
                var authority = store.ReadOperator();
                if (!authority.SigningKeys.Contains(removed, StringComparer.Ordinal)) throw new AuthorityException($"'{removed}' is not a signing key of the operator.");
                store.WriteOperator(authority with { SigningKeys = [.. authority.SigningKeys.Where(known => known != removed)] });
            }
            Console.WriteLine($"Removed {removed}. Its seed is still in the folder's keys.");
        }
    }

    private static void AddToOperator(AuthorityStore store, ParseResult result, IEnumerable<Option> ofAccounts)
    {
        if (ofAccounts.FirstOrDefault(option => AuthVerb.IsGiven(result, option)) is { } option) throw new AuthorityException($"{option.Name} belongs to an account: name it.");
        var authority = store.ReadOperator();
        var added = store.AddKey(NkeyKind.Operator);
        store.WriteOperator(authority with { SigningKeys = [.. authority.SigningKeys, added] });
        Console.WriteLine($"Signing key of operator {authority.Name}: {added}");
    }

    private static Argument<string?> OwnerArgument() => new("account") { Description = "The account's name; none for the operator", Arity = ArgumentArity.ZeroOrOne };

    private static string Roles(AccountClaims account)
        => account.SigningKeys.Select(static key => key.Scope?.Role).OfType<string>().ToArray() is { Length: > 0 } roles ? string.Join(", ", roles) : "none";
}
