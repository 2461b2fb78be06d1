using Postrider.Broker.JetStream.Model;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>A reader of a stream: a consumer, or another stream on this server.</summary>
/// <remarks>"Locked" means that the stream's <see cref="StreamCore.Gate"/> is held by the caller.</remarks>
internal interface IStreamConsumer
{
    /// <summary>The name; unique among the stream's consumers.</summary>
    string Name { get; }

    /// <summary>Whether it is part of the broker: not counted, not listed.</summary>
    bool IsInternal { get; }

    /// <summary>Whether it keeps to a stream's limits for consumers. Locked.</summary>
    bool Fits(ConsumerLimits limits);

    /// <summary>Whether it needs messages of a subject. Locked.</summary>
    bool HasInterest(ReadOnlySpan<byte> subject);

    /// <summary>Whether it still needs a message. Locked.</summary>
    bool NeedsAck(ulong sequence, ReadOnlySpan<byte> subject);

    /// <summary>A message was removed; it is restored if that cannot be committed. Locked; the store may not be called.</summary>
    void OnRemoved(ulong sequence, ReadOnlySpan<byte> subject);

    /// <summary>The messages removed since the last call are gone for good. Locked.</summary>
    void OnRemovalsCommitted();

    /// <summary>The messages removed since the last call were restored. Locked; the store may not be called.</summary>
    void OnRemovalsRolledBack();

    /// <summary>All messages below a sequence were removed at once. Locked; the store may not be called.</summary>
    void OnPurged(ulong firstSequence);

    /// <summary>Messages became visible. Not locked.</summary>
    /// <param name="first">The first of them; calls from several threads may overtake each other.</param>
    /// <param name="last">The last of them.</param>
    /// <param name="batch">The batch for deliveries.</param>
    void OnStored(ulong first, ulong last, SendBatch batch);

    /// <summary>The stream's configuration changed. Not locked.</summary>
    void OnStreamUpdated(StreamConfig config, SendBatch batch);

    /// <summary>The stream was deleted, or the broker stops. Not locked.</summary>
    /// <param name="deleted">Whether the stream was deleted; else the state must be kept for the next start.</param>
    /// <param name="batch">The batch for messages about it.</param>
    void OnStreamClosed(bool deleted, SendBatch batch);

    /// <summary>Handles an exception of one of the other members: the stream continues with its other readers.</summary>
    void OnFailed(Exception error);
}
