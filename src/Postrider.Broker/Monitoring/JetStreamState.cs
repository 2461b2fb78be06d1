namespace Postrider.Broker.Monitoring;

/// <summary>The state of a broker's streams.</summary>
/// <param name="Settings">The settings of JetStream.</param>
/// <param name="Use">The resources that they use.</param>
/// <param name="Streams">Streams.</param>
/// <param name="Consumers">Consumers of all streams.</param>
/// <param name="Messages">Messages in all streams.</param>
/// <param name="Bytes">Their size in bytes.</param>
public sealed record JetStreamState(JetStreamSettings Settings, JetStreamStats Use, int Streams, int Consumers, long Messages, long Bytes)
{
    /// <summary>Streams that are read-only because of a disk error.</summary>
    public int ReadOnlyStreams { get; init; }

    /// <summary>Streams and consumers whose files cannot be read.</summary>
    public int NotRecovered { get; init; }

    /// <summary>Losses found since the start in served streams and consumers.</summary>
    public int Losses { get; init; }

    /// <summary>Bytes of memory for the indexes of full blocks.</summary>
    public long IndexBytes { get; init; }

    /// <summary>Maximum number of bytes of memory for them: <see cref="JetStreamOptions.IndexCacheBytes"/>.</summary>
    public long MaxIndexBytes { get; init; }

    /// <summary>The progress of the recovery, or the streams that could not be read; null if there is nothing to report.</summary>
    public string? Recovery { get; init; }
}
