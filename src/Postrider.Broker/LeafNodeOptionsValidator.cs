using System.Security.Authentication;
using Postrider.Credentials;

namespace Postrider.Broker;

/// <summary>Finds the problems in the options of leaf nodes. Where nats-server has a text for a problem it is used.</summary>
internal static class LeafNodeOptionsValidator
{
    private static readonly Version LowestVersion = new(2, 8, 0);

    internal static IEnumerable<string> Problems(BrokerOptions options)
    {
        if (options.LeafNodes is not { } leafs) return [];
        return ListenProblems(leafs).Concat(UserProblems(options, leafs)).Concat(RemoteProblems(options, leafs));
    }

    /// <summary>Parses a version.</summary>
    /// <returns>Null when it is invalid.</returns>
    internal static Version? ParseVersion(string? text)
    {
        var plain = (text ?? "").TrimStart('v').Split('-', '+')[0];
        return Version.TryParse(plain, out var version) && version.Build >= 0 ? new Version(version.Major, version.Minor, version.Build) : null;
    }

    /// <summary>The problem of a minimum version, or null.</summary>
    internal static string? MinVersionProblem(string text)
        => ParseVersion(text) is not { } version ? $"invalid leafnode's minimum version: \"{text}\" is not a version such as 2.10.0"
            : version < LowestVersion ? "the minimum version should be at least 2.8.0"
            : null;

    /// <summary>The problem of a remote's address, or null.</summary>
    internal static string? UrlProblem(string url) => LeafAddress.TryParse(url, out _, out var problem) ? null : problem;

    /// <summary>The problem of a remote's file with credentials, or null. Reads the file.</summary>
    internal static string? CredentialsProblem(LeafRemoteOptions remote)
    {
        if (string.IsNullOrEmpty(remote.Credentials)) return null;
        try
        {
            CredentialsFile.Read(remote.Credentials).Dispose();
            return null;
        }
        catch (Exception error) when (error is CredentialsException or IOException or UnauthorizedAccessException)
        {
            var addresses = remote.Urls.Select(static url => LeafAddress.TryParse(url, out var address, out _) ? address.HostAndPort : "");
            return $"The credentials of the leafnode remote {string.Join(", ", addresses)} cannot be used: {error.Message}";
        }
    }

    /// <summary>Whether a text is the seed of a user's nkey.</summary>
    internal static bool IsUserSeed(string text)
    {
        try
        {
            using var pair = NkeyPair.FromSeed(text);
            return pair.Kind == NkeyKind.User;
        }
        catch (CredentialsException)
        {
            return false;
        }
    }

    private static IEnumerable<string> ListenProblems(LeafNodeOptions leafs)
    {
        if (string.IsNullOrWhiteSpace(leafs.Host)) yield return "leafnode host must not be empty";
        if (leafs.Port is 0 or < BrokerOptions.RandomPort or > ushort.MaxValue)
            yield return $"leafnode port {leafs.Port} is neither between 1 and {ushort.MaxValue} nor {BrokerOptions.RandomPort} for a free one";
        if (leafs.Tls is { } tls && TlsMaterial.Load(tls, out var problem) is null) yield return problem!;
        if (leafs.MinVersion is { Length: > 0 } version && MinVersionProblem(version) is { } wrong) yield return wrong;
        if (leafs.ReconnectInterval <= TimeSpan.Zero) yield return $"leafnode reconnect ({GoDuration.Format(leafs.ReconnectInterval)}) must be positive";
        if (leafs.DialTimeout <= TimeSpan.Zero) yield return $"leafnode dial_timeout ({GoDuration.Format(leafs.DialTimeout)}) must be positive";
        if (leafs.AuthTimeout <= TimeSpan.Zero) yield return $"leafnode authorization timeout ({GoDuration.Format(leafs.AuthTimeout)}) must be positive";
        if (leafs.Compression.Problem() is { } compression) yield return compression;
        if (!Enum.IsDefined(leafs.WriteTimeout)) yield return $"leafnode write_timeout {leafs.WriteTimeout} is not a known policy";
        if (leafs.WriteDeadline is { } deadline && deadline <= TimeSpan.Zero) yield return $"leafnode write_deadline ({GoDuration.Format(deadline)}) must be positive";
    }

