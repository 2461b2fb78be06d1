using System.Diagnostics.CodeAnalysis;
using Postrider.Credentials;
using Postrider.Sockets;

namespace Postrider.Broker;

/// <summary>Finds the problems in a broker's options.</summary>
/// <remarks>Pure; where nats-server has a text for a problem it is used, because scripts look for it.</remarks>
internal static class BrokerOptionsValidator
{
    private const int MaxPort = 65535;

    private static readonly TimeSpan MaxThrottleDelay = TimeSpan.FromMinutes(1);

    internal static string? Validate(BrokerOptions options) => Problems(options).FirstOrDefault();

    internal static IEnumerable<string> Problems(BrokerOptions options) =>
        ListenProblems(options).Concat(LimitProblems(options)).Concat(TlsProblems(options)).Concat(WebSocketProblems(options)).Concat(OperatorModeValidator.Problems(options)).Concat(LeafNodeOptionsValidator.Problems(options)).Concat(ClusterOptionsValidator.Problems(options))
            .Concat(AuthorizationProblems(options)).Concat(AccountProblems(options)).Concat(DefaultDomainProblems(options));

    private static IEnumerable<string> DefaultDomainProblems(BrokerOptions options)
    {
        foreach (var (account, domain) in options.DefaultJetStreamDomains)
        {
            var known = options.Accounts.FirstOrDefault(one => one.Name == account);
            if (options.OperatorMode is { IsOn: true })
            {
                if (!PublicNkey.IsValid(account, NkeyKind.Account)) yield return $"default_js_domain contains account name \"{account}\", which is not a valid public account nkey";
            }
            else if (known is null && account != AccountOptions.GlobalName && account != options.SystemAccountName)
            {
                yield return $"in non operator mode, `default_js_domain` references non existing account \"{account}\"";
            }
            else if (known is { JetStream: not null } && domain.Length > 0)
            {
                yield return $"default_js_domain contains account name \"{account}\" with enabled JetStream";
            }
            if (account == options.SystemAccountName) yield return $"system account \"{account}\" can not be in default_js_domain";
            if (domain.Length > 0 && SubjectProblem($"$JS.{domain}.API.>", allowQueue: false) is not null) yield return $"default_js_domain contains account \"{account}\" with invalid domain name \"{domain}\"";
        }
    }

    private static IEnumerable<string> ListenProblems(BrokerOptions options)
    {
        if (string.IsNullOrWhiteSpace(options.Host))
            yield return "host must not be empty";
        if (options.Port is 0 or < BrokerOptions.RandomPort or > MaxPort)
            yield return $"port {options.Port} is neither between 1 and {MaxPort} nor {BrokerOptions.RandomPort} for a free one";
        if (options.Monitoring.Port is < BrokerOptions.RandomPort or > MaxPort)
            yield return $"http port {options.Monitoring.Port} is neither between 0 and {MaxPort} nor {BrokerOptions.RandomPort} for a free one";
        if (options.Monitoring.HttpsPort is < BrokerOptions.RandomPort or > MaxPort)
            yield return $"https port {options.Monitoring.HttpsPort} is neither between 0 and {MaxPort} nor {BrokerOptions.RandomPort} for a free one";
        if (string.IsNullOrEmpty(options.Monitoring.User) != string.IsNullOrEmpty(options.Monitoring.Password))
            yield return "Monitoring.User and Monitoring.Password (http_user and http_password) belong together: one of them is missing";
        if (options.Monitoring.User?.Contains(':', StringComparison.Ordinal) == true)
            yield return "Monitoring.User (http_user) contains a colon, which HTTP's Basic authentication does not allow";
        if (options.Monitoring.MaxStreamMetrics < 0)
            yield return $"Monitoring.MaxStreamMetrics {options.Monitoring.MaxStreamMetrics} is negative";
        if (options.Monitoring is { Port: not 0, HttpsPort: not 0 })
            yield return $"can't specify both HTTP ({options.Monitoring.Port}) and HTTPs ({options.Monitoring.HttpsPort}) ports";
        if (options.Engine == EngineKind.Epoll && !OperatingSystem.IsLinux())
            yield return "engine epoll is only available on Linux";
        if (options.ServerName?.Contains(' ', StringComparison.Ordinal) == true)
            yield return "server name cannot contain spaces";
    }

    private static IEnumerable<string> TlsProblems(BrokerOptions options)
    {
        if (options.Tls is null && options.Monitoring.HttpsPort != 0)
            yield return "TLS cert and key required for HTTPS";
        if (options.Tls is { } tls && TlsMaterial.Load(tls, out var problem) is null)
            yield return problem!;
    }

