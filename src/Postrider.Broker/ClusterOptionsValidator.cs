namespace Postrider.Broker;

/// <summary>Finds the problems in the options of a cluster. Where nats-server has a text for a problem it is used.</summary>
internal static class ClusterOptionsValidator
{
    internal const string NameHasSpaces = "cluster name cannot contain spaces or new lines";

    private const int MaxPort = 65535;
    private const int MaxPoolSize = 1000;

    internal static IEnumerable<string> Problems(BrokerOptions options)
    {
        if (options.Cluster is not { } cluster) yield break;
        if (string.IsNullOrWhiteSpace(cluster.Host)) yield return "cluster host must not be empty";
        if (cluster.Port == 0 && cluster.Routes.Count > 0) yield return "solicited routes require cluster capabilities, e.g. --cluster";
        else if (cluster.Port is 0 or < BrokerOptions.RandomPort or > MaxPort) yield return $"cluster port {cluster.Port} is neither between 1 and {MaxPort} nor {BrokerOptions.RandomPort} for a free one";
        if (cluster.Name?.AsSpan().ContainsAny(' ', '\r', '\n') == true) yield return NameHasSpaces;
        foreach (var url in cluster.Routes)
            if (!RouteAddress.TryParse(url, out _, out var problem)) yield return problem;
        if (cluster.Tls is { } tls && TlsMaterial.Load(tls, out var unreadable) is null) yield return unreadable!;
        if (cluster.PoolSize is not ClusterOptions.NoPool and (< 1 or > MaxPoolSize)) yield return $"cluster pool_size {cluster.PoolSize} is neither between 1 and {MaxPoolSize} nor {ClusterOptions.NoPool} for no pool";
        if (cluster.ConnectRetries < 0) yield return $"cluster connect_retries ({cluster.ConnectRetries}) must not be negative";
        if (cluster.AuthTimeout <= TimeSpan.Zero) yield return $"cluster authorization timeout ({GoDuration.Format(cluster.AuthTimeout)}) must be positive";
        if (cluster.PingInterval is { } ping && ping <= TimeSpan.Zero) yield return $"cluster ping_interval ({GoDuration.Format(ping)}) must be positive";
        if (cluster.MaxPingsOut is < 0) yield return $"cluster ping_max ({cluster.MaxPingsOut}) must not be negative";
        if (cluster.Compression.Problem() is { } compression) yield return compression;
        if (cluster.WriteDeadline is { } deadline && deadline <= TimeSpan.Zero) yield return $"cluster write_deadline ({GoDuration.Format(deadline)}) must be positive";
        if (!Enum.IsDefined(cluster.WriteTimeout)) yield return $"cluster write_timeout {cluster.WriteTimeout} is not a known policy";
        foreach (var problem in PermissionProblems(cluster.Permissions)) yield return problem;
        foreach (var problem in AccountProblems(options, cluster)) yield return problem;
    }

    /// <summary>Finds the invalid subjects in permissions.</summary>
    internal static IEnumerable<string> PermissionProblems(RoutePermissionOptions? permissions)
        => ListProblems("import", permissions?.Import).Concat(ListProblems("export", permissions?.Export));

    private static IEnumerable<string> ListProblems(string direction, SubjectPermission? permission)
    {
        foreach (var subject in permission?.Allow ?? [])
            if (BrokerOptionsValidator.SubjectProblem(subject, allowQueue: false) is { } problem) yield return $"cluster {direction} allow: {problem}";
        foreach (var subject in permission?.Deny ?? [])
            if (BrokerOptionsValidator.SubjectProblem(subject, allowQueue: false) is { } problem) yield return $"cluster {direction} deny: {problem}";
    }

    private static IEnumerable<string> AccountProblems(BrokerOptions options, ClusterOptions cluster)
    {
        if (cluster is { PoolSize: ClusterOptions.NoPool, Accounts.Count: > 0 }) yield return "pool_size cannot be negative if pinned accounts are specified";
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (var name in cluster.Accounts)
        {
            if (!names.Add(name)) yield return $"found duplicate account name \"{name}\" in pinned accounts list [{string.Join(' ', cluster.Accounts.Select(static one => $"\"{one}\""))}]";
            if (options.OperatorMode is { IsOn: true } || name == AccountOptions.GlobalName || name == options.SystemAccountName || options.Accounts.Any(known => known.Name == name)) continue;
            yield return $"cannot find account \"{name}\" of the cluster's accounts";
        }
    }
}
