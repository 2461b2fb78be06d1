namespace Postrider.Broker.Storage.Consumers;

/// <summary>A message that was delivered and is not acknowledged.</summary>
/// <param name="ConsumerSequence">The delivery's number.</param>
/// <param name="Timestamp">When it was delivered, nanoseconds since 1970.</param>
internal readonly record struct PendingDelivery(ulong ConsumerSequence, long Timestamp);
