namespace Postrider.Transport.Kafka;

/// <summary>The throughput profile: how messages are collected into batches, and limits of concurrent work.</summary>
public sealed record KafkaThroughput
{
    /// <summary>How long a message waits for others to share a batch with. 5 ms by default; from 0 to 1 minute. A sender that awaits each
    /// message pays this time for each.</summary>
    public TimeSpan Linger { get; set; } = TimeSpan.FromMilliseconds(5);

    /// <summary>The largest batch in bytes. 1 MB by default.</summary>
    public int BatchBytes { get; set; } = 1_000_000;

    /// <summary>Number of messages that wait for their confirmation, over all routes; further sends wait. 100,000 by default.</summary>
    public int MaxUnconfirmed { get; set; } = 100_000;

    /// <summary>How batches are compressed. <see cref="KafkaCompression.Lz4"/> by default.</summary>
    public KafkaCompression Compression { get; set; } = KafkaCompression.Lz4;

    /// <summary>The servers that must have stored a message before its send completes. <see cref="KafkaAcks.All"/> by default.</summary>
    public KafkaAcks Acks { get; set; } = KafkaAcks.All;

    /// <summary>Whether the server recognizes a batch that was sent again because its confirmation was lost, and keeps the order of the
    /// batches. True by default.</summary>
    public bool Idempotence { get; set; } = true;

    /// <summary>Number of messages of a partition that a listener has read and not finished; the partition pauses at this number and resumes
    /// on at half of it. 500 by default.</summary>
    public int MaxUnsettled { get; set; } = 500;

    /// <summary>Bytes that a listener reads ahead for each partition, and the maximum of one response. 1 MB by default.</summary>
    public int ReadAheadBytes { get; set; } = 1_000_000;
}
