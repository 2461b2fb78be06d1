using Postrider.Flow.Outcomes;
using Postrider.Flow.Pumps;

namespace Postrider.Flow;

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
        BreakerFor = BreakerFor,
        Fallback = Fallback,
    };
}
