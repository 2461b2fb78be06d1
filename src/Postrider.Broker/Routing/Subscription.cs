// Hot path: Router.Publish -> this -> SendLane. Allocations: none after the first delivery.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Postrider.Broker.Subjects;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routing;

/// <summary>A subscription of a client or of an internal subscriber.</summary>
/// <remarks>Not sealed: subscriptions that lead out of an account have additional members.</remarks>
internal class Subscription
{
    // Counters of different batches are on different cache lines.
    private const int CounterStride = 8;

    private readonly Outbox? _outbox;

    // " sid", ready to be copied after the subject.
    private readonly byte[] _sidWithSpace;
    private long[] _delivered = [];
    private long _deliveredOfLimited;
    private int _conditions;

    /// <summary>Creates a subscription of a client.</summary>
    public Subscription(ISubscriber owner, Outbox outbox, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, ReadOnlySpan<byte> sid)
    {
        Owner = owner;
        _outbox = outbox;
        SubjectBytes = subject.ToArray();
        QueueGroup = queueGroup.ToArray();
        _sidWithSpace = [(byte)' ', .. sid];
    }

    /// <summary>Creates a subscription of an internal subscriber.</summary>
    public Subscription(IInternalSubscriber handler, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup)
    {
        Handler = handler;
        SubjectBytes = subject.ToArray();
        QueueGroup = queueGroup.ToArray();
        _sidWithSpace = [];
        Conditions = DeliveryConditions.Handler;
    }

    /// <summary>Creates a subscription of the broker itself without an internal subscriber.</summary>
    protected Subscription(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, DeliveryConditions conditions)
    {
        SubjectBytes = subject.ToArray();
        QueueGroup = queueGroup.ToArray();
        _sidWithSpace = [];
        Conditions = conditions;
    }

    /// <summary>Creates another subscription for the client of an existing one, with its sid and its queue group.</summary>
    protected Subscription(Subscription other, ReadOnlySpan<byte> subject, DeliveryConditions conditions)
        : this(other.Owner!, other._outbox!, subject, other.QueueGroup, other.Sid)
        => Conditions = conditions;

    /// <summary>The client, or null for the broker's own.</summary>
    public ISubscriber? Owner { get; }

    /// <summary>The internal subscriber, or null for a client's.</summary>
    public IInternalSubscriber? Handler { get; private set; }

    /// <summary>The client's or the other server's outbox, or null for the broker's own.</summary>
    public virtual Outbox? Outbox => _outbox;

    /// <summary>The subject or pattern.</summary>
    public byte[] SubjectBytes { get; }

    /// <summary>The queue group; empty without one.</summary>
    public byte[] QueueGroup { get; }

    /// <summary>The client's sid of the subscription.</summary>
    public ReadOnlySpan<byte> Sid => _sidWithSpace.AsSpan(_sidWithSpace.Length == 0 ? 0 : 1);

    /// <summary>The conditions that a delivery must check; none for most subscriptions.</summary>
    public DeliveryConditions Conditions
    {
        get => (DeliveryConditions)_conditions;
        init => _conditions = (int)value;
    }

    /// <summary>The maximum number of messages, or 0 for no limit. Set by <see cref="Limit"/>.</summary>
    public long Max { get; private set; }

    /// <summary>The number of messages delivered so far.</summary>
    public long Delivered
    {
        get
        {
            long sum = Volatile.Read(ref _deliveredOfLimited);
            var counters = _delivered;
            for (var i = 0; i < counters.Length; i += CounterStride) sum += counters[i];
            return sum;
        }
    }

    /// <summary>Replaces the internal subscriber. Deliveries under way may still use the previous one.</summary>
    public void Replace(IInternalSubscriber handler) => Handler = handler;

    /// <summary>Limits the total number of messages, after which the subscription ends.</summary>
    public void Limit(long max)
    {
        Max = max;
        AddConditions(DeliveryConditions.Limited);
    }

    /// <summary>Adds conditions that deliveries check. From any thread.</summary>
    public void AddConditions(DeliveryConditions conditions) => Interlocked.Or(ref _conditions, (int)conditions);

    /// <summary>Ends the subscription and removes it from the account. From any thread.</summary>
    /// <param name="tree">The account's subscriptions.</param>
    /// <returns>False when it was not in the tree.</returns>
    public bool Leave(SubjectTree<Subscription> tree)
    {
        AddConditions(DeliveryConditions.Closed);
        return tree.Remove(SubjectBytes, QueueGroup, this);
    }

