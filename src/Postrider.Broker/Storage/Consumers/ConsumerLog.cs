// Hot path: consumer -> this, per delivery and acknowledgement; one write per commit. Allocations: none.
using System.Buffers;
using System.Buffers.Binary;

namespace Postrider.Broker.Storage.Consumers;

/// <summary>The state of one consumer on the disk: a snapshot and the steps since, so that an acknowledgement costs a few bytes
/// and a kill loses none that was committed.</summary>
/// <remarks>
/// <para>Shape: frames of length (4) | CRC-32C (4) | steps. A step is a kind (1) and variable-length numbers. The first frame is
/// a snapshot. A frame that is not whole ends the log: it was being written. The file is written anew, and renamed over the
/// old one, when the steps outweigh the snapshot.</para>
/// <para>The new file must be on the disk before it takes the old one's place. Whoever sets <see cref="CompactionDue"/> flushes it
/// elsewhere, and steps go to both files meanwhile: flushed here, it cost a durable consumer two thirds of its rate.</para>
/// <para>Not thread-safe. Errors: what the disk throws; the state in memory is then ahead of the disk.</para>
/// </remarks>
internal sealed class ConsumerLog : IDisposable
{
    // 1 MiB: replayed in a few milliseconds, and written by some forty thousand messages.
    private const long MinCompactBytes = 1024 * 1024;
    private const int FrameHeaderBytes = 8;
    private const string Unfinished = ".tmp";
    private const int MaxStepBytes = 1 + (4 * VariableLength.MaxBytes);

    private readonly IStoreFolder _folder;
    private readonly string _name;
    private readonly ArrayBufferWriter<byte> _steps = new(1024);
    private IStoreFile _file;
    private long _length;
    private long _compactAt;
    private IStoreFile? _next;
    private long _nextLength;
    private bool _moved;

    private ConsumerLog(IStoreFolder folder, string name, ConsumerState state, bool existed, long wholeBytes)
    {
        _folder = folder;
        _name = name;
        State = state;
        Existed = existed;

        // A short log without a torn end is gone on with: written anew, each cost a flush of the disk at every start.
        if (wholeBytes is > 0 and < MinCompactBytes)
        {
            _file = folder.Open(name, writable: true);
            _length = wholeBytes;
            _compactAt = MinCompactBytes;
        }
        else
        {
            _file = Replace(null);
        }
    }

    private enum Step : byte
    {
        Delivered = 1,
        Acknowledged = 3,
        AcknowledgedUpTo = 4,
        Position = 5,
        Open = 6,
        Again = 7,
        Touched = 8,
        GivenUp = 9,
        Held = 10,
    }

    /// <summary>The state with every step so far, committed or not.</summary>
    public ConsumerState State { get; }

    /// <summary>Takes the file that is to replace the log: to be flushed on another thread and given to <see cref="Finish"/>, or to
    /// <see cref="Abandon"/>. Null: a commit does all of it.</summary>
    public Action<IStoreFile>? CompactionDue { get; set; }

    /// <summary>Whether the consumer had a state before it was opened.</summary>
    public bool Existed { get; }

    /// <summary>Whether there are steps that <see cref="Commit"/> has to write.</summary>
    public bool HasSteps => _moved || _steps.WrittenCount > 0;

    /// <summary>Opens the log of a consumer, or begins one.</summary>
    /// <param name="folder">Where it is.</param>
    /// <param name="name">The file's name.</param>
    /// <param name="damagedBytes">Bytes at its end that were no whole frame.</param>
    public static ConsumerLog Open(IStoreFolder folder, string name, out long damagedBytes)
    {
        var state = new ConsumerState();
        damagedBytes = 0;
        var existed = false;
        long wholeBytes = 0;
        try
        {
            using var file = folder.Open(name, writable: false);
            var bytes = new byte[file.Length];
            file.Read(0, bytes);
            damagedBytes = Replay(bytes, state);
            existed = bytes.Length > 0;
            wholeBytes = damagedBytes == 0 ? bytes.Length : 0;
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            // A new consumer.
        }

        return new ConsumerLog(folder, name, state, existed, wholeBytes);
    }

    /// <summary>A message was delivered; see <see cref="ConsumerState.Deliver"/>.</summary>
    public int Deliver(ulong streamSequence, ulong consumerSequence, ulong count, long timestamp, bool expectsAck)
    {
        if (expectsAck)
        {
            Put(Step.Delivered, streamSequence, consumerSequence, count, (ulong)timestamp);
        }
        else
        {
            // Only the newest of these matters: one step for all of a commit.
            _moved = true;
        }

        return State.Deliver(streamSequence, consumerSequence, count, timestamp, expectsAck);
    }

