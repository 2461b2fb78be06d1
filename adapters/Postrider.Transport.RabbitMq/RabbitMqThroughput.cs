namespace Postrider.Transport.RabbitMq;

/// <summary>The throughput profile: limits of concurrent work.</summary>
public sealed record RabbitMqThroughput
{
    /// <summary>Number of unconfirmed publishes; the next one waits. 256 by default: awaited one by one, a
    /// publish costs a round trip and a write to the disk.</summary>
    public int MaxUnconfirmed { get; set; } = 256;

    /// <summary>Number of messages that a listener holds for each one that it handles. 2 by default: one being handled, one waiting.</summary>
    public int PrefetchFactor { get; set; } = 2;
}
