// Hot path: consumer -> this, per delivery and acknowledgement; one write per commit. Allocations: none.
using System.Buffers;
using System.Buffers.Binary;
using System.Globalization;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Records;

namespace Postrider.Storage.Consumers;

/// <summary>The state of one consumer on the disk: a snapshot and the steps since, so that an acknowledgement costs a few bytes
/// and a kill loses none that was committed.</summary>
/// <remarks>
/// <para>Shape: frames of length (4) | CRC-32C (4) | steps. A step is a kind (1) and variable-length numbers. The first frame is
/// a snapshot. A frame that is not whole was being written, or is damaged: see <see cref="ConsumerReplay"/>. The file is rewritten, and renamed
/// over the old one, when the steps outweigh the snapshot.</para>
/// <para>At a clean end a copy of the state is put beside it, which is not flushed. As a log only goes forward, the copy is right for all that
/// it knows, however old it is; what makes a consumer go back deletes the copy first.</para>
/// <para>The new file must be on the disk before it takes the old one's place. The owner that sets <see cref="CompactionDue"/> flushes it
/// elsewhere, and steps go to both files meanwhile: flushed here, it cost a durable consumer two thirds of its rate.</para>
/// <para>A new log has no file until its first <see cref="Rewrite"/> or <see cref="Commit"/>.</para>
/// <para>Not thread-safe. Errors: what the disk throws; the state in memory is then ahead of the disk.</para>
/// </remarks>
internal sealed class ConsumerJournal : IDisposable
{
    /// <summary>Length and checksum in front of a frame's steps.</summary>
    public const int FrameHeaderBytes = 8;

    // 1 MiB: replayed in a few milliseconds, and written by some forty thousand messages.
    private const long MinCompactBytes = 1024 * 1024;
    private const string Unfinished = ".tmp";
    private const string Copy = ".copy";
    private const string Damaged = ".damaged";
    private const int MaxStepBytes = 1 + (4 * VariableLength.MaxBytes);

    private readonly IStoreFolder _folder;
    private readonly string _name;
    private readonly ulong _owner;
    private readonly ArrayBufferWriter<byte> _steps = new(1024);
    private readonly bool _flushesFirst;
    private IStoreFile? _file;
    private long _length;
    private long _compactAt;
    private IStoreFile? _next;
    private long _nextLength;
    private bool _moved;