    /// <summary>The wait for an acknowledgement begins anew.</summary>
    public void Touch(ulong streamSequence, long timestamp)
    {
        State.Touch(streamSequence, timestamp);
        Put(Step.Touched, streamSequence, (ulong)timestamp, 0, 0);
    }

    /// <summary>One message is done.</summary>
    /// <returns>False when it was not open.</returns>
    public bool Acknowledge(ulong streamSequence)
    {
        Put(Step.Acknowledged, streamSequence, 0, 0, 0);
        return State.Acknowledge(streamSequence);
    }

    /// <summary>A message was delivered for the last time.</summary>
    public void GiveUp(ulong streamSequence, ulong deliveries)
    {
        State.GiveUp(streamSequence, deliveries);
        Put(Step.GivenUp, streamSequence, deliveries, 0, 0);
    }

    /// <summary>Every message up to a stream sequence is done.</summary>
    public void AcknowledgeUpTo(ulong streamSequence, ulong consumerSequence)
    {
        State.AcknowledgeUpTo(streamSequence, consumerSequence);
        Put(Step.AcknowledgedUpTo, streamSequence, consumerSequence, 0, 0);
    }

    /// <summary>Begins again from another state: restore.</summary>
    public void Reset(ConsumerState state)
    {
        State.CopyFrom(state);
        Rewrite();
    }

    /// <summary>Writes <see cref="State"/> as it is now, after a change that is no step: a start, a purge.</summary>
    public void Rewrite()
    {
        _moved = false;
        _steps.ResetWrittenCount();
        _file = Replace(_file);
    }

    /// <summary>Writes the steps since the last commit: one write.</summary>
    public void Commit()
    {
        if (_moved)
        {
            _moved = false;
            Put(Step.Position, State.DeliveredStream, State.DeliveredConsumer, State.AckFloorStream, State.AckFloorConsumer);
        }

        if (_steps.WrittenCount == 0)
        {
            return;
        }

        var payload = _steps.WrittenCount;
        WriteSteps(_file, _length);
        _length += FrameHeaderBytes + payload;
        if (_next is not null)
        {
            WriteToNext();
        }

        _steps.ResetWrittenCount();
        if (_length > _compactAt && _next is null)
        {
            Shorten();
        }
    }

    /// <summary>Puts a file that is on the disk in the place of the log.</summary>
    /// <param name="file">What <see cref="CompactionDue"/> got; one that was given up meanwhile is ignored.</param>
    public void Finish(IStoreFile file)
    {
        if (!ReferenceEquals(file, _next))
        {
            return;
        }

        _next = null;
        _folder.Rename(_name + Unfinished, _name);
        _file.Dispose();
        _file = file;
        _length = _nextLength;
    }

    /// <summary>Keeps the log and its file; it is tried again later.</summary>
    /// <param name="file">What <see cref="CompactionDue"/> got.</param>
    public void Abandon(IStoreFile file)
    {
        if (ReferenceEquals(file, _next))
        {
            _next = null;
            file.Dispose();
            _compactAt = _length + MinCompactBytes;
        }
    }

    /// <summary>Returns when the disk has what was committed.</summary>
    public void Sync() => _file.Sync();

    /// <inheritdoc/>
    public void Dispose()
    {
        _next?.Dispose();
        _next = null;
        _file.Dispose();
    }

    private static long Replay(ReadOnlySpan<byte> bytes, ConsumerState state)
    {
        while (bytes.Length >= FrameHeaderBytes)
        {
            var length = BinaryPrimitives.ReadInt32LittleEndian(bytes);
            if (length <= 0 || length > bytes.Length - FrameHeaderBytes)
            {
                break;
            }

            var steps = bytes.Slice(FrameHeaderBytes, length);
            if (Crc32C.Compute(steps, (uint)length) != BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]))
            {
                break;
            }

            while (TryApply(ref steps, state))
            {
            }

