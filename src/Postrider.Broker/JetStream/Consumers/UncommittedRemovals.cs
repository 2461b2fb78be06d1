using Postrider.Broker.JetStream.Consumers.Acknowledging;
using Postrider.Storage.Consumers;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Open deliveries of removed messages: they are closed once the removal is committed. The stream's lock is held.</summary>
internal sealed class UncommittedRemovals(Consumer consumer)
{
    private readonly List<ulong> _sequences = [];

    /// <summary>Adds a removed message.</summary>
    public void Add(ulong sequence)
    {
        var state = consumer.Tracker.State;
        if (state.Pending.Contains(sequence) || state.Redelivered.ContainsKey(sequence)) _sequences.Add(sequence);
    }

    /// <summary>Closes the deliveries: the removal is committed.</summary>
    public void Close()
    {
        if (_sequences.Count == 0) return;
        foreach (var sequence in _sequences)
        {
            var deliveries = consumer.Tracker.DeliveriesOf(sequence);
            if (!consumer.Tracker.Acknowledge(sequence, out var open)) continue;
            consumer.Advisories.Terminated(new AckReplySubject(sequence, open.ConsumerSequence, deliveries), "Unacknowledged message was deleted");
        }
        _sequences.Clear();
        consumer.Schedule();
    }

    /// <summary>Drops the list: the messages were restored.</summary>
    public void Clear() => _sequences.Clear();
}
