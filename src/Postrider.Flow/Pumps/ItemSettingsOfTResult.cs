using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>The options that depend on the item and create a result. Immutable.</summary>
/// <typeparam name="TItem">The source's items.</typeparam>
/// <typeparam name="TResult">The body's result.</typeparam>
internal sealed class ItemSettings<TItem, TResult> : ItemSettings<TItem>
{
    public Func<TItem, FlowFailure, TResult>? Fallback { get; init; }
}
