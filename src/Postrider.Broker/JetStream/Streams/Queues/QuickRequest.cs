namespace Postrider.Broker.JetStream.Streams.Queues;

/// <summary>Whether a request completes so quickly that no queue is needed.</summary>
/// <param name="subject">Its subject.</param>
/// <param name="payload">Its payload.</param>
internal delegate bool QuickRequest(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> payload);
