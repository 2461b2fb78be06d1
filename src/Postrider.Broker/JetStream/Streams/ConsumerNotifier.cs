using Postrider.Broker.JetStream.Model;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Tells a stream's followers what happens to it, and keeps what one of them throws away from the stream and from the others.</summary>
internal static class ConsumerNotifier
{
    /// <summary>See <see cref="IStreamConsumer.OnStored"/>.</summary>
    public static void OnStored(IStreamConsumer follower, ulong first, ulong last, SendBatch batch)
    {
        try
        {
            follower.OnStored(first, last, batch);
        }
        catch (Exception error)
        {
            batch.DropIncomplete();
            follower.OnFailed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.OnStreamUpdated"/>.</summary>
    public static void OnStreamUpdated(IStreamConsumer follower, StreamConfig config, SendBatch batch)
    {
        try
        {
            follower.OnStreamUpdated(config, batch);
        }
        catch (Exception error)
        {
            batch.DropIncomplete();
            follower.OnFailed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.OnStreamClosed"/>.</summary>
    public static void OnStreamClosed(IStreamConsumer follower, bool deleted, SendBatch batch)
    {
        try
        {
            follower.OnStreamClosed(deleted, batch);
        }
        catch (Exception error)
        {
            batch.DropIncomplete();
            follower.OnFailed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.OnRemoved"/>. Locked.</summary>
    public static void OnRemoved(IStreamConsumer follower, ulong sequence, ReadOnlySpan<byte> subject)
    {
        try
        {
            follower.OnRemoved(sequence, subject);
        }
        catch (Exception error)
        {
            follower.OnFailed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.OnPurged"/>. Locked.</summary>
    public static void OnPurged(IStreamConsumer follower, ulong firstSequence)
    {
        try
        {
            follower.OnPurged(firstSequence);
        }
        catch (Exception error)
        {
            follower.OnFailed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.OnRemovalsCommitted"/>. Locked.</summary>
    public static void OnRemovalsCommitted(IStreamConsumer follower)
    {
        try
        {
            follower.OnRemovalsCommitted();
        }
        catch (Exception error)
        {
            follower.OnFailed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.OnRemovalsRolledBack"/>. Locked.</summary>
    public static void OnRemovalsRolledBack(IStreamConsumer follower)
    {
        try
        {
            follower.OnRemovalsRolledBack();
        }
        catch (Exception error)
        {
            follower.OnFailed(error);
        }
    }
}
