namespace Postrider.Broker.Monitoring;

/// <summary>The orders of <c>/connz</c> by their names. All but the ones by number, start, uptime, reason and texts are descending.</summary>
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
        // nats-server does not have those below.
        ["name"] = static (a, b) => string.Compare(a.Name, b.Name, StringComparison.OrdinalIgnoreCase),
        ["ip"] = static (a, b) => string.CompareOrdinal(a.RemoteAddress, b.RemoteAddress) is var result and not 0 ? result : a.RemotePort.CompareTo(b.RemotePort),
        ["account"] = static (a, b) => string.CompareOrdinal(a.Account, b.Account),
        ["user"] = static (a, b) => string.CompareOrdinal(a.User, b.User),
        ["lang"] = static (a, b) => string.CompareOrdinal(a.Language, b.Language) is var result and not 0 ? result : string.CompareOrdinal(a.Version, b.Version),
    };

    /// <summary>Why an order cannot be used for a filter, or null.</summary>
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
        // The number decides between equals, so that pages of one query fit together.
        connections.Sort((a, b) => order(a, b) is var result and not 0 ? result : a.Id.CompareTo(b.Id));
        if (isReversed) connections.Reverse();
    }

    // A connection that ended stopped ageing then.
    private static TimeSpan UptimeOf(ConnectionInfo connection, DateTimeOffset now) => (connection.StoppedAt ?? now) - connection.StartedAt;
}
