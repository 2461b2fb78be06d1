namespace Postrider.Broker.JetStream.Snapshots;

/// <summary>One entry of an archive.</summary>
/// <param name="name">A message's subject, or the name of a document; empty ends the archive.</param>
/// <param name="sequence">A message's sequence; 0 for documents.</param>
/// <param name="timestamp">Nanoseconds since 1970.</param>
/// <param name="headers">A message's header block, or empty.</param>
/// <param name="payload">The payload or the document.</param>
/// <remarks>Slices of the input: valid as long as it is.</remarks>
internal readonly ref struct SnapshotEntry(ReadOnlySpan<byte> name, ulong sequence, long timestamp, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
{
    /// <summary>The name.</summary>
    public ReadOnlySpan<byte> Name { get; } = name;

    /// <summary>The sequence.</summary>
    public ulong Sequence { get; } = sequence;

    /// <summary>Nanoseconds since 1970.</summary>
    public long Timestamp { get; } = timestamp;

    /// <summary>The header block, or empty.</summary>
    public ReadOnlySpan<byte> Headers { get; } = headers;

    /// <summary>The payload.</summary>
    public ReadOnlySpan<byte> Payload { get; } = payload;

    /// <summary>Whether it is the last entry: an archive without it is truncated.</summary>
    public bool IsEnd => Name.IsEmpty && Sequence == 0 && Timestamp == 0 && Headers.IsEmpty && Payload.IsEmpty;
}
