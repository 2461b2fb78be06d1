using System.CommandLine;
using System.CommandLine.Parsing;
using Postrider.CommandLine.Authority;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider auth</c>: operators, accounts, users and their keys.</summary>
internal static class AuthVerb
{
    private const string FolderVariable = "POSTRIDER_AUTH";
    private const string DefaultFolder = "auth";

    internal static Command Create() => new("auth", """
        Create keys, tokens and credentials: operators, accounts and users.
          postrider auth operator add shop
          postrider auth account add orders
          postrider auth user add orders clerk --allow-pub 'orders.>' --out clerk.creds
          postrider auth resolver-config --out resolver.conf
        """)
    {
        AuthOperatorVerb.Create(),
        AuthAccountVerb.Create(),
        AuthUserVerb.Create(),
        AuthSigningKeyVerb.Create(),
        AuthResolverConfigVerb.Create(),
        AuthShowVerb.Create(),
        AuthNkeyVerb.Create(),
        AuthPasswordVerb.Create(),
    };

    /// <summary>The folder of tokens and keys.</summary>
    internal static Option<string> Folder() => new("--dir")
    {
        Description = $"Folder of tokens and keys; default: ${FolderVariable} if set",
        DefaultValueFactory = _ => Environment.GetEnvironmentVariable(FolderVariable) is { Length: > 0 } folder ? folder : DefaultFolder,
    };

    internal static AuthorityStore Open(ParseResult result, Option<string> folder) => new(result.GetValue(folder)!, TimeProvider.System);

    internal static Argument<string> Account() => new("account") { Description = "The account's name" };

    internal static Argument<string> User() => new("user") { Description = "The user's name" };

    /// <summary>When a token expires.</summary>
    internal static Option<TimeSpan?> Expires() => JetStreamVerb.Time("--expires", "How long the token is valid from now on; 0 for no expiry");

    /// <summary>The given expiry; without one, the previous one.</summary>
    internal static DateTimeOffset? ExpiresAt(ParseResult result, Option<TimeSpan?> option, DateTimeOffset? before)
    {
        if (result.GetValue(option) is not { } lifetime) return before;
        return lifetime == TimeSpan.Zero ? null : TimeProvider.System.GetUtcNow() + lifetime;
    }

    /// <summary>An option for a limit; -1 means no limit.</summary>
    internal static Option<long?> Limit(string name, string description) => new Option<long?>(name) { Description = $"{description}; -1 for no limit" }.AtLeast(-1);

    /// <summary>An option for a list that replaces the one before; an empty text empties it.</summary>
    internal static Option<string[]?> Words(string name, string description) => JetStreamVerb.Words(name, description);

    /// <summary>The given limit; without one, the previous one.</summary>
    internal static long? LimitOf(ParseResult result, Option<long?> option, long? before)
        => result.GetValue(option) is { } limit ? (limit < 0 ? null : limit) : before;

    internal static bool IsGiven(ParseResult result, Option option) => result.GetResult(option) is { Implicit: false };
}
