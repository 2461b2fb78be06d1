using System.Globalization;
using System.Text.Json.Nodes;
using Postrider.Broker.Accounts;

namespace Postrider.Broker.Monitoring;

/// <summary>The pages <c>/accountz</c> and <c>/accstatz</c>.</summary>
internal sealed class AccountPages(IBrokerState state)
{
    /// <summary>The names of the accounts, or one account in detail; null when there is no such account.</summary>
    /// <param name="account">The account, or empty for the names.</param>
    internal JsonObject? ReadAccountz(string account)
    {
        var accounts = state.ReadAccounts();
        var page = Begin();
        if (state.SystemAccount is { } system) page["system_account"] = system;
        if (account.Length == 0)
        {
            page["accounts"] = new JsonArray([.. accounts.Select(static one => (JsonNode)one.Name)]);
            return page;
        }
        if (accounts.FirstOrDefault(one => one.Name == account) is not { } found) return null;
        page["account_detail"] = Detail(found);
        return page;
    }

    /// <summary>The traffic of each account.</summary>
    /// <param name="unused">Whether accounts without connections are shown.</param>
    /// <param name="names">Only accounts with these names; empty for all.</param>
    internal JsonObject ReadAccstatz(bool unused, IReadOnlyList<string> names)
    {
        var page = Begin();
        var shown = state.ReadAccounts().Where(account => (unused || account.Connections + account.LeafNodes > 0) && (names.Count == 0 || names.Contains(account.Name, StringComparer.Ordinal)));
        page["account_statz"] = new JsonArray([.. shown.Select(Statistics)]);
        return page;
    }

    /// <summary>One account's connections and traffic.</summary>
    internal static JsonObject Statistics(AccountState account) => new()
    {
        ["acc"] = account.Name,
        ["name"] = account.NameTag ?? account.Name,
        ["conns"] = account.Connections,
        ["leafnodes"] = account.LeafNodes,
        ["total_conns"] = account.Connections + account.LeafNodes,
        ["num_subscriptions"] = account.Subscriptions,
        ["sent"] = Traffic(account.OutMessages, account.OutBytes, Sent(account.RouteTraffic), Sent(account.LeafNodeTraffic)),
        ["received"] = Traffic(account.InMessages, account.InBytes, Received(account.RouteTraffic), Received(account.LeafNodeTraffic)),
        ["slow_consumers"] = account.SlowConsumers,
    };

    private JsonObject Begin() => new()
    {
        ["server_id"] = state.ServerId,
        ["now"] = state.Options.TimeProvider.GetUtcNow().UtcDateTime,
    };

    private JsonObject Detail(AccountState account)
    {
        var subjects = state.ReadSubscriptionCounters(account.Name);
        var detail = new JsonObject
        {
            ["account_name"] = account.Name,
            ["update_time"] = account.UpdatedAt.UtcDateTime,
        };
        if (account.IsSystem) detail["is_system"] = true;
        detail["expired"] = account.Trusted?.IsExpired ?? false;
        detail["complete"] = account.Trusted is not { } trusted || trusted.Claims.Imports.Count == account.Imports.Count + account.InvalidImports.Count;
        detail["jetstream_enabled"] = account.JetStream;
        detail["leafnode_connections"] = account.LeafNodes;
        detail["client_connections"] = account.Connections;
        detail["subscriptions"] = account.Subscriptions;
        if (account.Mappings.Count > 0) detail["mappings"] = Mappings(account.Mappings);
        if (SharingJson.Exports(account, state) is { Count: > 0 } exports) detail["exports"] = exports;
        if (SharingJson.Imports(account, state) is { Count: > 0 } imports) detail["imports"] = imports;
        detail["name_tag"] = account.NameTag ?? account.Name;
        if (account.Trusted is { } token) TrustedAccountJson.Add(detail, token, state.Options.TimeProvider.GetUtcNow());
        detail["sublist_stats"] = new JsonObject
        {
            ["num_subscriptions"] = subjects.Subscriptions,
            ["num_cache"] = subjects.Cached,
            ["num_inserts"] = subjects.Inserts,
            ["num_removes"] = subjects.Removes,
            ["num_matches"] = subjects.Matches,
            ["cache_hit_rate"] = subjects.CacheHitRate,
            ["max_fanout"] = subjects.MaxFanout,
            ["avg_fanout"] = subjects.AverageFanout,
        };
        if (SharingJson.Responses(account) is { Count: > 0 } responses) detail["responses"] = responses;
        return detail;
    }

    private static JsonObject Mappings(IReadOnlyList<SubjectMappingOptions> mappings)
    {
        var described = new JsonObject();
        foreach (var mapping in mappings)
        {
            // As in nats-server: each has the sum of the weights so far, and the remaining weight belongs to the source.
            var (destinations, sum) = (new JsonArray(), 0);
            foreach (var (subject, weight) in WithRest(mapping).OrderBy(static destination => destination.Weight))
                destinations.Add((JsonNode)new JsonObject { ["subject"] = subject, ["weight"] = sum += weight });
            described[mapping.Source] = destinations;
        }
        return described;
    }

    private static IEnumerable<(string Subject, int Weight)> WithRest(SubjectMappingOptions mapping)
    {
        foreach (var destination in mapping.Destinations) yield return (destination.Subject, destination.Weight);
        var rest = 100 - mapping.Destinations.Sum(static destination => destination.Weight);
        if (rest == 0 || mapping.Destinations.Any(destination => destination.Subject == mapping.Source)) yield break;
        var wildcards = 0;
        yield return (string.Join('.', mapping.Source.Split('.').Select(token => token == "*" ? string.Create(CultureInfo.InvariantCulture, $"${++wildcards}") : token)), rest);
    }

    private static JsonObject Traffic(long messages, long bytes, JsonObject routes, JsonObject leafs) => new()
    {
        ["msgs"] = messages,
        ["bytes"] = bytes,
        ["gateways"] = Sum(0, 0),
        ["routes"] = routes,
        ["leafs"] = leafs,
    };

    private static JsonObject Sent(AccountCounters counters) => Sum(counters.OutMessages, counters.OutBytes);

    private static JsonObject Received(AccountCounters counters) => Sum(counters.InMessages, counters.InBytes);

    private static JsonObject Sum(long messages, long bytes) => new() { ["msgs"] = messages, ["bytes"] = bytes };
}
