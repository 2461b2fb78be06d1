namespace Postrider.Transport.Kafka;

/// <summary>The servers that must have stored a message before its send completes.</summary>
public enum KafkaAcks
{
    /// <summary>All replicas that are in sync (<c>acks=all</c>); with the topic's <c>min.insync.replicas</c>, the loss of a server loses
    /// no message.</summary>
    All,

    /// <summary>The partition's leader (<c>acks=1</c>): a message that it stored may be lost with it. Needs
    /// <see cref="KafkaThroughput.Idempotence"/> off.</summary>
    Leader,
}
