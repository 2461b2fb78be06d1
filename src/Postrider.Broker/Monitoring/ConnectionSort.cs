namespace Postrider.Broker.Monitoring;

/// <summary>The sort orders of <c>/connz</c> by name. All are descending, except those by number, start, uptime, reason and text.</summary>
internal static class ConnectionSort
{
    private const string Uptime = "uptime";

    private static readonly Dictionary<string, Comparison<ConnectionInfo>> ByName = new(StringComparer.Ordinal)
    {
        ["cid"] = static (a, b) => a.Id.CompareTo(b.Id),
        ["start"] = static (a, b) => a.Id.CompareTo(b.Id),
        ["subs"] = static (a, b) => b.SubscriptionCount.CompareTo(a.SubscriptionCount),
        ["pending"] = static (a, b) => b.PendingBytes.CompareTo(a.PendingBytes),
        ["msgs_to"] = static (a, b) => b.OutMessages.CompareTo(a.OutMessages),
        ["msgs_from"] = static (a, b) => b.InMessages.CompareTo(a.InMessages),
        ["bytes_to"] = static (a, b) => b.OutBytes.CompareTo(a.OutBytes),
        ["bytes_from"] = static (a, b) => b.InBytes.CompareTo(a.InBytes),
        ["last"] = static (a, b) => b.LastActivityAt.CompareTo(a.LastActivityAt),
        ["idle"] = static (a, b) => a.LastActivityAt.CompareTo(b.LastActivityAt),
        ["stop"] = static (a, b) => Nullable.Compare(b.StoppedAt, a.StoppedAt),
        ["reason"] = static (a, b) => string.CompareOrdinal(a.CloseReason, b.CloseReason),
        ["rtt"] = static (a, b) => b.RoundTrip.CompareTo(a.RoundTrip),
        // The orders below do not exist in nats-server.
        ["name"] = static (a, b) => string.Compare(a.Name, b.Name, StringComparison.OrdinalIgnoreCase),
        ["ip"] = static (a, b) => string.CompareOrdinal(a.RemoteAddress, b.RemoteAddress) is var result and not 0 ? result : a.RemotePort.CompareTo(b.RemotePort),
        ["account"] = static (a, b) => string.CompareOrdinal(a.Account, b.Account),
        ["user"] = static (a, b) => string.CompareOrdinal(a.User, b.User),
        ["lang"] = static (a, b) => string.CompareOrdinal(a.Language, b.Language) is var result and not 0 ? result : string.CompareOrdinal(a.Version, b.Version),
    };

    /// <summary>Why an order cannot be used with a filter, or null.</summary>
    internal static string? Problem(string name, ConnectionFilter filter)
    {
        if (name is not ("" or Uptime) && !ByName.ContainsKey(name))
            return $"invalid sorting option: {name}";
        return name is "stop" or "reason" && filter != ConnectionFilter.Closed
            ? $"sort by {name} only valid on closed connections"
            : null;
    }

    internal static void Sort(List<ConnectionInfo> connections, string name, bool isReversed, DateTimeOffset now)
    {
        var order = name is Uptime ? (a, b) => UptimeOf(a, now).CompareTo(UptimeOf(b, now)) : ByName[name.Length == 0 ? "cid" : name];
        // Ties are broken by the id, so that the pages of one query are consistent.
        connections.Sort((a, b) => order(a, b) is var result and not 0 ? result : a.Id.CompareTo(b.Id));
        if (isReversed) connections.Reverse();
    }

    // The uptime of a connection that has ended does not grow.
    private static TimeSpan UptimeOf(ConnectionInfo connection, DateTimeOffset now) => (connection.StoppedAt ?? now) - connection.StartedAt;
}
