using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Flow.Pumps;
using Postrider.Resilience;

namespace Postrider.Flow;

/// <summary>Options that look at the item. An operator over other items refuses them before it starts.</summary>
/// <typeparam name="TItem">The source's items.</typeparam>
public record FlowOptions<TItem> : FlowOptions
{
    /// <summary>Items of one key run one after the other in the source's order, those of different keys side by side.</summary>
    public ItemKey<TItem>? Key { get; init; }

    /// <summary>Permits of the rate limit that an attempt takes; without it one.</summary>
    public Func<TItem, int>? Cost { get; init; }

    /// <summary>Weight of the item in the bulkhead; without it one.</summary>
    public Func<TItem, long>? Weight { get; init; }

    /// <summary>The rate limit of an item, such as one per host from a <see cref="PerKey{TKey, TGate}"/>; in place of the common one, and
    /// null means none.</summary>
    public Func<TItem, RateLimiter?>? RateLimitFor { get; init; }

    /// <summary>The breaker of an item, such as one per host from a <see cref="PerKey{TKey, TGate}"/>; in place of the common one, and
    /// null means none.</summary>
    public Func<TItem, CircuitBreaker?>? CircuitBreakerFor { get; init; }

    private protected override object? ItemParts => new ItemSettings<TItem>
    {
        Key = Key,
        Cost = Cost,
        Weight = Weight,
        RateLimitFor = RateLimitFor,
        CircuitBreakerFor = CircuitBreakerFor,
    };

    private protected override void Validate()
    {
        base.Validate();
        if (Weight is not null && Bulkhead is null)
            throw new ArgumentException("FlowOptions.Weight is set, but Bulkhead, which uses it, is not.");
        if (Cost is not null && RateLimit is null && RateLimitFor is null)
            throw new ArgumentException("FlowOptions.Cost is set, but neither RateLimit nor RateLimitFor, which use it, is.");
    }
}

/// <summary>Options that look at the item and make a result.</summary>
/// <typeparam name="TItem">The source's items.</typeparam>
/// <typeparam name="TResult">The body's results.</typeparam>
public record FlowOptions<TItem, TResult> : FlowOptions<TItem>
{
    /// <summary>Makes the result of an item that failed for good; the item then counts as well ended.</summary>
    public Func<TItem, FlowFailure, TResult>? Fallback { get; init; }

    private protected override object? ItemParts => Fallback is null ? base.ItemParts : new ItemSettings<TItem, TResult>
    {
        Key = Key,
        Cost = Cost,
        Weight = Weight,
        RateLimitFor = RateLimitFor,
        CircuitBreakerFor = CircuitBreakerFor,
        Fallback = Fallback,
    };
}
