namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>A message that passed every check, in the form in which it will be stored. Its spans belong to the caller.</summary>
internal ref struct PreparedMessage
{
    public ReadOnlySpan<byte> Subject;
    public ReadOnlySpan<byte> Headers;
    public ReadOnlySpan<byte> Payload;

    /// <summary>Its id; empty when it has none.</summary>
    public ReadOnlySpan<byte> MessageId;

    /// <summary>The counter's new sum; empty when there is no counter.</summary>
    public string Sum;

    /// <summary>The time to live in seconds; 0 for no expiry.</summary>
    public uint Seconds;

    /// <summary>The sequence that it has to get; 0 for the next one.</summary>
    public ulong Sequence;

    /// <summary>Its time in nanoseconds since 1970; 0 for now.</summary>
    public long Timestamp;

    /// <summary>Whether it comes from another stream, which checked it.</summary>
    public bool IsCopy;

    /// <summary>The messages that it replaces.</summary>
    public RollupKind Rollup;

    /// <summary>Whether it is a schedule, or ends one.</summary>
    public bool HasSchedule;

    /// <summary>Whether it is a copy that may end a schedule whose copy this stream holds.</summary>
    public bool EndsSchedule;

    /// <summary>Whether no consumer needs it: it gets a sequence, and nothing is stored.</summary>
    public bool IsSkipped;
}
