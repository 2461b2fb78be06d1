namespace Postrider.Outbox;

/// <summary>A send that failed because of its message.</summary>
/// <param name="Message">The row.</param>
/// <param name="State">Ready for another attempt, or dead.</param>
/// <param name="RetryAt">The earliest time of the next attempt, or when it was dead-lettered: milliseconds since 1970-01-01 UTC.</param>
/// <param name="Error">The failure in one line.</param>
internal sealed record FailedSend(OutboxMessage Message, OutboxState State, long RetryAt, string Error);
