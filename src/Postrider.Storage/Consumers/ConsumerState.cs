// Hot path: consumer -> this, per delivery and acknowledgement. Allocations: none once its tables have grown.
namespace Postrider.Storage.Consumers;

/// <summary>How far a consumer came: what it was given, what it acknowledged, what is open.</summary>
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

    /// <summary>The floor that is shown: it stays below a message that was given up until nothing is open, or until somebody
    /// acknowledges everything up to an open one. Null: the floor itself.</summary>
    /// <remarks>Source: what nats-server's consumer stores keep beside what the consumer works with.</remarks>
    public (ulong Stream, ulong Consumer)? HeldFloor { get; set; }

    /// <summary>The floor that is shown.</summary>
    public (ulong Stream, ulong Consumer) ShownFloor => HeldFloor ?? (AckFloorStream, AckFloorConsumer);

    /// <summary>Open deliveries.</summary>
    public PendingTable Pending { get; } = new();

    /// <summary>How often messages were delivered again, by stream sequence. Messages that reached their last delivery stay
    /// here until they leave the stream.</summary>
    public Dictionary<ulong, ulong> Redelivered { get; } = [];

    /// <summary>A message was delivered.</summary>
    /// <param name="streamSequence">Which.</param>
    /// <param name="consumerSequence">The number of this delivery.</param>
    /// <param name="count">1 for the first time.</param>
    /// <param name="timestamp">When, nanoseconds since 1970.</param>
    /// <param name="expectsAck">Whether it stays open.</param>
    /// <returns>The slot in <see cref="Pending"/>, or <see cref="PendingTable.None"/>.</returns>
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

        // The first delivery's number stays: the floor of deliveries counts by it.
        Pending.TimestampAt(open) = timestamp;
        return open;
    }

    /// <summary>The wait for an acknowledgement restarts.</summary>
    public void Touch(ulong streamSequence, long timestamp)
    {
        var slot = Pending.Find(streamSequence);
        if (slot != PendingTable.None)
        {
            Pending.TimestampAt(slot) = timestamp;
        }
    }

    /// <summary>One message is done.</summary>
    /// <returns>False when it was not open.</returns>
    public bool Acknowledge(ulong streamSequence)
    {
        if (Redelivered.Count > 0)
        {
            Redelivered.Remove(streamSequence);
        }

        return HeldFloor is null ? Close(streamSequence) : CloseWhileHeld(streamSequence);
    }

    /// <summary>A message is no longer open, and is remembered as delivered for the last time.</summary>
    public void Exhaust(ulong streamSequence, ulong deliveries)
    {
        Redelivered[streamSequence] = deliveries;
        var shown = ShownFloor;
        if (Close(streamSequence)) HoldAt(shown);
    }

    /// <summary>Every message up to a stream sequence is done.</summary>
    /// <param name="streamSequence">Up to and with this one.</param>
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

    /// <summary>Takes everything over from another state.</summary>
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

    /// <summary>Replaces what is open, and puts the floor below it.</summary>
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

    // The shown floor moves with the delivery that comes next to it, as far as the next open one.
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
