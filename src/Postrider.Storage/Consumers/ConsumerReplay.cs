using System.Buffers.Binary;
using Postrider.Storage.Records;

namespace Postrider.Storage.Consumers;

/// <summary>Reads the frames of a <see cref="ConsumerJournal"/>, also those after damage.</summary>
/// <remarks>
/// <para>The deliveries in a damaged part are missing. The first delivery after it shows how many there were: the sequences in between are
/// <see cref="Unknown"/> until a later step acknowledges them.</para>
/// <para>Not thread-safe.</para>
/// </remarks>
internal sealed class ConsumerReplay
{
    private readonly List<SequenceRange> _unknown = [];
    private bool _isBehindDamage;

    /// <summary>The state after the steps.</summary>
    public ConsumerState State { get; } = new();

    /// <summary>The owner of the log; 0 when it does not contain one.</summary>
    public ulong Owner { get; private set; }

    /// <summary>The length of the log when its copy was written; only in the copy.</summary>
    public long LogLength { get; private set; }

    /// <summary>Bytes that do not belong to a complete frame.</summary>
    public long DamagedBytes { get; private set; }

    /// <summary>Their offset.</summary>
    public long DamagedAt { get; private set; } = -1;

    /// <summary>Whether the only such bytes are an incompletely written frame at the end.</summary>
    public bool IsTorn { get; private set; }

    /// <summary>Whether there was a complete frame.</summary>
    public bool HasFrames { get; private set; }

    /// <summary>Delivered sequences of which it is unknown whether they were acknowledged; ascending.</summary>
    public IReadOnlyList<SequenceRange> Unknown => _unknown;

    /// <summary>Reads a whole file.</summary>
    public static ConsumerReplay Of(ReadOnlySpan<byte> file)
    {
        var replay = new ConsumerReplay();
        replay.Read(file);
        return replay;
    }

    /// <summary>Merges the state of a copy of the same log. As a log only goes forward, a message that is acknowledged in one of them is.</summary>
    /// <returns>Whether the log lacked something.</returns>
    public bool Merge(ConsumerReplay copy)
    {
        var (own, other) = (State, copy.State);
        var done = new List<ulong>();
        foreach (var open in own.Pending.All())
        {
            if (open.StreamSequence <= other.DeliveredStream && !other.Pending.Contains(open.StreamSequence)) done.Add(open.StreamSequence);
        }

        // Entries that are missing in the log and present in the copy.
        var merged = new SortedDictionary<ulong, PendingDelivery>();
        foreach (var open in own.Pending.All()) merged[open.StreamSequence] = open;
        foreach (var sequence in done) merged.Remove(sequence);
        var added = false;
        foreach (var open in other.Pending.All())
        {
            if (open.StreamSequence <= own.DeliveredStream && !IsUnknown(open.StreamSequence)) continue;
            added |= merged.TryAdd(open.StreamSequence, open);
        }

        var unknown = _unknown.Count;
        RemoveUnknown(0, other.DeliveredStream);
        var lacked = done.Count > 0 || added || unknown != _unknown.Count || other.DeliveredStream > own.DeliveredStream || other.AckFloorStream > own.AckFloorStream;
        if (!lacked) return false;
        (own.DeliveredStream, own.DeliveredConsumer) = (Math.Max(own.DeliveredStream, other.DeliveredStream), Math.Max(own.DeliveredConsumer, other.DeliveredConsumer));
        foreach (var (sequence, count) in other.Redelivered)
        {
            if (sequence > own.AckFloorStream || merged.ContainsKey(sequence)) own.Redelivered.TryAdd(sequence, count);
        }

        own.Reopen(merged.Values);
        return true;
    }

    /// <summary>Counts the merged state as an existing one.</summary>
    public void TakeOver() => HasFrames = true;

    private void Read(ReadOnlySpan<byte> bytes)
    {
        var at = 0;
        while (at < bytes.Length)
        {
            if (TryReadFrame(bytes[at..], out var length))
            {
                Apply(bytes.Slice(at + ConsumerJournal.FrameHeaderBytes, length));
                at += ConsumerJournal.FrameHeaderBytes + length;
                continue;
            }

            var next = FindFrame(bytes, at + 1);
            IsTorn = next == bytes.Length && DamagedBytes == 0 && IsUnfinished(bytes[at..]);
            DamagedAt = DamagedAt < 0 ? at : DamagedAt;
            DamagedBytes += next - at;
            _isBehindDamage = true;
            at = next;
        }
    }

