namespace Postrider.Broker.Storage.Consumers;

/// <summary>How far a consumer came: what it was given, what it acknowledged, what is open.</summary>
/// <remarks>Not thread-safe. Steady work allocates nothing: the dictionaries keep their room.</remarks>
internal sealed class ConsumerState
{
    /// <summary>Stream sequence of the newest delivery.</summary>
    public ulong DeliveredStream { get; set; }

    /// <summary>Number of the newest delivery.</summary>
    public ulong DeliveredConsumer { get; set; }

    /// <summary>Every stream sequence up to here is acknowledged.</summary>
    public ulong AckFloorStream { get; set; }

    /// <summary>Every delivery up to here is acknowledged.</summary>
    public ulong AckFloorConsumer { get; set; }

    /// <summary>Open deliveries by stream sequence.</summary>
    public Dictionary<ulong, PendingDelivery> Pending { get; } = [];

    /// <summary>How often messages were delivered again, by stream sequence.</summary>
    public Dictionary<ulong, ulong> Redelivered { get; } = [];

    /// <summary>A message was delivered; <paramref name="count"/> is 1 for the first time.</summary>
    public void Deliver(ulong streamSequence, ulong consumerSequence, ulong count, long timestamp, bool expectsAck)
    {
        DeliveredStream = Math.Max(DeliveredStream, streamSequence);
        DeliveredConsumer = Math.Max(DeliveredConsumer, consumerSequence);
        if (!expectsAck)
        {
            AckFloorStream = DeliveredStream;
            AckFloorConsumer = DeliveredConsumer;
            return;
        }

        Pending[streamSequence] = new PendingDelivery(consumerSequence, timestamp);
        if (count > 1)
        {
            Redelivered[streamSequence] = count - 1;
        }
    }

    /// <summary>One message is done.</summary>
    public void Acknowledge(ulong streamSequence)
    {
        Redelivered.Remove(streamSequence);
        if (Pending.Remove(streamSequence))
        {
            RaiseFloor();
        }
    }

    /// <summary>Every message up to a stream sequence is done.</summary>
    public void AcknowledgeUpTo(ulong streamSequence)
    {
        for (var sequence = AckFloorStream + 1; sequence <= streamSequence && Pending.Count > 0; sequence++)
        {
            Redelivered.Remove(sequence);
            Pending.Remove(sequence);
        }

        RaiseFloor();
    }

    /// <summary>Takes everything over from another state.</summary>
    public void CopyFrom(ConsumerState other)
    {
        (DeliveredStream, DeliveredConsumer) = (other.DeliveredStream, other.DeliveredConsumer);
        (AckFloorStream, AckFloorConsumer) = (other.AckFloorStream, other.AckFloorConsumer);
        Pending.Clear();
        Redelivered.Clear();
        foreach (var (sequence, delivery) in other.Pending)
        {
            Pending.Add(sequence, delivery);
        }

        foreach (var (sequence, count) in other.Redelivered)
        {
            Redelivered.Add(sequence, count);
        }
    }

    private void RaiseFloor()
    {
        if (Pending.Count == 0)
        {
            AckFloorStream = DeliveredStream;
            AckFloorConsumer = DeliveredConsumer;
            return;
        }

        while (AckFloorStream < DeliveredStream && !Pending.ContainsKey(AckFloorStream + 1))
        {
            AckFloorStream++;
        }

        if (Pending.TryGetValue(AckFloorStream + 1, out var lowest))
        {
            AckFloorConsumer = Math.Max(AckFloorConsumer, lowest.ConsumerSequence - 1);
        }
    }
}