    private static IEnumerable<string> WebSocketProblems(BrokerOptions options)
    {
        if (options.WebSocket is not { } listener) return [];
        var names = (options.Authorization?.Users ?? []).Concat(options.Accounts.SelectMany(static account => account.Users)).Select(static user => user.Name).ToList();
        return WebSocketOptionsValidator.Problems(listener, names, trustsOperators: options.OperatorMode is not null);
    }

    private static IEnumerable<string> LimitProblems(BrokerOptions options)
    {
        if (options.LameDuckDuration > TimeSpan.Zero && options.LameDuckGracePeriod >= options.LameDuckDuration)
            yield return $"lame duck grace period ({GoDuration.Format(options.LameDuckGracePeriod)}) should be strictly lower than lame duck duration ({GoDuration.Format(options.LameDuckDuration)})";
        if (options.MaxPayloadBytes > options.MaxPendingBytes)
            yield return $"max_payload ({options.MaxPayloadBytes}) cannot be higher than max_pending ({options.MaxPendingBytes})";
        if (options.MaxPayloadBytes < -1)
            yield return $"max_payload ({options.MaxPayloadBytes}) is below -1, which allows any size";
        if (options.MaxControlLineBytes <= 0)
            yield return $"max_control_line ({options.MaxControlLineBytes}) must be positive";
        if (options.MaxSubjectTokens is < 0 or > byte.MaxValue)
            yield return $"max_sub_tokens ({options.MaxSubjectTokens}) is not between 0 and {byte.MaxValue}";
        if (options.PingInterval <= TimeSpan.Zero)
            yield return $"ping_interval ({GoDuration.Format(options.PingInterval)}) must be positive";
        if (options.WriteDeadline <= TimeSpan.Zero)
            yield return $"write_deadline ({GoDuration.Format(options.WriteDeadline)}) must be positive";
        if (options.AuthTimeout <= TimeSpan.Zero)
            yield return $"authorization timeout ({GoDuration.Format(options.AuthTimeout)}) must be positive";
        if (options.AuthThrottle.MaxDelay < TimeSpan.Zero || options.AuthThrottle.MaxDelay > MaxThrottleDelay)
            yield return $"auth_throttle max_delay ({GoDuration.Format(options.AuthThrottle.MaxDelay)}) is not between 0s and {GoDuration.Format(MaxThrottleDelay)}";
        if (options.AuthThrottle.FreeFailures < 0)
            yield return $"auth_throttle free_failures ({options.AuthThrottle.FreeFailures}) can not be negative";
        if (options.AuthThrottle.MaxWaiting < 1)
            yield return $"auth_throttle max_waiting ({options.AuthThrottle.MaxWaiting}) must be positive";
    }

    private static IEnumerable<string> AccountProblems(BrokerOptions options)
    {
        var accounts = new HashSet<string>(StringComparer.Ordinal) { AccountOptions.GlobalName };
        foreach (var account in options.Accounts)
        {
            if (account.Name.Length == 0)
                yield return "an account must have a name";
            if (!accounts.Add(account.Name) && account.Name != AccountOptions.GlobalName)
                yield return $"account \"{account.Name}\" is defined twice";
            if (account.Users.Count > 0 && !string.IsNullOrEmpty(options.Authorization?.User))
                yield return "Can not have a single user/pass and accounts";
            if (account.Users.Count > 0 && !string.IsNullOrEmpty(options.Authorization?.Token))
                yield return "Can not have a token and accounts";
            if (account.JetStream is not null && account.Name == options.SystemAccountName)
                yield return "Not allowed to enable JetStream on the system account";
            if (account.JetStream is not null && !IsFolderName(account.Name))
                yield return $"account \"{account.Name}\" cannot have JetStream: its name cannot be the name of a folder";
            foreach (var problem in account.Users.SelectMany(static user => PermissionProblems(user.Permissions)).Concat(PermissionProblems(account.DefaultPermissions)))
                yield return problem;
        }
        // In operator mode the resolver is asked for the system account.
        if (options.OperatorMode?.Resolver is null && options.SystemAccount is { Length: > 0 } system && system != AccountOptions.DefaultSystemName && !options.Accounts.Any(account => account.Name == system))
            yield return "error resolving system account: account missing";
        if (options.SystemAccount is AccountOptions.GlobalName)
            yield return $"\"{AccountOptions.GlobalName}\" is a Reserved Account";
    }

    // For accounts with streams: the name is a folder's name and must not lead out of the store on any system.
    private static bool IsFolderName(string name) => name is not ("." or "..") && name.AsSpan().IndexOfAny("/\\:\0") < 0;

