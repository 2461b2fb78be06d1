namespace Postrider.Broker.Streams;

/// <summary>Messages of a batch that is not committed yet.</summary>
internal sealed class AtomicBatch
{
    /// <summary>The messages in their order.</summary>
    public List<(byte[] Subject, byte[] Headers, byte[] Payload)> Messages { get; } = [];

    /// <summary>When the batch is given up, nanoseconds since 1970.</summary>
    public long Deadline { get; set; }

    /// <summary>Adds a copy of a message.</summary>
    public void Add(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
        => Messages.Add((subject.ToArray(), headers.ToArray(), payload.ToArray()));
}
