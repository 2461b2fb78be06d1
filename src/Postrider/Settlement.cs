namespace Postrider;

/// <summary>How a delivery ends, decided by the <c>DeliveryProcessor</c> and carried out by the transport.</summary>
/// <param name="Kind">The outcome for the message.</param>
public readonly record struct Settlement(SettlementKind Kind)
{
    /// <summary>For <see cref="SettlementKind.Retry"/>: how long the transport waits before the next delivery; zero for immediately.</summary>
    public TimeSpan Delay { get; init; }

    /// <summary>Of <see cref="SettlementKind.DeadLetter"/>: why.</summary>
    public DeadLetterReason Reason { get; init; }

    /// <summary>Of <see cref="SettlementKind.DeadLetter"/>: the headers of the dead letter, for a transport that stores it by settling the
    /// message; null if it is stored already, or dropped.</summary>
    public Headers? Headers { get; init; }
}
