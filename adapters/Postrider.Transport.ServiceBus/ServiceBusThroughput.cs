namespace Postrider.Transport.ServiceBus;

/// <summary>The throughput profile: limits of concurrent work.</summary>
public sealed record ServiceBusThroughput
{
    /// <summary>Number of pending transfers to a queue or topic. 16 by default; from 1 to 1000. Further messages
    /// wait and are sent as a batch.</summary>
    public int MaxTransfers { get; set; } = 16;

    /// <summary>The largest number of messages in a batch. 100 by default; 1 sends each message alone. A batch holds messages of one key
    /// or without keys only, and never more bytes than the service accepts.</summary>
    public int MaxBatch { get; set; } = 100;

    /// <summary>Number of messages that a listener holds for each one that it handles. 2 by default: one being handled, one waiting. Their
    /// locks are renewed while they wait.</summary>
    public int PrefetchFactor { get; set; } = 2;
}
