using System.Globalization;
using Postrider.Credentials;

namespace Postrider.Broker;

/// <summary>Finds the problems in the options of operator mode.</summary>
/// <remarks>The texts are nats-server's. Source: nats-server, operator mode.</remarks>
internal static class OperatorModeValidator
{
    internal static IEnumerable<string> Problems(BrokerOptions options)
    {
        if (options.OperatorMode is not { } mode) return [];
        return TokenProblems(mode) is { Count: > 0 } unreadable ? unreadable : KeyProblems(mode).Concat(OperatorProblems(options, mode)).Concat(ResolverProblems(mode.Resolver));
    }

    // If a token cannot be read, nothing else can be checked.
    private static List<string> TokenProblems(OperatorModeOptions mode)
    {
        var problems = new List<string>();
        foreach (var token in mode.Operators)
            if (ProblemOf<OperatorClaims>(token) is { } problem) problems.Add($"error parsing operator JWT: {problem}");
        foreach (var (key, token) in mode.PreloadedAccounts)
            if (ProblemOf<AccountClaims>(token) is { } problem) problems.Add($"preload account error for {GoQuote.Quote(key)}: {problem}");
        if (mode.Operators.Count > 0 && mode.DefaultSentinel is { Length: > 0 } sentinel && ProblemOf<UserClaims>(sentinel) is not null) problems.Add("default sentinel JWT not valid");
        return problems;
    }

    private static IEnumerable<string> KeyProblems(OperatorModeOptions mode)
    {
        foreach (var key in mode.TrustedKeys)
            if (!PublicNkey.IsValid(key, NkeyKind.Operator)) yield return $"trusted Keys {GoQuote.Quote(key)} are required to be a valid public operator nkey";
        foreach (var key in mode.PinnedAccounts)
            if (!PublicNkey.IsValid(key, NkeyKind.Account)) yield return $"pinned account key {GoQuote.Quote(key)} is not a valid public account nkey";
        if (mode.PreloadedAccounts.Count > 0 && mode.Resolver is UrlResolverOptions) yield return "resolver preloads only available for writeable resolver types MEM/DIR/CACHE_DIR";
    }

    private static IEnumerable<string> OperatorProblems(BrokerOptions options, OperatorModeOptions mode)
    {
        if (mode.Operators.Count == 0)
        {
            if (!string.IsNullOrEmpty(mode.DefaultSentinel)) yield return "default sentinel requires operators and accounts";
            yield break;
        }
        if (mode.DefaultSentinel is { Length: > 0 } sentinel && NatsJwt.DecodeAnyTime<UserClaims>(sentinel) is not ({ Settings.IsBearer: true } or { Settings: null, IssuerAccount.Length: > 0 }))
            yield return "default sentinel must be a bearer token";
        if (mode.Resolver is null) yield return "operators require an account resolver to be configured";
        if (options.Accounts.Count > 0) yield return "operators do not allow Accounts to be configured directly";
        if (options.Authorization is { Users.Count: > 0 }) yield return "operators do not allow users to be configured directly";
        if (options.Authorization is { NoAuthUser.Length: > 0 }) yield return "no_auth_user not compatible with Trusted Operator";
        if (mode.TrustedKeys.Count > 0) yield return "conflicting options for 'TrustedKeys' and 'TrustedOperators'";
        var operators = mode.ReadOperators();
        var named = operators.Select(static one => one.SystemAccount).Where(static account => !string.IsNullOrEmpty(account)).ToList();
        if (options.SystemAccount is { Length: > 0 } system)
        {
            if (named.Count > 0 && !named.Contains(system)) yield return "system_account in config and operator JWT must be identical";
        }
        else if (string.IsNullOrEmpty(operators[0].SystemAccount) && mode.Resolver is FullResolverOptions or CacheResolverOptions)
        {
            yield return "using nats based account resolver - the system account needs to be specified in configuration or the operator jwt";
        }
        foreach (var problem in operators.Select(VersionProblem).OfType<string>()) yield return problem;
    }

    private static IEnumerable<string> ResolverProblems(AccountResolverOptions? resolver)
    {
        if (resolver is FullResolverOptions { Directory.Length: 0 } or CacheResolverOptions { Directory.Length: 0 }) yield return "dir has no value and needs to point to a directory";
        if (resolver is FullResolverOptions { HardDelete: true, AllowDelete: false }) yield return "hard_delete has no effect without delete";
        var timeout = resolver switch
        {
            FullResolverOptions full => full.Timeout,
            CacheResolverOptions cache => cache.Timeout,
            UrlResolverOptions url => url.Timeout,
            _ => AccountResolverOptions.DefaultTimeout,
        };
        if (timeout <= TimeSpan.Zero) yield return $"Fetch timeout {GoDuration.Format(timeout)} is too smal";
        if (resolver is not UrlResolverOptions { Url: var address }) yield break;
        if (!address.IsAbsoluteUri || address.Scheme is not ("http" or "https")) yield return $"error parsing account resolver url [{GoQuote.Quote(address.OriginalString)}]: it must begin with http:// or https://";
    }

    private static string? VersionProblem(OperatorClaims one)
    {
        if (one.MinServerVersion is not { Length: > 0 } version) return null;
        var (wanted, own) = (version.Split('.'), BrokerOptions.ReferenceVersion.Split('.'));
        string[] names = ["major", "minor", "update"];
        for (var i = 0; i < names.Length && i < wanted.Length; i++)
        {
            if (!int.TryParse(wanted[i], NumberStyles.None, CultureInfo.InvariantCulture, out var number))
                return $"operator {one.Subject} expects version {version} got error instead: the version must have the form 2.10.0";
            var have = int.Parse(own[i], CultureInfo.InvariantCulture);
            if (number > have) return $"operator {one.Subject} expected {names[i]} version {number} > server {names[i]} version {have}";
            if (number < have) return null;
        }
        return null;
    }

    private static string? ProblemOf<T>(string token)
        where T : JwtClaims
    {
        try
        {
            NatsJwt.DecodeAnyTime<T>(token);
            return null;
        }
        catch (CredentialsException error)
        {
            return error.Message;
        }
    }
}
