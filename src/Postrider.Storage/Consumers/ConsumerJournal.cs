// Hot path: consumer -> this, per delivery and acknowledgement; one write per commit. Allocations: none.
using System.Buffers;
using System.Buffers.Binary;
using System.Globalization;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Records;

namespace Postrider.Storage.Consumers;

/// <summary>The state of one consumer on the disk: a snapshot and the steps since then, so that an acknowledgement costs a few bytes
/// and a kill loses no committed one.</summary>
/// <remarks>
/// <para>Shape: frames of length (4) | CRC-32C (4) | steps. A step is a kind (1) and variable-length numbers. The first frame is
/// a snapshot. An incomplete frame was being written, or is damaged: see <see cref="ConsumerReplay"/>. The file is rewritten, and renamed
/// over the old one, when the steps outweigh the snapshot.</para>
/// <para>At a clean end a copy of the state is written next to it, which is not flushed. As a log only goes forward, everything that the copy
/// contains is true, however old it is; an operation that moves the consumer back deletes the copy first.</para>
/// <para>The new file must be on the disk before it replaces the old one. The owner that sets <see cref="CompactionDue"/> flushes it
/// elsewhere, and in the meantime steps are written to both files: flushing it here cost a durable consumer two thirds of its rate.</para>
/// <para>A new log has no file until its first <see cref="Rewrite"/> or <see cref="Commit"/>.</para>
/// <para>Not thread-safe. Errors: the exceptions of the file system; the state in memory is then ahead of the disk.</para>
/// </remarks>
internal sealed class ConsumerJournal : IDisposable
{
    /// <summary>The length and checksum before a frame's steps.</summary>
    public const int FrameHeaderBytes = 8;

    // 1 MiB: replayed in a few milliseconds; some forty thousand messages fill it.
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

        // A short log without a torn end is continued: rewriting each would flush the disk at every start.
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

    /// <summary>The state after every step so far, committed or not.</summary>
    public ConsumerState State { get; }

    /// <summary>Receives the file that is to replace the log: it has to be flushed on another thread and passed to <see cref="Finish"/>, or to
    /// <see cref="Abandon"/>. Null: a commit does all of it.</summary>
    public Action<IStoreFile>? CompactionDue { get; set; }

    /// <summary>Whether the consumer had a state before it was opened.</summary>
    public bool Existed { get; }

    /// <summary>Whether there are steps that <see cref="Commit"/> has to write.</summary>
    public bool HasSteps => _moved || _steps.WrittenCount > 0;

    /// <summary>Opens the log of a consumer, or creates one.</summary>
    /// <param name="folder">The consumer's folder.</param>
    /// <param name="name">The file's name.</param>
    /// <param name="damage">The damage; null for an intact log and for a new one.</param>
    public static ConsumerJournal Open(IStoreFolder folder, string name, out ConsumerDamage? damage) => Open(folder, name, 0, out damage);

    /// <summary>Opens the log of a consumer, or creates one.</summary>
    /// <param name="folder">The consumer's folder.</param>
    /// <param name="name">The file's name.</param>
    /// <param name="owner">A number that identifies the consumer: a log with another one belongs to another consumer. 0 is not checked.</param>
    /// <param name="damage">The damage; null for an intact log and for a new one.</param>
    /// <param name="flushesFirst">Whether the file of a new log is flushed when it is written for the first time.</param>
    public static ConsumerJournal Open(IStoreFolder folder, string name, ulong owner, out ConsumerDamage? damage, bool flushesFirst = true)
    {
        var replay = Read(folder, name, owner, out damage, out var bytes);
        if (bytes is { Length: > 0 } && damage is { IsLoss: true }) KeepDamaged(folder, name, bytes);
        var wholeBytes = damage is null && bytes is { Length: > 0 } && replay.DamagedBytes == 0 ? bytes.Length : 0;
        return new ConsumerJournal(folder, name, owner, replay, isNew: bytes is null && !replay.HasFrames, wholeBytes, flushesFirst);
    }

    /// <summary>Reads the state of a consumer without changing anything.</summary>
    public static ConsumerState Peek(IStoreFolder folder, string name, ulong owner) => Read(folder, name, owner, out _, out _).State;

    /// <summary>Records a delivery; see <see cref="ConsumerState.Deliver"/>.</summary>
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

    /// <summary>Records that the wait for an acknowledgement restarts.</summary>
    public void Touch(ulong streamSequence, long timestamp)
    {
        State.Touch(streamSequence, timestamp);
        Put(ConsumerStep.Touched, streamSequence, (ulong)timestamp, 0, 0);
    }

    /// <summary>Records that one message was acknowledged.</summary>
    /// <returns>False when it was not open.</returns>
    public bool Acknowledge(ulong streamSequence)
    {
        Put(ConsumerStep.Acknowledged, streamSequence, 0, 0, 0);
        return State.Acknowledge(streamSequence);
    }

    /// <summary>Records that a message was delivered for the last time.</summary>
    public void Exhaust(ulong streamSequence, ulong deliveries)
    {
        State.Exhaust(streamSequence, deliveries);
        Put(ConsumerStep.Exhausted, streamSequence, deliveries, 0, 0);
    }

    /// <summary>Records that every message up to a stream sequence was acknowledged.</summary>
    public void AcknowledgeUpTo(ulong streamSequence, ulong consumerSequence)
    {
        State.AcknowledgeUpTo(streamSequence, consumerSequence);
        Put(ConsumerStep.AcknowledgedUpTo, streamSequence, consumerSequence, 0, 0);
    }

    /// <summary>Replaces the state: for a restore.</summary>
    public void Reset(ConsumerState state)
    {
        State.CopyFrom(state);
        Rewrite();
    }

    /// <summary>Writes the current <see cref="State"/> after a change that is not a step: a start, a purge.</summary>
    public void Rewrite()
    {
        _moved = false;
        _steps.ResetWrittenCount();
        _folder.Delete(_name + Copy);
        _file = Replace(_file);
    }

    /// <summary>Writes a copy of the state next to the log: for a clean end, after the last commit.</summary>
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

    /// <summary>Writes the steps since the last commit, in one write.</summary>
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
            // The state contains these steps; if writing it fails, they still have to be written.
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

    /// <summary>Replaces the log with a file that has been flushed.</summary>
    /// <param name="file">The file that <see cref="CompactionDue"/> received; one that was abandoned meanwhile is ignored.</param>
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

    /// <summary>Keeps the log and its file; the compaction is tried again later.</summary>
    /// <param name="file">The file that <see cref="CompactionDue"/> received.</param>
    public void Abandon(IStoreFile file)
    {
        if (ReferenceEquals(file, _next))
        {
            _next = null;
            file.Dispose();
            _compactAt = _length + MinCompactBytes;
        }
    }

    /// <summary>Returns when everything committed is on the disk.</summary>
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

    // Writes the steps as a frame; they are kept.
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
            // The log itself contains the steps.
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

    /// <summary>Writes the whole state to a new file that replaces the old one.</summary>
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

        // Last: older versions that do not know it skip the rest of a frame.
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
