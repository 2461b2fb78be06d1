using System.Globalization;
using Postrider.Credentials;

namespace Postrider.Broker.Hosting;

/// <summary>Finds the differences between two sets of options, and those that need a restart.</summary>
/// <remarks>Names and texts are nats-server's, which rejects some changes that are accepted here (the lame-duck times, the
/// limits of pending bytes and of subscriptions).</remarks>
internal static class OptionsDiff
{
    // Options that are bound to addresses, announced to every client, or built into running parts.
    private static readonly (string Name, Func<BrokerOptions, object?> Value)[] Fixed =
    [
        ("Host", static options => options.Host),
        ("Port", static options => options.Port),
        ("Listen", static options => options.Listen),
        ("Engine", static options => options.Engine),
        ("HTTPHost", static options => options.Monitoring.Host),
        ("HTTPPort", static options => options.Monitoring.Port),
        ("HTTPSPort", static options => options.Monitoring.HttpsPort),
        ("HTTPBasePath", static options => options.Monitoring.BasePath),
        ("ServerName", static options => options.ServerName),
        ("SystemAccount", static options => options.SystemAccountName),
        ("NoHeaderSupport", static options => options.NoHeaderSupport),
        ("LogSizeLimit", static options => options.Logging.FileSizeLimitBytes),
        ("LogMaxFiles", static options => options.Logging.MaxFiles),
    ];

    private static readonly (string Name, Func<BrokerOptions, object?> Value)[] Changing =
    [
        ("debug", static options => options.Logging.Debug),
        ("trace", static options => options.Logging.Trace),
        ("trace_verbose", static options => options.Logging.TraceVerbose),
        ("trace_headers", static options => options.Logging.TraceHeaders),
        ("max_traced_msg_len", static options => options.Logging.MaxTracedMessageLength),
        ("logtime", static options => options.Logging.Time),
        ("logtime_utc", static options => options.Logging.TimeInUtc),
        ("log_file", static options => options.Logging.File),
        ("pid_file", static options => options.PidFile),
        ("ports_file_dir", static options => options.PortsFileDirectory),
        ("max_connections", static options => options.MaxConnections),
        ("max_control_line", static options => options.MaxControlLineBytes),
        ("max_payload", static options => options.MaxPayloadBytes),
        ("max_pending", static options => options.MaxPendingBytes),
        ("max_subscriptions", static options => options.MaxSubscriptions),
        ("max_sub_tokens", static options => options.MaxSubjectTokens),
        ("max_closed_clients", static options => options.MaxClosedClients),
        ("ping_interval", static options => options.PingInterval),
        ("ping_max", static options => options.MaxPingsOut),
        ("write_deadline", static options => options.WriteDeadline),
        ("authorization timeout", static options => options.AuthTimeout.TotalSeconds),
        ("lame_duck_duration", static options => options.LameDuckDuration),
        ("lame_duck_grace_period", static options => options.LameDuckGracePeriod),
        ("allow_non_tls", static options => options.AllowNonTls),
        ("client_advertise", static options => options.ClientAdvertise),
    ];

    /// <summary>The first difference that a running broker cannot apply, in nats-server's words; null when there is none.</summary>
    public static string? FindRefused(BrokerOptions before, BrokerOptions after)
    {
        foreach (var (name, value) in Fixed)
        {
            var (old, asked) = (value(before), value(after));
            if (!Equals(old, asked)) return $"config reload not supported for {name}: old={Text(old)}, new={Text(asked)}";
        }
        if (!before.DefaultJetStreamDomains.OrderBy(static pair => pair.Key, StringComparer.Ordinal).SequenceEqual(after.DefaultJetStreamDomains.OrderBy(static pair => pair.Key, StringComparer.Ordinal)))
            return "config reload not supported for JsAccDefaultDomain";
        // Without their values, which may be secrets.
        if (!WebSocketOptions.AreSame(before.WebSocket, after.WebSocket)) return "config reload not supported for Websocket";
        // The keys for it are created at the start.
        if (before.Authorization?.Callout is null && after.Authorization?.Callout is not null) return "config reload not supported for AuthCallout";
        var (listener, wanted) = (DescribeListener(before.LeafNodes), DescribeListener(after.LeafNodes));
        if (listener != wanted) return $"config reload not supported for LeafNode: old={listener}, new={wanted}";
        // Each connection has it from its start.
        if (before.LeafNodes is { } nodes && after.LeafNodes is { } changed && nodes.Isolate != changed.Isolate)
            return $"config reload not supported for LeafNode: field \"IsolateLeafnodeInterest\": old={Text(nodes.Isolate)}, new={Text(changed.Isolate)}";
        if ((FindRefused(before.Cluster, after.Cluster) ?? FindRefused(before.OperatorMode, after.OperatorMode) ?? FindRefused(before.JetStream, after.JetStream)) is { } refusal) return refusal;
        return AsBefore(before, after).Equals(before) ? null : "config reload not supported for an option that needs a restart";
    }

