namespace Postrider.Transport.Kafka;

/// <summary>How batches are compressed on their way and in the log.</summary>
public enum KafkaCompression
{
    /// <summary>Not at all.</summary>
    None,

    /// <summary>gzip: the only one that Event Hubs supports.</summary>
    Gzip,

    /// <summary>Snappy.</summary>
    Snappy,

    /// <summary>LZ4: little processor time for a good ratio.</summary>
    Lz4,

    /// <summary>Zstandard: the best ratio.</summary>
    Zstd,
}
