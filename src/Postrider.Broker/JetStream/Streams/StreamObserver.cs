using Postrider.Storage;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Notifies a stream's consumers of removed messages, and the stream of subjects that need a delete marker.</summary>
internal sealed class StreamObserver(MessageStream stream) : StoreObserver
{
    /// <inheritdoc/>
    public override void OnRemoved(ReadOnlySpan<byte> subject, ulong sequence, long bytes, RemoveReason reason, bool lastOfSubject)
    {
        foreach (var consumer in stream.Consumers) ConsumerNotifier.OnRemoved(consumer, sequence, subject);
        stream.Schedules.OnRemoved(subject, sequence);
        stream.OnRemoved(subject, reason, lastOfSubject);
    }

    /// <inheritdoc/>
    public override void OnPurged(long messages, long bytes)
    {
        stream.Schedules.Clear();
        foreach (var consumer in stream.Consumers) ConsumerNotifier.OnPurged(consumer, stream.Store.FirstSequence);
    }

    /// <inheritdoc/>
    public override void OnCommitted() => stream.Effects.OnCommitted();

    /// <inheritdoc/>
    public override void OnRolledBack(ulong last, ulong lastKept) => stream.Effects.OnRolledBack(last, lastKept);
}
