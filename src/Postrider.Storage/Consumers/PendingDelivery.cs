namespace Postrider.Storage.Consumers;

/// <summary>A message that was delivered and is not acknowledged.</summary>
/// <param name="StreamSequence">Its sequence in the stream.</param>
/// <param name="ConsumerSequence">The number of its first delivery.</param>
/// <param name="Timestamp">When the wait for its acknowledgement began, in nanoseconds since 1970.</param>
internal readonly record struct PendingDelivery(ulong StreamSequence, ulong ConsumerSequence, long Timestamp);