            bytes = bytes[(FrameHeaderBytes + length)..];
        }

        return bytes.Length;
    }

    private static bool TryApply(ref ReadOnlySpan<byte> steps, ConsumerState state)
    {
        if (steps.IsEmpty)
        {
            return false;
        }

        var kind = (Step)steps[0];
        steps = steps[1..];
        if (!VariableLength.TryRead(ref steps, out var a)
            || !VariableLength.TryRead(ref steps, out var b)
            || !VariableLength.TryRead(ref steps, out var c)
            || !VariableLength.TryRead(ref steps, out var d))
        {
            return false;
        }

        switch (kind)
        {
            case Step.Delivered:
                state.Deliver(a, b, c, (long)d, expectsAck: true);
                break;
            case Step.Acknowledged:
                state.Acknowledge(a);
                break;
            case Step.AcknowledgedUpTo:
                state.AcknowledgeUpTo(a, b);
                break;
            case Step.Touched:
                state.Touch(a, (long)b);
                break;
            case Step.GivenUp:
                state.GiveUp(a, b);
                break;
            case Step.Position:
                (state.DeliveredStream, state.DeliveredConsumer) = (a, b);
                (state.AckFloorStream, state.AckFloorConsumer) = (c, d);
                break;
            case Step.Open:
                if (!state.Pending.Contains(a))
                {
                    state.Pending.Add(new PendingDelivery(a, b, (long)d));
                }

                break;
            case Step.Again:
                state.Redelivered[a] = b;
                break;
            case Step.Held:
                state.HeldFloor = (a, b);
                break;
            default:
                return false;
        }

        return true;
    }

    private static void WriteFrame(Span<byte> target, ReadOnlySpan<byte> steps)
    {
        BinaryPrimitives.WriteInt32LittleEndian(target, steps.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(target[4..], Crc32C.Compute(steps, (uint)steps.Length));
        steps.CopyTo(target[FrameHeaderBytes..]);
    }

    private void Put(Step kind, ulong a, ulong b, ulong c, ulong d)
    {
        var target = _steps.GetSpan(MaxStepBytes);
        target[0] = (byte)kind;
        var count = 1;
        count += VariableLength.Write(target[count..], a);
        count += VariableLength.Write(target[count..], b);
        count += VariableLength.Write(target[count..], c);
        count += VariableLength.Write(target[count..], d);
        _steps.Advance(count);
    }

    // The steps as a frame; they stay.
    private void WriteSteps(IStoreFile file, long at)
    {
        var length = FrameHeaderBytes + _steps.WrittenCount;
        var frame = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            WriteFrame(frame, _steps.WrittenSpan);
            file.Write(at, frame.AsSpan(0, length));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(frame);
        }
    }

    private void WriteToNext()
    {
        var next = _next!;
        try
        {
            WriteSteps(next, _nextLength);
            _nextLength += FrameHeaderBytes + _steps.WrittenCount;
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            // The log itself has the steps.
            Abandon(next);
        }
    }

    private void Shorten()
    {
        if (CompactionDue is null)
        {
            _file = Replace(_file);
            return;
        }

        _next = WriteSnapshot(out _nextLength);
        _compactAt = Math.Max(MinCompactBytes, 4 * _nextLength);
        CompactionDue(_next);
    }

    /// <summary>Writes the whole state as a new file in place of the old one.</summary>
    private IStoreFile Replace(IStoreFile? old)
    {
        _next?.Dispose();
        _next = null;
        var file = WriteSnapshot(out var length);
        try
        {
            file.Sync();
            _folder.Rename(_name + Unfinished, _name);
        }
        catch
        {
            file.Dispose();
            throw;
        }

        old?.Dispose();
        _length = length;
        _compactAt = Math.Max(MinCompactBytes, 4 * length);
        return file;
    }

    private IStoreFile WriteSnapshot(out long length)
    {
        Put(Step.Position, State.DeliveredStream, State.DeliveredConsumer, State.AckFloorStream, State.AckFloorConsumer);
        if (State.HeldFloor is { } held) Put(Step.Held, held.Stream, held.Consumer, 0, 0);
        for (var slot = State.Pending.Oldest; slot != PendingTable.None; slot = State.Pending.NextOf(slot))
        {
            var delivery = State.Pending.At(slot);
            Put(Step.Open, delivery.StreamSequence, delivery.ConsumerSequence, 0, (ulong)delivery.Timestamp);
        }

        foreach (var (sequence, count) in State.Redelivered)
        {
            Put(Step.Again, sequence, count, 0, 0);
        }

        length = FrameHeaderBytes + _steps.WrittenCount;
        var file = _folder.Create(_name + Unfinished);
        try
        {
            WriteSteps(file, 0);
        }
        catch
        {
            file.Dispose();
            throw;
        }
        finally
        {
            _steps.ResetWrittenCount();
        }

        return file;
    }
}
