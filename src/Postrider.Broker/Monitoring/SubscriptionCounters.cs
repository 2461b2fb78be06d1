namespace Postrider.Broker.Monitoring;

/// <summary>Counters of a subject tree and its caches.</summary>
public sealed record SubscriptionCounters
{
    /// <summary>Subscriptions in the tree.</summary>
    public int Subscriptions { get; init; }

    /// <summary>Subjects whose match result is cached.</summary>
    public int Cached { get; init; }

    /// <summary>Subscriptions ever added.</summary>
    public ulong Inserts { get; init; }

    /// <summary>Subscriptions ever removed.</summary>
    public ulong Removes { get; init; }

    /// <summary>Subjects ever matched, from the cache or the tree.</summary>
    public ulong Matches { get; init; }

    /// <summary>Share of matches answered from the cache, 0 to 1.</summary>
    public double CacheHitRate { get; init; }

    /// <summary>Maximum number of subscriptions of any cached subject.</summary>
    public int MaxFanout { get; init; }

    /// <summary>Average subscriptions of the cached subjects.</summary>
    public double AverageFanout { get; init; }
}
