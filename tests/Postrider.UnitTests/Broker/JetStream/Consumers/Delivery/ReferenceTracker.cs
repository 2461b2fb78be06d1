using Postrider.Broker.JetStream.Model.Consumers;

namespace Postrider.UnitTests.Broker.JetStream.Consumers.Delivery;

/// <summary>The books of a consumer with the least cleverness: everything is looked for, nothing is linked.</summary>
internal sealed class ReferenceTracker(RedeliverySettings rules)
{
    public SortedDictionary<ulong, Entry> Open { get; } = [];

    public Dictionary<ulong, ulong> Again { get; } = [];

    public List<(ulong, ulong)> Exhausted { get; } = [];

    public ulong NextStream { get; set; } = 1;

    public ulong NextConsumer { get; set; } = 1;

    public ulong LastDelivered { get; set; }

    public (ulong Stream, ulong Consumer) Floor { get; set; }

    public IEnumerable<ulong> Queued => Open.Where(pair => pair.Value.IsQueued).Select(pair => pair.Key);

    public long NextDue => Open.Values.Where(entry => !entry.IsQueued).Select(entry => entry.Due).DefaultIfEmpty(long.MaxValue).Min();

    public ulong Deliveries(ulong sequence) => Again.GetValueOrDefault(sequence) + 1;

    public void Deliver(ulong sequence, ulong deliveries, long now)
    {
        var number = NextConsumer++;
        if (deliveries > 1) Again[sequence] = deliveries - 1;
        else NextStream = sequence + 1;
        LastDelivered = Math.Max(LastDelivered, sequence);
        if (!Open.TryGetValue(sequence, out var entry)) Open[sequence] = entry = new Entry { Number = number };
        entry.IsQueued = false;
        entry.Due = now + rules.WaitOf(rules.BucketAfter(deliveries));
    }

    public bool Acknowledge(ulong sequence)
    {
        Again.Remove(sequence);
        return Close(sequence);
    }

    public bool AcknowledgeUpTo(ulong sequence, ulong number)
    {
        if (number <= Floor.Consumer || sequence <= Floor.Stream) return false;
        foreach (var key in Open.Keys.Where(key => key <= sequence).ToArray())
        {
            Open.Remove(key);
            Again.Remove(key);
        }
        Floor = (sequence, number);
        return true;
    }

    public bool Nak(ulong sequence, long? delay, long now)
    {
        if (!Open.TryGetValue(sequence, out var entry)) return false;
        if (delay is { } later) (entry.IsQueued, entry.Due) = (false, now + later);
        else entry.IsQueued = true;
        return true;
    }

    public bool ExtendAckWait(ulong sequence, long now)
    {
        if (!Open.TryGetValue(sequence, out var entry)) return false;
        if (!entry.IsQueued) entry.Due = now + rules.WaitOf(rules.BucketAfter(Deliveries(sequence)));
        return true;
    }

    public void CollectDue(long now)
    {
        foreach (var sequence in Open.Where(pair => !pair.Value.IsQueued && pair.Value.Due <= now).Select(pair => pair.Key).ToArray()) Queue(sequence);
    }

    public void RemoveBelow(ulong first)
    {
        NextStream = Math.Max(NextStream, first);
        foreach (var sequence in Open.Keys.Where(key => key < first).ToArray()) Acknowledge(sequence);
        foreach (var sequence in Again.Keys.Where(key => key < first).ToArray()) Again.Remove(sequence);
        if (Open.Count != 0 || Floor.Stream >= first - 1) return;
        Floor = (first - 1, Floor.Consumer);
        LastDelivered = Math.Max(LastDelivered, first - 1);
    }

    public void Restart(ulong sequence)
    {
        Open.Clear();
        Again.Clear();
        (NextStream, NextConsumer, LastDelivered, Floor) = (sequence, 1, sequence - 1, (sequence - 1, 0));
    }

    public bool IsSpent(ulong sequence) => rules.MaxDeliver > 0 && Deliveries(sequence) >= rules.MaxDeliver;

    public void Exhaust(ulong sequence)
    {
        Exhausted.Add((sequence, Deliveries(sequence)));
        Again[sequence] = Deliveries(sequence);
        Close(sequence);
    }

    private void Queue(ulong sequence)
    {
        if (IsSpent(sequence)) Exhaust(sequence);
        else Open[sequence].IsQueued = true;
    }

    private bool Close(ulong sequence)
    {
        if (!Open.TryGetValue(sequence, out _)) return false;
        var wasLowest = Open.Keys.First() == sequence;
        Open.Remove(sequence);
        if (Open.Count == 0) Floor = (LastDelivered, NextConsumer - 1);
        else if (wasLowest) Floor = (Open.Keys.First() - 1, Open.Values.First().Number - 1);
        return true;
    }

    internal sealed class Entry
    {
        public ulong Number { get; init; }

        public long Due { get; set; }

        public bool IsQueued { get; set; }
    }
}
