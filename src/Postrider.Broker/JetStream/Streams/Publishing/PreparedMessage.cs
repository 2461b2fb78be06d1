namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>A message that passed every check, in the form in which it will be stored. Its spans belong to the caller.</summary>
internal ref struct PreparedMessage
{
    public ReadOnlySpan<byte> Subject;
    public ReadOnlySpan<byte> Headers;
    public ReadOnlySpan<byte> Payload;

    /// <summary>The key of its id; empty when it has none.</summary>
    public string MessageId;

    /// <summary>The counter's new sum; empty when there is no counter.</summary>
    public string Sum;

    /// <summary>The time to live in seconds; 0 for no expiry.</summary>
    public uint Seconds;

    /// <summary>The messages that it replaces.</summary>
    public RollupKind Rollup;

    /// <summary>Whether it is a schedule, or ends one.</summary>
    public bool HasSchedule;

    /// <summary>Whether no consumer needs it: it gets a sequence, and nothing is stored.</summary>
    public bool IsSkipped;
}