    private static bool TryReadFrame(ReadOnlySpan<byte> bytes, out int length)
    {
        length = 0;
        if (bytes.Length < ConsumerJournal.FrameHeaderBytes) return false;
        length = BinaryPrimitives.ReadInt32LittleEndian(bytes);
        if (length <= 0 || length > bytes.Length - ConsumerJournal.FrameHeaderBytes) return false;
        var steps = bytes.Slice(ConsumerJournal.FrameHeaderBytes, length);
        return steps[0] is > 0 and <= (byte)ConsumerStep.Length && Crc32C.Compute(steps, (uint)length) == BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]);
    }

    private static int FindFrame(ReadOnlySpan<byte> bytes, int from)
    {
        while (from < bytes.Length && !TryReadFrame(bytes[from..], out _)) from++;
        return from;
    }

    // What a kill or a power failure leaves of the last write: fewer bytes than the frame's length, or zeros in place of missing bytes.
    private static bool IsUnfinished(ReadOnlySpan<byte> rest)
        => rest.Length < ConsumerJournal.FrameHeaderBytes
            || BinaryPrimitives.ReadInt32LittleEndian(rest) > rest.Length - ConsumerJournal.FrameHeaderBytes
            || rest[^1] == 0 && rest[Math.Min(rest.Length - 1, ConsumerJournal.FrameHeaderBytes)..].IndexOfAnyExcept((byte)0) < 0;

    private void Apply(ReadOnlySpan<byte> steps)
    {
        HasFrames = true;
        while (!steps.IsEmpty)
        {
            var kind = (ConsumerStep)steps[0];
            steps = steps[1..];
            if (!VariableLength.TryRead(ref steps, out var a)
                || !VariableLength.TryRead(ref steps, out var b)
                || !VariableLength.TryRead(ref steps, out var c)
                || !VariableLength.TryRead(ref steps, out var d)
                || !TryApply(kind, a, b, c, d))
            {
                return;
            }
        }
    }

    private bool TryApply(ConsumerStep kind, ulong a, ulong b, ulong c, ulong d)
    {
        switch (kind)
        {
            case ConsumerStep.Delivered:
                Deliver(a, b, c, (long)d);
                break;
            case ConsumerStep.Acknowledged:
                Reach(a);
                RemoveUnknown(a, a);
                State.Acknowledge(a);
                break;
            case ConsumerStep.AcknowledgedUpTo:
                RemoveUnknown(0, a);
                State.AcknowledgeUpTo(a, b);
                break;
            case ConsumerStep.Touched:
                State.Touch(a, (long)b);
                break;
            case ConsumerStep.Exhausted:
                Reach(a);
                RemoveUnknown(a, a);
                State.Exhaust(a, b);
                break;
            case ConsumerStep.Position:
                _unknown.Clear();
                (State.DeliveredStream, State.DeliveredConsumer) = (a, b);
                (State.AckFloorStream, State.AckFloorConsumer) = (c, d);
                break;
            case ConsumerStep.Open:
                if (!State.Pending.Contains(a)) State.Pending.Add(new PendingDelivery(a, b, (long)d));
                break;
            case ConsumerStep.Again:
                State.Redelivered[a] = b;
                break;
            case ConsumerStep.Held:
                State.HeldFloor = (a, b);
                break;
            case ConsumerStep.Owner:
                Owner = a;
                break;
            case ConsumerStep.Length:
                LogLength = (long)a;
                break;
            default:
                return false;
        }

        return true;
    }

    private void Deliver(ulong stream, ulong consumer, ulong count, long timestamp)
    {
        if (DamagedAt >= 0)
        {
            if (_isBehindDamage && stream > State.DeliveredStream)
            {
                _isBehindDamage = false;
                if (stream > State.DeliveredStream + 1) _unknown.Add(new SequenceRange(State.DeliveredStream + 1, stream - 1));
            }
            else if (stream <= State.DeliveredStream && !State.Pending.Contains(stream))
            {
                // A redelivery: the message was open, and stays unknown, because open messages are kept in the order of their first deliveries.
                State.DeliveredConsumer = Math.Max(State.DeliveredConsumer, consumer);
                if (count > 1) State.Redelivered[stream] = count - 1;
                return;
            }
        }

        State.Deliver(stream, consumer, count, timestamp, expectsAck: true);
    }

    // A delivery in the damaged part, whose acknowledgement comes after it.
    private void Reach(ulong stream)
    {
        if (DamagedAt < 0 || stream <= State.DeliveredStream) return;
        _unknown.Add(new SequenceRange(State.DeliveredStream + 1, stream));
        State.DeliveredConsumer += stream - State.DeliveredStream;
        State.DeliveredStream = stream;
    }

    private bool IsUnknown(ulong sequence) => _unknown.Exists(range => range.First <= sequence && sequence <= range.Last);

    private void RemoveUnknown(ulong first, ulong last)
    {
        for (var i = _unknown.Count - 1; i >= 0; i--)
        {
            var range = _unknown[i];
            if (range.First > last || range.Last < first) continue;
            _unknown.RemoveAt(i);
            if (range.Last > last) _unknown.Insert(i, range with { First = last + 1 });
            if (range.First < first) _unknown.Insert(i, range with { Last = first - 1 });
        }
    }
}
