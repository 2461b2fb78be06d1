namespace Postrider.Storage.Records;

/// <summary>A message returned by a store.</summary>
/// <param name="sequence">Its sequence.</param>
/// <param name="timestamp">Nanoseconds since 1970.</param>
/// <param name="timeToLiveSeconds">Time to live in seconds; 0 = no expiry.</param>
/// <param name="subject">UTF-8.</param>
/// <param name="headers">The NATS header block, or empty.</param>
/// <param name="payload">The payload.</param>
/// <remarks>The spans point into the store's memory: valid until the next call on the same store. Not copied.</remarks>
internal readonly ref struct StoredMessage(
    ulong sequence,
    long timestamp,
    uint timeToLiveSeconds,
    ReadOnlySpan<byte> subject,
    ReadOnlySpan<byte> headers,
    ReadOnlySpan<byte> payload)
{
    /// <summary>Its sequence in the stream.</summary>
    public ulong Sequence { get; } = sequence;

    /// <summary>Nanoseconds since 1970.</summary>
    public long Timestamp { get; } = timestamp;

    /// <summary>Time to live in seconds after <see cref="Timestamp"/>; 0 = no expiry.</summary>
    public uint TimeToLiveSeconds { get; } = timeToLiveSeconds;

    /// <summary>UTF-8 subject.</summary>
    public ReadOnlySpan<byte> Subject { get; } = subject;

    /// <summary>The NATS header block with its first and last line, or empty.</summary>
    public ReadOnlySpan<byte> Headers { get; } = headers;

    /// <summary>The payload.</summary>
    public ReadOnlySpan<byte> Payload { get; } = payload;
}
