using Postrider.Flow.Gates;
using Postrider.Resilience;

namespace Postrider.Flow.Pumps;

/// <summary>The options that depend on the item. Immutable.</summary>
/// <typeparam name="TItem">The source's items.</typeparam>
internal class ItemSettings<TItem>
{
    public ItemKey<TItem>? Key { get; init; }

    public Func<TItem, int>? Cost { get; init; }

    public Func<TItem, long>? Weight { get; init; }

    public Func<TItem, RateLimiter?>? RateLimitFor { get; init; }

    public Func<TItem, CircuitBreaker?>? CircuitBreakerFor { get; init; }
}
