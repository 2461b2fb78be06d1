using System.Runtime.CompilerServices;

namespace Postrider.Storage.Records;

/// <summary>A message returned by a store.</summary>
/// <remarks>The spans point into the store's memory: valid until the next call on the same store. Not copied.</remarks>
internal ref struct StoredMessage
{
    /// <summary>Creates a message from its parts.</summary>
    /// <param name="sequence">Its sequence.</param>
    /// <param name="timestamp">Nanoseconds since 1970.</param>
    /// <param name="timeToLiveSeconds">Time to live in seconds; 0 = no expiry.</param>
    /// <param name="subject">UTF-8.</param>
    /// <param name="headers">The NATS header block, or empty.</param>
    /// <param name="payload">The payload.</param>
    public StoredMessage(
        ulong sequence, long timestamp, uint timeToLiveSeconds, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
        => Set(out this, sequence, timestamp, timeToLiveSeconds, subject, headers, payload);

    /// <summary>Its sequence in the stream.</summary>
    public ulong Sequence { readonly get; private set; }

    /// <summary>Nanoseconds since 1970.</summary>
    public long Timestamp { readonly get; private set; }

    /// <summary>Time to live in seconds after <see cref="Timestamp"/>; 0 = no expiry.</summary>
    public uint TimeToLiveSeconds { readonly get; private set; }

    /// <summary>UTF-8 subject.</summary>
    public ReadOnlySpan<byte> Subject { readonly get; private set; }

    /// <summary>The NATS header block with its first and last line, or empty.</summary>
    public ReadOnlySpan<byte> Headers { readonly get; private set; }

    /// <summary>The payload.</summary>
    public ReadOnlySpan<byte> Payload { readonly get; private set; }

    /// <summary>Sets a message part by part, in its place.</summary>
    /// <remarks>One that is created first and then copied is read by loads that are wider than the stores before them, for which
    /// the processor waits: 2 % of the time of a delivery.</remarks>
    /// <param name="message">The message.</param>
    /// <param name="sequence">Its sequence.</param>
    /// <param name="timestamp">Nanoseconds since 1970.</param>
    /// <param name="timeToLiveSeconds">Time to live in seconds; 0 = no expiry.</param>
    /// <param name="subject">UTF-8.</param>
    /// <param name="headers">The NATS header block, or empty.</param>
    /// <param name="payload">The payload.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Set(
        out StoredMessage message,
        ulong sequence,
        long timestamp,
        uint timeToLiveSeconds,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload)
    {
        Unsafe.SkipInit(out message);
        message.Sequence = sequence;
        message.Timestamp = timestamp;
        message.TimeToLiveSeconds = timeToLiveSeconds;
        message.Subject = subject;
        message.Headers = headers;
        message.Payload = payload;
    }
}
