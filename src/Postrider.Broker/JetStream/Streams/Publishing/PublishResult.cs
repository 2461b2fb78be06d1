namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>The result of publishing a message to a stream.</summary>
/// <param name="Sequence">Its sequence, or that of the message that it duplicates.</param>
/// <param name="Sum">The counter's new sum; empty when there is no counter.</param>
/// <param name="IsDuplicate">Whether it is a duplicate of a stored message.</param>
internal readonly record struct PublishResult(ulong Sequence, string Sum, bool IsDuplicate);
