using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Flow.Pumps;
using Postrider.Resilience;

namespace Postrider.Flow;

/// <summary>Options that depend on the item. An operator over items of another type rejects them before it starts.</summary>
/// <typeparam name="TItem">The source's items.</typeparam>
public record FlowOptions<TItem> : FlowOptions
{
    /// <summary>Items with the same key run one after another in the source's order; items with different keys run concurrently.</summary>
    public ItemKey<TItem>? Key { get; init; }

    /// <summary>Permits of the rate limit that an attempt takes; one by default.</summary>
    public Func<TItem, int>? Cost { get; init; }

    /// <summary>Weight of the item in the bulkhead; one by default.</summary>
    public Func<TItem, long>? Weight { get; init; }

    /// <summary>The rate limit of an item, such as one per host from a <see cref="PerKey{TKey, TGate}"/>; it replaces the common one,
    /// and null means none.</summary>
    public Func<TItem, RateLimiter?>? RateLimitFor { get; init; }

    /// <summary>The breaker of an item, such as one per host from a <see cref="PerKey{TKey, TGate}"/>; it replaces the common one, and
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

/// <summary>Options that depend on the item and its result.</summary>
/// <typeparam name="TItem">The source's items.</typeparam>
/// <typeparam name="TResult">The body's results.</typeparam>
public record FlowOptions<TItem, TResult> : FlowOptions<TItem>
{
    /// <summary>Creates the result of an item that has finally failed; the item then counts as completed.</summary>
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
