using Postrider.Broker.JetStream.Model;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Notifies a stream's consumers, and isolates the stream and the other consumers from the exceptions of one.</summary>
internal static class ConsumerNotifier
{
    /// <summary>See <see cref="IStreamConsumer.OnStored"/>.</summary>
    public static void OnStored(IStreamConsumer consumer, ulong first, ulong last, SendBatch batch)
    {
        try
        {
            consumer.OnStored(first, last, batch);
        }
        catch (Exception error)
        {
            batch.DropIncomplete();
            consumer.OnFailed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.OnStreamUpdated"/>.</summary>
    public static void OnStreamUpdated(IStreamConsumer consumer, StreamConfig config, SendBatch batch)
    {
        try
        {
            consumer.OnStreamUpdated(config, batch);
        }
        catch (Exception error)
        {
            batch.DropIncomplete();
            consumer.OnFailed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.OnStreamClosed"/>.</summary>
    public static void OnStreamClosed(IStreamConsumer consumer, bool deleted, SendBatch batch)
    {
        try
        {
            consumer.OnStreamClosed(deleted, batch);
        }
        catch (Exception error)
        {
            batch.DropIncomplete();
            consumer.OnFailed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.OnRemoved"/>. Locked.</summary>
    public static void OnRemoved(IStreamConsumer consumer, ulong sequence, ReadOnlySpan<byte> subject)
    {
        try
        {
            consumer.OnRemoved(sequence, subject);
        }
        catch (Exception error)
        {
            consumer.OnFailed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.OnPurged"/>. Locked.</summary>
    public static void OnPurged(IStreamConsumer consumer, ulong firstSequence)
    {
        try
        {
            consumer.OnPurged(firstSequence);
        }
        catch (Exception error)
        {
            consumer.OnFailed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.OnRemovalsCommitted"/>. Locked.</summary>
    public static void OnRemovalsCommitted(IStreamConsumer consumer)
    {
        try
        {
            consumer.OnRemovalsCommitted();
        }
        catch (Exception error)
        {
            consumer.OnFailed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.OnRemovalsRolledBack"/>. Locked.</summary>
    public static void OnRemovalsRolledBack(IStreamConsumer consumer)
    {
        try
        {
            consumer.OnRemovalsRolledBack();
        }
        catch (Exception error)
        {
            consumer.OnFailed(error);
        }
    }
}
