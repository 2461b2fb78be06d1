namespace Postrider.Transport.Kafka;

/// <summary>The poison profile: limits that protect the servers and the receivers from messages that cannot be handled.</summary>
public sealed record KafkaPoison
{
    /// <summary>The largest body in bytes that is sent. 1,000,000 by default: with its headers it must fit in the topic's
    /// <c>max.message.bytes</c>, which is 1 MiB unless it was changed.</summary>
    public int MaxBodyBytes { get; set; } = 1_000_000;
}
