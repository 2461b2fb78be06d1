// Hot path: consumer -> this, per delivery and acknowledgement. Allocations: none once its tables have grown.
using System.Runtime.CompilerServices;

namespace Postrider.Storage.Consumers;

/// <summary>The state of a consumer: its deliveries, its acknowledgements, and the open deliveries.</summary>
/// <remarks>Not thread-safe.</remarks>
internal sealed class ConsumerState
{
    /// <summary>Stream sequence of the newest first delivery.</summary>
    public ulong DeliveredStream { get; set; }

    /// <summary>Number of the newest delivery.</summary>
    public ulong DeliveredConsumer { get; set; }

    /// <summary>Every stream sequence up to here is acknowledged.</summary>
    public ulong AckFloorStream { get; set; }

    /// <summary>Every delivery up to here is acknowledged.</summary>
    public ulong AckFloorConsumer { get; set; }

    /// <summary>The floor that is shown: it stays below a message that was given up until no delivery is open, or until a client
    /// acknowledges everything up to an open one. Null: the floor itself.</summary>
    /// <remarks>Source: the state that nats-server's consumer stores keep in addition to the consumer's own.</remarks>
    public (ulong Stream, ulong Consumer)? HeldFloor { get; set; }

    /// <summary>The floor that is shown.</summary>
    public (ulong Stream, ulong Consumer) ShownFloor => HeldFloor ?? (AckFloorStream, AckFloorConsumer);

    /// <summary>Open deliveries.</summary>
    public PendingTable Pending { get; } = new();

    /// <summary>How often messages were redelivered, by stream sequence. Messages that exhausted their deliveries are kept
    /// here until they are removed from the stream.</summary>
    public Dictionary<ulong, ulong> Redelivered { get; } = [];

    /// <summary>Records a delivery.</summary>
    /// <param name="streamSequence">The message's sequence.</param>
    /// <param name="consumerSequence">The number of this delivery.</param>
    /// <param name="count">1 for the first time.</param>
    /// <param name="timestamp">The time, in nanoseconds since 1970.</param>
    /// <param name="expectsAck">Whether it stays open.</param>
    /// <returns>The slot in <see cref="Pending"/>, or <see cref="PendingTable.None"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Deliver(ulong streamSequence, ulong consumerSequence, ulong count, long timestamp, bool expectsAck)
    {
        DeliveredStream = Math.Max(DeliveredStream, streamSequence);
        DeliveredConsumer = Math.Max(DeliveredConsumer, consumerSequence);
        if (!expectsAck)
        {
            AckFloorStream = DeliveredStream;
            AckFloorConsumer = DeliveredConsumer;
            return PendingTable.None;
        }

        if (count > 1)
        {
            Redelivered[streamSequence] = count - 1;
        }

        var open = Pending.Find(streamSequence);
        if (open == PendingTable.None)
        {
            return Pending.Add(new PendingDelivery(streamSequence, consumerSequence, timestamp));
        }

        // The number of the first delivery is kept: the floor of deliveries depends on it.
        Pending.TimestampAt(open) = timestamp;
        return open;
    }

    /// <summary>Records that the wait for an acknowledgement restarts.</summary>
    public void Touch(ulong streamSequence, long timestamp)
    {
        var slot = Pending.Find(streamSequence);
        if (slot != PendingTable.None)
        {
            Pending.TimestampAt(slot) = timestamp;
        }
    }

    /// <summary>Records that one message was acknowledged.</summary>
    /// <returns>False when it was not open.</returns>
    public bool Acknowledge(ulong streamSequence)
    {
        if (Redelivered.Count > 0)
        {
            Redelivered.Remove(streamSequence);
        }

        return HeldFloor is null ? Close(streamSequence) : CloseWhileHeld(streamSequence);
    }

    /// <summary>Closes a message and records that it exhausted its deliveries.</summary>
    public void Exhaust(ulong streamSequence, ulong deliveries)
    {
        Redelivered[streamSequence] = deliveries;
        var shown = ShownFloor;
        if (Close(streamSequence)) HoldAt(shown);
    }