    private static IEnumerable<string> UserProblems(BrokerOptions options, LeafNodeOptions leafs)
    {
        if (leafs.Users.Count > 0 && !string.IsNullOrEmpty(leafs.User)) yield return "can not have a single user/pass and a users array";
        if (leafs.Users.Count > 0 && !string.IsNullOrEmpty(leafs.Nkey)) yield return "can not have a single nkey and a users array";
        if (leafs.Nkey is { Length: > 0 } nkey && !PublicNkey.IsValid(nkey, NkeyKind.User)) yield return "Not a valid public nkey for leafnode authorization";
        if (leafs.Users.Count > 0 && options.OperatorMode is { IsOn: true }) yield return "operator mode does not allow specifying users in leafnode config";
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (var user in leafs.Users)
        {
            if (!names.Add(user.Name)) yield return $"duplicate user \"{user.Name}\" detected in leafnode authorization";
            if (AccountProblem(options, user.Account, "authorization") is { } problem) yield return problem;
        }
        if (AccountProblem(options, leafs.Account, "authorization") is { } unknown) yield return unknown;
    }

    private static IEnumerable<string> RemoteProblems(BrokerOptions options, LeafNodeOptions leafs)
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (var remote in leafs.Remotes)
        {
            if (remote.Urls.Count == 0) yield return "a leafnode remote needs at least one url";
            foreach (var url in remote.Urls)
                if (UrlProblem(url) is { } problem) yield return problem;
            if (remote.Compression.Problem() is { } compression) yield return compression;
            if (remote.Urls.Select(static url => LeafAddress.TryParse(url, out var address, out _) && address.IsWebSocket).Distinct().Count() > 1)
                yield return "remote leaf node configuration cannot have a mix of websocket and non-websocket urls";
            if (!names.Add($"{remote.Account} {remote.Credentials} {string.Join(' ', remote.Urls)}")) yield return "duplicate remote in leafnodes";
            if (!string.IsNullOrEmpty(remote.Credentials) && !string.IsNullOrEmpty(remote.NkeySeed)) yield return "Remote leafnode can not have both creds and nkey defined";
            if (remote.NkeySeed is { Length: > 0 } seed && !IsUserSeed(seed)) yield return "Remote leafnode nkey is not a valid seed";
            if (AccountProblem(options, remote.Account, "remote") is { } unknown) yield return unknown;
            if (options.OperatorMode is { IsOn: true } && !PublicNkey.IsValid(remote.Account, NkeyKind.Account))
                yield return "operator mode requires account nkeys in remotes. Please add an `account` key to each remote in your `leafnodes` section, to assign it to an account";
            foreach (var subject in remote.DenyImports.Concat(remote.DenyExports))
                if (BrokerOptionsValidator.SubjectProblem(subject, allowQueue: false) is { } wrong) yield return wrong;
            if (remote.FirstInfoTimeout <= TimeSpan.Zero) yield return $"leafnode first_info_timeout ({GoDuration.Format(remote.FirstInfoTimeout)}) must be positive";
            if (remote.DialTimeout is { } dial && dial <= TimeSpan.Zero) yield return $"leafnode dial_timeout ({GoDuration.Format(dial)}) must be positive";
            if (remote.Tls is { CertFile: null } != remote.Tls is { KeyFile: null } && remote.Tls is not null) yield return "a leafnode remote's tls needs both 'cert_file' and 'key_file', or neither";
            if (remote.Tls is { } tls && tls.MinVersion is not (SslProtocols.Tls12 or SslProtocols.Tls13)) yield return $"unsupported TLS version: {tls.MinVersion}";
        }
        if (leafs.Remotes.Count > 0 && options.ServerName?.Contains(' ', StringComparison.Ordinal) == true) yield return "server name cannot contain spaces";
    }

    private static string? AccountProblem(BrokerOptions options, string? account, string where)
    {
        if (string.IsNullOrEmpty(account) || options.OperatorMode is { IsOn: true }) return null;
        var isKnown = account == AccountOptions.GlobalName || account == options.SystemAccountName || options.Accounts.Any(known => known.Name == account);
        return isKnown ? null : $"cannot find local account \"{account}\" specified in leafnode {where}";
    }
}
