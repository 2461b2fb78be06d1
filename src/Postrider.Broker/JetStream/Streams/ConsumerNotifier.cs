using Postrider.Broker.JetStream.Model;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Tells a stream's followers what happens to it, and keeps what one of them throws away from the stream and from the others.</summary>
internal static class ConsumerNotifier
{
    /// <summary>See <see cref="IStreamConsumer.Stored"/>.</summary>
    public static void Stored(IStreamConsumer follower, ulong first, ulong last, SendBatch batch)
    {
        try
        {
            follower.Stored(first, last, batch);
        }
        catch (Exception error)
        {
            batch.DropIncomplete();
            follower.Failed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.StreamUpdated"/>.</summary>
    public static void StreamUpdated(IStreamConsumer follower, StreamConfig config, SendBatch batch)
    {
        try
        {
            follower.StreamUpdated(config, batch);
        }
        catch (Exception error)
        {
            batch.DropIncomplete();
            follower.Failed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.StreamEnded"/>.</summary>
    public static void StreamEnded(IStreamConsumer follower, bool deleted, SendBatch batch)
    {
        try
        {
            follower.StreamEnded(deleted, batch);
        }
        catch (Exception error)
        {
            batch.DropIncomplete();
            follower.Failed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.Removed"/>. Locked.</summary>
    public static void Removed(IStreamConsumer follower, ulong sequence, ReadOnlySpan<byte> subject)
    {
        try
        {
            follower.Removed(sequence, subject);
        }
        catch (Exception error)
        {
            follower.Failed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.Purged"/>. Locked.</summary>
    public static void Purged(IStreamConsumer follower, ulong firstSequence)
    {
        try
        {
            follower.Purged(firstSequence);
        }
        catch (Exception error)
        {
            follower.Failed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.RemovalsCommitted"/>. Locked.</summary>
    public static void RemovalsCommitted(IStreamConsumer follower)
    {
        try
        {
            follower.RemovalsCommitted();
        }
        catch (Exception error)
        {
            follower.Failed(error);
        }
    }

    /// <summary>See <see cref="IStreamConsumer.RemovalsUndone"/>. Locked.</summary>
    public static void RemovalsUndone(IStreamConsumer follower)
    {
        try
        {
            follower.RemovalsUndone();
        }
        catch (Exception error)
        {
            follower.Failed(error);
        }
    }
}