    /// <summary>Records that every message up to a stream sequence was acknowledged.</summary>
    /// <param name="streamSequence">The last sequence, inclusive.</param>
    /// <param name="consumerSequence">The number of its delivery.</param>
    public void AcknowledgeUpTo(ulong streamSequence, ulong consumerSequence)
    {
        var shown = ShownFloor;
        var wasOpen = Pending.Contains(streamSequence);
        while (Pending.Oldest is var slot && slot != PendingTable.None && Pending.StreamSequenceAt(slot) <= streamSequence)
        {
            Redelivered.Remove(Pending.StreamSequenceAt(slot));
            Pending.RemoveAt(slot);
        }

        AckFloorStream = Math.Max(AckFloorStream, streamSequence);
        AckFloorConsumer = Math.Max(AckFloorConsumer, consumerSequence);
        HeldFloor = null;
        if (!wasOpen) HoldAt(shown);
    }

    /// <summary>Restarts after a stream sequence.</summary>
    public void StartAfter(ulong streamSequence)
    {
        Pending.Clear();
        Redelivered.Clear();
        (DeliveredStream, AckFloorStream) = (streamSequence, streamSequence);
        (DeliveredConsumer, AckFloorConsumer) = (0, 0);
        HeldFloor = null;
    }

    /// <summary>Copies the state of another instance.</summary>
    public void CopyFrom(ConsumerState other)
    {
        (DeliveredStream, DeliveredConsumer) = (other.DeliveredStream, other.DeliveredConsumer);
        (AckFloorStream, AckFloorConsumer) = (other.AckFloorStream, other.AckFloorConsumer);
        HeldFloor = other.HeldFloor;
        Pending.Clear();
        Redelivered.Clear();
        for (var slot = other.Pending.Oldest; slot != PendingTable.None; slot = other.Pending.NextOf(slot))
        {
            Pending.Add(other.Pending.At(slot));
        }

        foreach (var (sequence, count) in other.Redelivered)
        {
            Redelivered.Add(sequence, count);
        }
    }

    /// <summary>Replaces the open deliveries, and sets the floor below them.</summary>
    /// <param name="open">Ascending.</param>
    public void Reopen(IEnumerable<PendingDelivery> open)
    {
        PendingDelivery[] all = [.. open];
        Pending.Clear();
        HeldFloor = null;
        foreach (var delivery in all) Pending.Add(delivery);
        (AckFloorStream, AckFloorConsumer) = all.Length == 0
            ? (DeliveredStream, DeliveredConsumer)
            : (all[0].StreamSequence - 1, Math.Max(all[0].ConsumerSequence, 1) - 1);
    }

    // The shown floor moves with the delivery that follows it, up to the next open one.
    private bool CloseWhileHeld(ulong streamSequence)
    {
        var slot = Pending.Find(streamSequence);
        var number = slot == PendingTable.None ? 0 : Pending.At(slot).ConsumerSequence;
        if (!Close(streamSequence))
        {
            return false;
        }

        if (Pending.Count == 0 || number == HeldFloor!.Value.Consumer + 1)
        {
            HeldFloor = null;
        }

        return true;
    }

    private void HoldAt((ulong Stream, ulong Consumer) shown)
    {
        HeldFloor = shown == (AckFloorStream, AckFloorConsumer) ? null : shown;
    }

    private bool Close(ulong streamSequence)
    {
        var slot = Pending.Find(streamSequence);
        if (slot == PendingTable.None)
        {
            return false;
        }

        var wasOldest = slot == Pending.Oldest;
        Pending.RemoveAt(slot);
        if (Pending.Count == 0)
        {
            (AckFloorStream, AckFloorConsumer) = (DeliveredStream, DeliveredConsumer);
        }
        else if (wasOldest)
        {
            var oldest = Pending.At(Pending.Oldest);
            (AckFloorStream, AckFloorConsumer) = (oldest.StreamSequence - 1, oldest.ConsumerSequence - 1);
        }

        return true;
    }
}