    /// <summary>Sets some of the conditions and leaves the others unchanged. From any thread.</summary>
    /// <param name="which">The conditions to set.</param>
    /// <param name="conditions">Their new value.</param>
    public void ReplaceConditions(DeliveryConditions which, DeliveryConditions conditions)
    {
        int before;
        do before = Volatile.Read(ref _conditions);
        while (Interlocked.CompareExchange(ref _conditions, (before & ~(int)which) | (int)conditions, before) != before);
    }

    /// <summary>Counts the next message towards the limit.</summary>
    /// <param name="isLast">Whether it is the last one.</param>
    /// <returns>False when the limit was reached before.</returns>
    public bool TryTakeLimited(out bool isLast)
    {
        long counted = 0;
        var counters = _delivered;
        for (var i = 0; i < counters.Length; i += CounterStride) counted += counters[i];
        counted += Interlocked.Increment(ref _deliveredOfLimited);
        isLast = counted == Max;
        return counted <= Max;
    }

    /// <summary>Writes a message into the subscriber's lane of a batch.</summary>
    /// <param name="frame">A publish frame.</param>
    /// <param name="batch">The publisher's batch.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Deliver(scoped in Frame frame, SendBatch batch)
    {
        Count(batch);
        Write(in frame, batch);
    }

    /// <summary>Writes a message, given by its parts, into the subscriber's lane of a batch.</summary>
    public void Deliver(
        ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        Count(batch);
        Write(subject, replyTo, headers, payload, batch);
    }

    /// <summary>Writes a message without counting it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(scoped in Frame frame, SendBatch batch)
    {
        var lane = _outbox!.LaneOf(batch);
        var hasHeaders = frame.Kind == FrameKind.PublishWithHeaders;
        var subject = frame.Subject;
        if (!frame.IsCanonical)
        {
            MessageWriter.Write(lane, subject, _sidWithSpace, frame.ReplyTo, hasHeaders ? frame.Headers : [], frame.Payload, hasHeaders);
        }
        else
        {
            var tail = frame.Tail;
            var nameBytes = hasHeaders ? 5 : 4;
            var head = nameBytes + subject.Length + _sidWithSpace.Length;
            var isSmall = tail.Length <= MessageWriter.MaxWholeBytes;
            var target = lane.Reserve(isSmall ? head + tail.Length : head);
            ref var start = ref MemoryMarshal.GetReference(target);
            _ = MessageWriter.WriteName(ref start, hasHeaders);
            InlineCopy.Copy(subject, ref Unsafe.Add(ref start, nameBytes));
            InlineCopy.Copy(_sidWithSpace, ref Unsafe.Add(ref start, nameBytes + subject.Length));
            if (isSmall)
            {
                InlineCopy.Copy(tail, ref Unsafe.Add(ref start, head));
                lane.Advance(head + tail.Length);
            }
            else
            {
                lane.Advance(head);
                lane.Write(tail);
            }
        }
        lane.Messages++;
        lane.MessageBytes += frame.TotalBytes;
        lane.CompleteMessage();
    }

    /// <summary>Writes a message given by its parts: for those that are not an unchanged copy of a publish frame.</summary>
    public void Write(
        ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        var lane = _outbox!.LaneOf(batch);
        MessageWriter.Write(lane, subject, _sidWithSpace, replyTo, headers, payload, !headers.IsEmpty);
        lane.Messages++;
        lane.MessageBytes += headers.Length + payload.Length;
        lane.CompleteMessage();
    }

    /// <summary>Counts a message that is written separately.</summary>
    /// <param name="batch">The publisher's batch.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Count(SendBatch batch)
    {
        var counters = _delivered;
        var place = batch.Index * CounterStride;
        if ((uint)place < (uint)counters.Length) counters[place]++;
        else CountFirst(batch);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void CountFirst(SendBatch batch)
    {
        lock (_sidWithSpace)
        {
            // Room for every batch that exists: few are added later, and a batch that counts in the old array
            // while it is copied loses at most that one count.
            var length = Math.Max(batch.Index + 1, batch.Set.Count) * CounterStride;
            if (_delivered.Length < length)
            {
                var grown = new long[length];
                _delivered.CopyTo(grown, 0);
                Volatile.Write(ref _delivered, grown);
            }
            _delivered[batch.Index * CounterStride]++;
        }
    }
}
