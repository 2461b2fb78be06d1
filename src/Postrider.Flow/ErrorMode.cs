namespace Postrider.Flow;

/// <summary>What happens to the operation when an item has finally failed.</summary>
public enum ErrorMode
{
    /// <summary>The operation stops, cancels the items in flight and throws the item's exception unchanged.</summary>
    Stop,

    /// <summary>The other items run; at the end a <see cref="Outcomes.FlowFailuresException"/> contains all failures and the successful
    /// results.</summary>
    Collect,

    /// <summary>The other items run; only successful results are returned, and failures are visible to hooks and counters.</summary>
    Skip,
}
