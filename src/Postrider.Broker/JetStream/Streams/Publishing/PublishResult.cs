namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>What became of a message.</summary>
/// <param name="Sequence">Its sequence, or that of the message it repeats.</param>
/// <param name="Sum">The counter's new sum; empty for no counter.</param>
/// <param name="IsDuplicate">Whether it repeats a message that is there.</param>
internal readonly record struct PublishResult(ulong Sequence, string Sum, bool IsDuplicate);
