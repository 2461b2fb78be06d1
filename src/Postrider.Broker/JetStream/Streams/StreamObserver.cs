using Postrider.Storage;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Tells a stream's consumers which messages left, and the stream which subjects need a delete marker.</summary>
internal sealed class StreamObserver(MessageStream stream) : StoreObserver
{
    /// <inheritdoc/>
    public override void OnRemoved(ReadOnlySpan<byte> subject, ulong sequence, long bytes, RemoveReason reason, bool lastOfSubject)
    {
        foreach (var consumer in stream.Consumers) ConsumerNotifier.Removed(consumer, sequence, subject);
        stream.Removed(subject, reason, lastOfSubject);
    }

    /// <inheritdoc/>
    public override void OnPurged(long messages, long bytes)
    {
        foreach (var consumer in stream.Consumers) ConsumerNotifier.Purged(consumer, stream.Store.FirstSequence);
    }

    /// <inheritdoc/>
    public override void OnCommitted() => stream.Effects.Committed();

    /// <inheritdoc/>
    public override void OnRolledBack(ulong last, ulong lastKept) => stream.Effects.RolledBack(last, lastKept);
}
