namespace Postrider.Flow;

/// <summary>What an item that failed for good does to the operation.</summary>
public enum ErrorMode
{
    /// <summary>The operation stops, cancels what is in flight and throws the item's exception as it is.</summary>
    Stop,

    /// <summary>The rest runs; at the end a <see cref="Outcomes.FlowFailuresException"/> brings all failures and the good results.</summary>
    Collect,

    /// <summary>The rest runs; the results are those there are, failures are seen by hooks and counters.</summary>
    Skip,
}
