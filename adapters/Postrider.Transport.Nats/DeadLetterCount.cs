namespace Postrider.Transport.Nats;

/// <summary>How many dead letters were changed, as JSON.</summary>
internal sealed record DeadLetterCount
{
    public long Count { get; init; }
}