    private static IEnumerable<string> AuthorizationProblems(BrokerOptions options)
    {
        var authorization = options.Authorization ?? new AuthorizationOptions();
        var (hasUser, hasToken) = (!string.IsNullOrEmpty(authorization.User), !string.IsNullOrEmpty(authorization.Token));
        if (authorization.Users.Count > 0 && (hasUser || hasToken))
            yield return !hasToken
                ? "Can not have a single user/pass and a users array"
                : "Can not have a token and a users array";
        if (hasUser && hasToken)
            yield return "Cannot have a user/pass and token";
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (var user in authorization.Users)
        {
            if (!names.Add(user.Name))
                yield return $"user \"{user.Name}\" is defined twice";
            if (user.IsNkey && !PublicNkey.IsValid(user.Name, NkeyKind.User))
                yield return "Not a valid public nkey for a user";
            if (user.IsNkey && user.Password.Length > 0)
                yield return "Nkey users do not take usernames or passwords";
            foreach (var problem in PermissionProblems(user.Permissions))
                yield return problem;
        }
        foreach (var user in options.Accounts.SelectMany(static account => account.Users))
            if (!names.Add(user.Name))
                yield return $"user \"{user.Name}\" is defined twice";
        foreach (var problem in PermissionProblems(authorization.DefaultPermissions))
            yield return problem;
        if (authorization.Callout is { } callout)
            foreach (var problem in CalloutProblems(callout, options))
                yield return problem;
        if (authorization.NoAuthUser is not { Length: > 0 } noAuthUser || names.Contains(noAuthUser))
            yield break;
        yield return NoAuthUserProblem(noAuthUser, names.Count > 0);
    }

    private static IEnumerable<string> CalloutProblems(AuthCalloutOptions callout, BrokerOptions options)
    {
        if (options.OperatorMode is { IsOn: true })
            yield return "operators do not allow authorization callouts to be configured directly";
        if (!PublicNkey.IsValid(callout.Issuer, NkeyKind.Account))
            yield return $"Expected callout user to be a valid public account nkey, got {GoQuote.Quote(callout.Issuer)}";
        if (callout.CurveKey is not null && !PublicNkey.IsValid(callout.CurveKey, NkeyKind.Curve))
            yield return $"Expected callout xkey to be a valid public xkey, got {GoQuote.Quote(callout.CurveKey)}";
        if (callout.AuthUsers.Count == 0)
            yield return "Authorization callouts require authorized users to be specified";
        foreach (var name in callout.AllowedAccounts.Where(name => options.Accounts.All(account => account.Name != name)))
            yield return $"auth_callout allowed account {GoQuote.Quote(name)} not found in configured accounts";
    }

    /// <summary>The problem of a no_auth_user that is not among the users.</summary>
    internal static string NoAuthUserProblem(string noAuthUser, bool hasUsers)
        => hasUsers
            ? $"no_auth_user: \"{noAuthUser}\" not present as user or nkey in authorization block or account configuration"
            : $"no_auth_user: \"{noAuthUser}\" present, but users/nkeys are not defined";

    private static IEnumerable<string> PermissionProblems(PermissionOptions? permissions)
    {
        if (permissions is null)
            yield break;
        foreach (var subject in Subjects(permissions.Publish))
            if (SubjectProblem(subject, allowQueue: false) is { } problem)
                yield return problem;
        foreach (var subject in Subjects(permissions.Subscribe))
            if (SubjectProblem(subject, allowQueue: true) is { } problem)
                yield return problem;
    }

    private static IEnumerable<string> Subjects(SubjectPermission? permission) =>
        permission is null ? [] : (permission.Allow ?? []).Concat(permission.Deny ?? []);

    /// <summary>The problem of one entry of a permission, or null.</summary>
    internal static string? SubjectProblem(string subject, bool allowQueue)
    {
        if (IsValidSubject(subject))
            return null;
        var parts = subject.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
        if (!allowQueue || parts.Length != 2)
            return $"subject \"{subject}\" is not a valid subject";
        if (!IsValidSubject(parts[0]))
            return $"subject \"{parts[0]}\" is not a valid subject";
        return IsValidSubject(parts[1]) ? null : $"queue \"{parts[1]}\" is not a valid queue";
    }

    private static bool IsValidSubject([NotNullWhen(true)] string? subject)
    {
        if (string.IsNullOrEmpty(subject) || subject.AsSpan().ContainsAny(" \t\n\r\f"))
            return false;
        var tokens = subject.Split('.');
        for (var i = 0; i < tokens.Length; i++)
            if (tokens[i].Length == 0 || (tokens[i] is ">" && i < tokens.Length - 1))
                return false;
        return true;
    }
}
