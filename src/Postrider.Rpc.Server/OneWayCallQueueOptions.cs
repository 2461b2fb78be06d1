namespace Postrider.Rpc.Server;

/// <summary>How much of what callers do not wait for may be under way.</summary>
public sealed class OneWayCallQueueOptions
{
    /// <summary>How many may wait; one more is refused with status 429 and <c>Retry-After</c>.</summary>
    public int MaxWaiting { get; init; } = 10_000;

    /// <summary>How many are handled at once.</summary>
    public int MaxRunning { get; init; } = 64;
}
