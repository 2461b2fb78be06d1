namespace Postrider.Broker.Configuration;

/// <summary>Keys of nats-server whose feature this broker does not have yet.</summary>
/// <remarks>A file that enables such a feature is rejected: a server that silently ignores <c>gateway</c> is worse than
/// one that does not start. A value that disables the feature is accepted.</remarks>
internal static class UnsupportedKeys
{
    private static readonly HashSet<string> Keys = new[]
    {
        "gateway", "ocsp", "ocsp_cache", "prof_port", "prof_block_rate",
        "proxy_protocol", "proxies", "write_timeout", "mqtt", "feature_flags",
    }.ToHashSet(StringComparer.Ordinal);

    // Keys for which an empty block enables nothing.
    private static readonly HashSet<string> Blocks = new[]
    {
        "accounts", "mappings", "maps", "cluster", "gateway", "leaf", "leafnodes", "mqtt",
    }.ToHashSet(StringComparer.Ordinal);

    /// <summary>Whether the key is one of nats-server's that is not supported here.</summary>
    internal static bool Contains(string lowerCaseKey) => Keys.Contains(lowerCaseKey);

    /// <summary>Whether a value leaves the feature of a key disabled.</summary>
    internal static bool IsOff(string lowerCaseKey, ConfigValue value) => lowerCaseKey switch
    {
        "write_timeout" when value.Content is string policy && policy.Equals("close", StringComparison.OrdinalIgnoreCase) => true,
        _ when value.Content is ConfigMap { Count: 0 } && Blocks.Contains(lowerCaseKey) => true,
        _ => IsOff(value),
    };

    /// <summary>Whether a value leaves a feature disabled.</summary>
    internal static bool IsOff(ConfigValue value) => value.Content switch
    {
        bool enabled => !enabled,
        long number => number == 0,
        string text => text.Length == 0 || text.ToUpperInvariant() is "DISABLED" or "DISABLE" or "DEFAULT",
        ConfigMap map => map.Count == 1 && map.TryGetValue("enabled", out var enabled) && enabled.Content is false,
        _ => false,
    };
}
