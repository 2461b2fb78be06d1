namespace Postrider.Flow.Gates;

/// <summary>Starts a further attempt when one has not answered in time; the first success counts, the others are cancelled.</summary>
/// <remarks>For bodies that may run twice. The attempts run in the item's slot, beside the concurrency limit, and every gate
/// counts them as one; the item's timeout covers them all. When all fail the first one's exception is the item's. A body that
/// blocks before its first await is not hedged. Immutable.</remarks>
public record Hedge
{
    /// <summary>How long an attempt may take before the next is started beside it; 1 s by default, zero starts all at once.</summary>
    public TimeSpan Delay { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Attempts at once at most, the first included; at least 2, the default.</summary>
    public int MaxAttempts { get; init; } = 2;

    internal void Validate()
    {
        if (Delay < TimeSpan.Zero)
            throw new ArgumentException($"Hedge.Delay is {Delay}; it must not be negative.");
        if (Delay > Timers.Longest)
            throw new ArgumentException($"Hedge.Delay is {Delay}; timers end at {Timers.Longest}.");
        if (MaxAttempts < 2)
            throw new ArgumentException($"Hedge.MaxAttempts is {MaxAttempts}; one attempt is no hedge, it must be at least 2.");
    }
}