    /// <summary>A line for each difference that is applied.</summary>
    public static IEnumerable<string> List(BrokerOptions before, BrokerOptions after)
    {
        foreach (var (name, value) in Changing)
            if (!Equals(value(before), value(after))) yield return $"Reloaded: {name} = {Text(value(after))}";
        if (before.AuthThrottle != after.AuthThrottle) yield return "Reloaded: auth_throttle";
        if (before.NoFastProducerStall != after.NoFastProducerStall)
            yield return after.NoFastProducerStall ? "Reloaded: fast producers will not be stalled" : "Reloaded: fast producers will be stalled";
        if (!before.ServerTags.SequenceEqual(after.ServerTags, StringComparer.Ordinal)) yield return "Reloaded: tags";
        if (!before.ServerMetadata.OrderBy(static pair => pair.Key, StringComparer.Ordinal).SequenceEqual(after.ServerMetadata.OrderBy(static pair => pair.Key, StringComparer.Ordinal)))
            yield return "Reloaded: metadata";
        if (!Same(before, after, static authorization => authorization.User)) yield return "Reloaded: authorization username";
        if (!Same(before, after, static authorization => authorization.Password)) yield return "Reloaded: authorization password";
        if (!Same(before, after, static authorization => authorization.Token)) yield return "Reloaded: authorization token";
        if (before.Tls is { } old && after.Tls is { } changed && old.Timeout != changed.Timeout) yield return $"Reloaded: tls timeout = {Text(changed.Timeout.TotalSeconds)}";
        if (before.JetStream is { } limits && after.JetStream is { } raised)
        {
            if (limits.MaxMemoryBytes != raised.MaxMemoryBytes) yield return $"Reloaded: JetStream max_mem_store = {Text(raised.MaxMemoryBytes)}";
            if (limits.MaxStoreBytes != raised.MaxStoreBytes) yield return $"Reloaded: JetStream max_file_store = {Text(raised.MaxStoreBytes)}";
        }
        // Files are not compared but read again.
        if (before.Tls is not null || after.Tls is not null) yield return $"Reloaded: tls = {(after.Tls is null ? "disabled" : "enabled")}";
        // Users and files are not compared but read again.
        if (before.LeafNodes is not null || after.LeafNodes is not null) yield return "Reloaded: leafnodes";
        if (before.Cluster is not null && after.Cluster is not null) yield return "Reloaded: cluster";
        // Lists of users are not compared but read again.
        if (HasUsers(before) || HasUsers(after)) yield return "Reloaded: authorization users";
        if (before.Accounts.Count > 0 || after.Accounts.Count > 0 || (before.OperatorMode is { IsOn: true } && after.OperatorMode is { IsOn: true })) yield return "Reloaded: accounts";
    }

    private static string? FindRefused(OperatorModeOptions? before, OperatorModeOptions? after)
    {
        if (!SameTexts(before?.Operators, after?.Operators)) return $"config reload not supported for TrustedOperators: old={Names(before?.Operators)}, new={Names(after?.Operators)}";
        if (!SameTexts(before?.TrustedKeys, after?.TrustedKeys)) return $"config reload not supported for TrustedKeys: old=[{string.Join(' ', before?.TrustedKeys ?? [])}], new=[{string.Join(' ', after?.TrustedKeys ?? [])}]";
        if (before?.Resolver is null != after?.Resolver is null) return "config reload does not support moving to or from an account resolver";
        return Equals(before?.Resolver, after?.Resolver) ? null : $"config reload not supported for AccountResolver: old={before?.Resolver?.Kind}, new={after?.Resolver?.Kind}";
    }

    // The limits of a server may be raised while it runs.
    private static string? FindRefused(JetStreamOptions? before, JetStreamOptions? after)
    {
        if (before is not { Enabled: true } || after is not { Enabled: true })
            return Equals(before, after) ? null : "config reload not supported for JetStream: turning it on or off needs a restart";
        if (before.StoreDirectory != after.StoreDirectory) return "config reload not supported for jetstream storage directory";
        if (!Equals(before, after with { MaxMemoryBytes = before.MaxMemoryBytes, MaxStoreBytes = before.MaxStoreBytes }))
            return "config reload not supported for JetStream: only max_memory_store and max_file_store can be changed without a restart";
        return FindRefusedLimit(before.MaxMemoryBytes, after.MaxMemoryBytes) ?? FindRefusedLimit(before.MaxStoreBytes, after.MaxStoreBytes);
    }

