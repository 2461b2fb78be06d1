using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The page <c>/subsz</c>: counters of the subject tree and, if requested, the subscriptions.</summary>
public sealed record SubszPage
{
    /// <summary>The broker's generated public key.</summary>
    [JsonPropertyName("server_id")] public required string ServerId { get; init; }

    /// <summary>When this was read.</summary>
    [JsonPropertyName("now")] public required DateTime Now { get; init; }

    /// <summary>Current subscriptions.</summary>
    [JsonPropertyName("num_subscriptions")] public required int Subscriptions { get; init; }

    /// <summary>Subjects whose match result is cached.</summary>
    [JsonPropertyName("num_cache")] public required int Cached { get; init; }

    /// <summary>Subscriptions ever added.</summary>
    [JsonPropertyName("num_inserts")] public required ulong Inserts { get; init; }

    /// <summary>Subscriptions ever removed.</summary>
    [JsonPropertyName("num_removes")] public required ulong Removes { get; init; }

    /// <summary>Subjects ever matched.</summary>
    [JsonPropertyName("num_matches")] public required ulong Matches { get; init; }

    /// <summary>Share of matches answered from the cache, 0 to 1.</summary>
    [JsonPropertyName("cache_hit_rate")] public required double CacheHitRate { get; init; }

    /// <summary>Maximum number of subscriptions of any cached subject.</summary>
    [JsonPropertyName("max_fanout")] public required int MaxFanout { get; init; }

    /// <summary>Average subscriptions of the cached subjects.</summary>
    [JsonPropertyName("avg_fanout")] public required double AverageFanout { get; init; }

    /// <summary>Subscriptions that match the filters; zero when the list was not requested.</summary>
    [JsonPropertyName("total")] public required int Total { get; init; }

    /// <summary>Where the range begins.</summary>
    [JsonPropertyName("offset")] public required int Offset { get; init; }

    /// <summary>Maximum number of subscriptions on a page.</summary>
    [JsonPropertyName("limit")] public required int Limit { get; init; }

    /// <summary>The subscriptions; absent when there are none or they were not requested.</summary>
    [JsonPropertyName("subscriptions_list")] public IReadOnlyList<SubscriptionDetail>? List { get; init; }
}
