namespace Postrider.Flow.Outcomes;

/// <summary>One item that failed for good.</summary>
/// <param name="Index">The item's place in the source, from 0.</param>
/// <param name="Exception">What the last attempt ended with.</param>
/// <param name="Reason">How it ended.</param>
/// <param name="Attempts">Attempts made.</param>
public sealed record FlowFailure(long Index, Exception Exception, OutcomeReason Reason, int Attempts);
