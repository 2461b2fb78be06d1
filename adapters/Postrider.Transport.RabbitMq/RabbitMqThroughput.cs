namespace Postrider.Transport.RabbitMq;

/// <summary>The throughput profile: how much is under way at once.</summary>
public sealed record RabbitMqThroughput
{
    /// <summary>Number of publishes whose confirmation is awaited at once; the next one waits. 256 by default: awaited one by one, a
    /// publish costs a round trip and a write to the disk.</summary>
    public int MaxUnconfirmed { get; set; } = 256;

    /// <summary>Number of messages that a listener has at hand for each one that it handles. 2 by default: one in work, one waiting.</summary>
    public int PrefetchFactor { get; set; } = 2;
}
