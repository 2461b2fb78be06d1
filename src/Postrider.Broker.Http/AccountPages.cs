using System.Text.Json.Nodes;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>The pages <c>/accountz</c> and <c>/accstatz</c> of a broker whose clients all share one account.</summary>
internal sealed class AccountPages(IBrokerState state)
{
    private const string GlobalAccount = "$G";

    /// <summary>The names of the accounts, or one account in detail; null when there is no such account.</summary>
    /// <param name="account">The account, or empty for the names.</param>
    internal JsonObject? ReadAccountz(string account)
    {
        if (account is not ("" or GlobalAccount))
            return null;
        var page = Begin();
        if (account.Length == 0)
            page["accounts"] = new JsonArray(GlobalAccount);
        else
            page["account_detail"] = Detail();
        return page;
    }

    /// <summary>What each account did.</summary>
    /// <param name="unused">Whether accounts without connections are shown.</param>
    internal JsonObject ReadAccstatz(bool unused)
    {
        var counters = state.ReadCounters();
        var page = Begin();
        page["account_statz"] = counters.Connections > 0 || unused ? new JsonArray(Statistics(counters)) : new JsonArray();
        return page;
    }

    private JsonObject Begin() => new()
    {
        ["server_id"] = state.ServerId,
        ["now"] = state.Options.TimeProvider.GetUtcNow().UtcDateTime,
    };

    private JsonObject Detail()
    {
        var subjects = state.ReadSubscriptionCounters(GlobalAccount);
        return new()
        {
            ["account_name"] = GlobalAccount,
            ["update_time"] = state.StartedAt.UtcDateTime,
            ["expired"] = false,
            ["complete"] = true,
            ["jetstream_enabled"] = false,
            ["leafnode_connections"] = 0,
            ["client_connections"] = state.ReadCounters().Connections,
            ["subscriptions"] = subjects.Subscriptions,
            ["name_tag"] = GlobalAccount,
            ["sublist_stats"] = new JsonObject
            {
                ["num_subscriptions"] = subjects.Subscriptions,
                ["num_cache"] = subjects.Cached,
                ["num_inserts"] = subjects.Inserts,
                ["num_removes"] = subjects.Removes,
                ["num_matches"] = subjects.Matches,
                ["cache_hit_rate"] = subjects.CacheHitRate,
                ["max_fanout"] = subjects.MaxFanout,
                ["avg_fanout"] = subjects.AverageFanout,
            },
        };
    }

    private static JsonObject Statistics(BrokerCounters counters) => new()
    {
        ["acc"] = GlobalAccount,
        ["name"] = GlobalAccount,
        ["conns"] = counters.Connections,
        ["leafnodes"] = 0,
        ["total_conns"] = counters.Connections,
        ["num_subscriptions"] = counters.Subscriptions,
        ["sent"] = Traffic(counters.OutMessages, counters.OutBytes),
        ["received"] = Traffic(counters.InMessages, counters.InBytes),
        ["slow_consumers"] = counters.SlowConsumers,
    };

    private static JsonObject Traffic(long messages, long bytes) => new()
    {
        ["msgs"] = messages,
        ["bytes"] = bytes,
        ["gateways"] = new JsonObject { ["msgs"] = 0, ["bytes"] = 0 },
        ["routes"] = new JsonObject { ["msgs"] = 0, ["bytes"] = 0 },
        ["leafs"] = new JsonObject { ["msgs"] = 0, ["bytes"] = 0 },
    };
}
