namespace Postrider.Flow.Outcomes;

/// <summary>One item that has finally failed.</summary>
/// <param name="Index">The item's index in the source, from 0.</param>
/// <param name="Exception">The exception of the last attempt.</param>
/// <param name="Reason">The reason of the failure.</param>
/// <param name="Attempts">Attempts made.</param>
public sealed record FlowFailure(long Index, Exception Exception, OutcomeReason Reason, int Attempts);