    private ConsumerJournal(IStoreFolder folder, string name, ulong owner, ConsumerReplay replay, bool isNew, long wholeBytes, bool flushesFirst)
    {
        _folder = folder;
        _name = name;
        _owner = owner;
        State = replay.State;
        Existed = replay.HasFrames;
        _flushesFirst = flushesFirst;

        // A short log without a torn end is continued: rewriting each would cost a flush of the disk at every start.
        if (wholeBytes is > 0 and < MinCompactBytes)
        {
            _file = folder.Open(name, writable: true);
            _length = wholeBytes;
            _compactAt = MinCompactBytes;
        }
        else if (!isNew)
        {
            _file = Replace(null);
        }
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
    /// <param name="damage">What is wrong with it; null for a whole log and for a new one.</param>
    public static ConsumerJournal Open(IStoreFolder folder, string name, out ConsumerDamage? damage) => Open(folder, name, 0, out damage);

    /// <summary>Opens the log of a consumer, or begins one.</summary>
    /// <param name="folder">Where it is.</param>
    /// <param name="name">The file's name.</param>
    /// <param name="owner">A number of the consumer: a log that bears another one belongs to another consumer. 0 is not checked.</param>
    /// <param name="damage">What is wrong with it; null for a whole log and for a new one.</param>
    /// <param name="flushesFirst">Whether the disk has the file of a new log when it has been written for the first time.</param>
    public static ConsumerJournal Open(IStoreFolder folder, string name, ulong owner, out ConsumerDamage? damage, bool flushesFirst = true)
    {
        var replay = Read(folder, name, owner, out damage, out var bytes);
        if (bytes is { Length: > 0 } && damage is { IsLoss: true }) KeepDamaged(folder, name, bytes);
        var wholeBytes = damage is null && bytes is { Length: > 0 } && replay.DamagedBytes == 0 ? bytes.Length : 0;
        return new ConsumerJournal(folder, name, owner, replay, isNew: bytes is null && !replay.HasFrames, wholeBytes, flushesFirst);
    }

    /// <summary>Reads how far a consumer came, and changes nothing.</summary>
    public static ConsumerState Peek(IStoreFolder folder, string name, ulong owner) => Read(folder, name, owner, out _, out _).State;

    /// <summary>A message was delivered; see <see cref="ConsumerState.Deliver"/>.</summary>
    public int Deliver(ulong streamSequence, ulong consumerSequence, ulong count, long timestamp, bool expectsAck)
    {
        if (expectsAck)
        {
            Put(ConsumerStep.Delivered, streamSequence, consumerSequence, count, (ulong)timestamp);
        }
        else
        {
            // Only the newest of these matters: one step for all of a commit.
            _moved = true;
        }

        return State.Deliver(streamSequence, consumerSequence, count, timestamp, expectsAck);
    }

    /// <summary>The wait for an acknowledgement restarts.</summary>
    public void Touch(ulong streamSequence, long timestamp)
    {
        State.Touch(streamSequence, timestamp);
        Put(ConsumerStep.Touched, streamSequence, (ulong)timestamp, 0, 0);
    }

    /// <summary>One message is done.</summary>
    /// <returns>False when it was not open.</returns>
    public bool Acknowledge(ulong streamSequence)
    {
        Put(ConsumerStep.Acknowledged, streamSequence, 0, 0, 0);
        return State.Acknowledge(streamSequence);
    }

    /// <summary>A message was delivered for the last time.</summary>
    public void Exhaust(ulong streamSequence, ulong deliveries)
    {
        State.Exhaust(streamSequence, deliveries);
        Put(ConsumerStep.Exhausted, streamSequence, deliveries, 0, 0);
    }

    /// <summary>Every message up to a stream sequence is done.</summary>
    public void AcknowledgeUpTo(ulong streamSequence, ulong consumerSequence)
    {
        State.AcknowledgeUpTo(streamSequence, consumerSequence);
        Put(ConsumerStep.AcknowledgedUpTo, streamSequence, consumerSequence, 0, 0);
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
        _folder.Delete(_name + Copy);
        _file = Replace(_file);
    }

    /// <summary>Puts a copy of the state beside the log: for a clean end, after the last commit.</summary>
    public void WriteCopy()
    {
        _steps.ResetWrittenCount();
        PutState();
        Put(ConsumerStep.Length, (ulong)_length, 0, 0, 0);
        try
        {
            using var file = _folder.Create(_name + Copy);
            WriteSteps(file, 0);
        }
        finally
        {
            _steps.ResetWrittenCount();
        }
    }

    /// <summary>Writes the steps since the last commit: one write.</summary>
    public void Commit()
    {
        if (_moved)
        {
            _moved = false;
            Put(ConsumerStep.Position, State.DeliveredStream, State.DeliveredConsumer, State.AckFloorStream, State.AckFloorConsumer);
        }

        if (_steps.WrittenCount == 0)
        {
            return;
        }

        if (_file is null)
        {
            // The state has these steps; should the disk refuse it, there is still something to write.
            _steps.ResetWrittenCount();
            _moved = true;
            _file = Replace(null);
            _moved = false;
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
        _file!.Dispose();
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
    public void Sync() => _file?.Sync();

    /// <inheritdoc/>
    public void Dispose()
    {
        _next?.Dispose();
        _next = null;
        _file?.Dispose();
    }

    private static void WriteFrame(Span<byte> target, ReadOnlySpan<byte> steps)
    {
        BinaryPrimitives.WriteInt32LittleEndian(target, steps.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(target[4..], Crc32C.Compute(steps, (uint)steps.Length));
        steps.CopyTo(target[FrameHeaderBytes..]);
    }

    private void Put(ConsumerStep kind, ulong a, ulong b, ulong c, ulong d)
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
            if (old is not null || Existed || _flushesFirst) file.Sync();
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
        PutState();
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

    private void PutState()
    {
        Put(ConsumerStep.Position, State.DeliveredStream, State.DeliveredConsumer, State.AckFloorStream, State.AckFloorConsumer);
        if (State.HeldFloor is { } held) Put(ConsumerStep.Held, held.Stream, held.Consumer, 0, 0);
        for (var slot = State.Pending.Oldest; slot != PendingTable.None; slot = State.Pending.NextOf(slot))
        {
            var delivery = State.Pending.At(slot);
            Put(ConsumerStep.Open, delivery.StreamSequence, delivery.ConsumerSequence, 0, (ulong)delivery.Timestamp);
        }

        foreach (var (sequence, count) in State.Redelivered)
        {
            Put(ConsumerStep.Again, sequence, count, 0, 0);
        }

        // Last: versions that do not know it pass over the rest of a frame.
        if (_owner != 0) Put(ConsumerStep.Owner, _owner, 0, 0, 0);
    }

    private static ConsumerReplay Read(IStoreFolder folder, string name, ulong owner, out ConsumerDamage? damage, out byte[]? bytes)
    {
        bytes = ReadFile(folder, name);
        var copy = ConsumerReplay.Of(ReadFile(folder, name + Copy) ?? []);
        var hasCopy = copy.HasFrames && copy.DamagedBytes == 0 && (owner == 0 || copy.Owner == owner);
        var log = ConsumerReplay.Of(bytes ?? []);
        var isOfAnother = owner != 0 && log.Owner != 0 && log.Owner != owner;
        var isDamaged = isOfAnother || bytes is { Length: 0 } || (log.DamagedBytes > 0 && !log.IsTorn);
        var problem = bytes is null ? hasCopy ? $"{name} is missing" : null
            : isOfAnother ? $"{name} belongs to another consumer"
            : bytes.Length == 0 ? $"{name} is empty"
            : log.DamagedBytes == 0 ? null
            : string.Create(CultureInfo.InvariantCulture, $"{log.DamagedBytes} bytes of {name} at {log.DamagedAt} are {(log.IsTorn ? "an unfinished write" : "damaged")}");
        if (isOfAnother) log = new ConsumerReplay();
        if (isDamaged) log.State.Reopen(log.State.Pending.All());
        var isComplete = hasCopy && copy.LogLength == (bytes?.Length ?? 0);
        if (hasCopy && (problem is not null || copy.LogLength >= bytes!.Length) && log.Merge(copy))
        {
            problem ??= $"the end of {name} is missing";
            problem += ": its copy was used";
            isDamaged |= !log.HasFrames || copy.LogLength > (bytes?.Length ?? 0);
        }

        var hasState = log.HasFrames || hasCopy;
        damage = problem is null ? null : new ConsumerDamage(problem, isDamaged && !isComplete, !hasState, log.Unknown);
        if (!log.HasFrames && hasCopy) log.TakeOver();
        return log;
    }

    private static byte[]? ReadFile(IStoreFolder folder, string name)
    {
        try
        {
            using var file = folder.Open(name, writable: false);
            var bytes = new byte[file.Length];
            file.Read(0, bytes);
            return bytes;
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }

    // For operators: the journal is rewritten from its readable part.
    private static void KeepDamaged(IStoreFolder folder, string name, byte[] bytes)
    {
        using var file = folder.Create(name + Damaged);
        file.Write(0, bytes);
    }
}
