namespace Postrider.Transport.Nats;

/// <summary>The throughput profile: limits of concurrent work.</summary>
public sealed record NatsThroughput
{
    /// <summary>Number of messages that are sent to streams and not yet acknowledged; the next one waits. 256 by default. Messages to
    /// subjects without a stream are not acknowledged and do not count.</summary>
    public int MaxInFlight { get; set; } = 256;

    /// <summary>Number of messages that a listener requests from its consumer for each one that it handles at the same time. 1 by default: a
    /// process that stops returns few messages. Higher values help if handlers are faster than the network.</summary>
    public int PrefetchFactor { get; set; } = 1;
}