    private static string? FindRefusedLimit(long before, long after)
    {
        if (before < 0 && after >= 0) return "config reload not supported for jetstream dynamic max memory and store";
        return before >= 0 && after < before ? "config reload not supported for decreasing jetstream max memory and store" : null;
    }

    // What the other servers know of this one. Host and port begin with nats-server's texts.
    private static string? FindRefused(ClusterOptions? before, ClusterOptions? after)
    {
        if (before is null && after is null) return null;
        if (before is null || after is null) return "config reload not supported for cluster: adding or removing it needs a restart";
        return Compare("name", before.Name, after.Name) ?? Compare("host", before.Host, after.Host) ?? Compare("port", before.Port, after.Port) ?? Compare("advertise", before.Advertise, after.Advertise);

        static string? Compare(string key, object? old, object? asked)
            => Equals(old, asked) ? null : $"config reload not supported for cluster {key}: old={Text(old)}, new={Text(asked)}; this change needs a restart";
    }

    private static string DescribeListener(LeafNodeOptions? options) => options?.Port is { } port ? $"{options.Host}:{port} {options.Advertise}".TrimEnd() : "none";

    private static bool SameTexts(IReadOnlyList<string>? before, IReadOnlyList<string>? after) => (before ?? []).SequenceEqual(after ?? [], StringComparer.Ordinal);

    private static string Names(IReadOnlyList<string>? operators)
        => $"[{string.Join(' ', (operators ?? []).Select(static token => NatsJwt.DecodeAnyTime<OperatorClaims>(token)).Select(static claims => claims.Name ?? claims.Subject))}]";

    private static bool HasUsers(BrokerOptions options) => options.Authorization?.Users.Count > 0 || options.Accounts.Any(static account => account.Users.Count > 0);

    private static bool Same(BrokerOptions before, BrokerOptions after, Func<AuthorizationOptions, string?> value)
        => string.Equals(
            before.Authorization is null ? null : value(before.Authorization),
            after.Authorization is null ? null : value(after.Authorization),
            StringComparison.Ordinal);

    // The options of after, with every property that this class knows reset to before's value: any remaining difference is unknown here.
    private static BrokerOptions AsBefore(BrokerOptions before, BrokerOptions after) => after with
    {
        ServerTags = before.ServerTags,
        ServerMetadata = before.ServerMetadata,
        Monitoring = before.Monitoring,
        Logging = before.Logging,
        Authorization = before.Authorization,
        Accounts = before.Accounts,
        OperatorMode = before.OperatorMode,
        DefaultJetStreamDomains = before.DefaultJetStreamDomains,
        SystemAccount = before.SystemAccount,
        NoSystemAccount = before.NoSystemAccount,
        ClientAdvertise = before.ClientAdvertise,
        MaxPayloadBytes = before.MaxPayloadBytes,
        MaxControlLineBytes = before.MaxControlLineBytes,
        MaxConnections = before.MaxConnections,
        MaxSubscriptions = before.MaxSubscriptions,
        MaxSubjectTokens = before.MaxSubjectTokens,
        MaxPendingBytes = before.MaxPendingBytes,
        MaxClosedClients = before.MaxClosedClients,
        MaxPingsOut = before.MaxPingsOut,
        PingInterval = before.PingInterval,
        WriteDeadline = before.WriteDeadline,
        AuthTimeout = before.AuthTimeout,
        AuthThrottle = before.AuthThrottle,
        Tls = before.Tls,
        WebSocket = before.WebSocket,
        LeafNodes = before.LeafNodes,
        Cluster = before.Cluster,
        JetStream = before.JetStream,
        AllowNonTls = before.AllowNonTls,
        NoFastProducerStall = before.NoFastProducerStall,
        LameDuckDuration = before.LameDuckDuration,
        LameDuckGracePeriod = before.LameDuckGracePeriod,
        PortsFileDirectory = before.PortsFileDirectory,
        PidFile = before.PidFile,
        ConfigurationFile = before.ConfigurationFile,
        ConfigurationDigest = before.ConfigurationDigest,
    };

    private static string Text(object? value) => value switch
    {
        null => "",
        bool on => on ? "true" : "false",
        TimeSpan time => GoDuration.Format(time),
        _ => Convert.ToString(value, CultureInfo.InvariantCulture) ?? "",
    };
}
