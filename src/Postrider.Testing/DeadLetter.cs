using Postrider.Envelopes;

namespace Postrider.Testing;

/// <summary>A message that was given up.</summary>
/// <param name="Message">The message; null if its bytes could not be read.</param>
/// <param name="Source">The source from which it arrived.</param>
/// <param name="Destination">Where its dead letter was sent; null if the binding names no destination and the message was dropped.</param>
/// <param name="Reason">Why it was given up.</param>
/// <param name="Failure">The exception of the last attempt; null if it expired before one.</param>
/// <param name="Headers">The headers of the message.</param>
/// <param name="Body">Its bytes.</param>
public sealed record DeadLetter(
    object? Message, string Source, string? Destination, DeadLetterReason Reason, Exception? Failure, Headers Headers, ReadOnlyMemory<byte> Body);
