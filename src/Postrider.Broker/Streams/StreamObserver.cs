using Postrider.Broker.Storage;

namespace Postrider.Broker.Streams;

/// <summary>Tells a stream's consumers which messages left, and the stream which subjects need a delete marker.</summary>
internal sealed class StreamObserver(MessageStream stream) : StoreObserver
{
    /// <inheritdoc/>
    public override void OnRemoved(ReadOnlySpan<byte> subject, ulong sequence, long bytes, RemoveReason reason, bool lastOfSubject)
    {
        foreach (var consumer in stream.Consumers) consumer.Removed(sequence, subject);
        stream.Removed(subject, sequence, reason, lastOfSubject);
    }

    /// <inheritdoc/>
    public override void OnPurged(long messages, long bytes)
    {
        foreach (var consumer in stream.Consumers) consumer.Purged(stream.Store.FirstSequence);
    }
}
