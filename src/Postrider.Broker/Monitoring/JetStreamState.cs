namespace Postrider.Broker.Monitoring;

/// <summary>What a broker tells of its streams.</summary>
/// <param name="Settings">How they are stored.</param>
/// <param name="Use">What they use.</param>
/// <param name="Streams">Streams.</param>
/// <param name="Consumers">Consumers of all streams.</param>
/// <param name="Messages">Messages in all streams.</param>
/// <param name="Bytes">Their bytes.</param>
public sealed record JetStreamState(JetStreamSettings Settings, JetStreamStats Use, int Streams, int Consumers, long Messages, long Bytes)
{
    /// <summary>Streams that the disk made read-only.</summary>
    public int ReadOnlyStreams { get; init; }

    /// <summary>Streams and consumers whose files cannot be read.</summary>
    public int NotRecovered { get; init; }

    /// <summary>Losses that were found since the start in streams and consumers that are served.</summary>
    public int Losses { get; init; }

    /// <summary>Bytes of memory for the indexes of full blocks.</summary>
    public long IndexBytes { get; init; }

    /// <summary>Most bytes of memory for them: <see cref="JetStreamOptions.IndexCacheBytes"/>.</summary>
    public long MaxIndexBytes { get; init; }

    /// <summary>How far reading the streams has come, or what could not be read; null when all is well.</summary>
    public string? Recovery { get; init; }
}
