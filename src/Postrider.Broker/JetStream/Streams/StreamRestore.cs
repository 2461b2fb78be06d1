using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Postrider.Broker.Compression;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Snapshots;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;
using Postrider.Sockets;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Creates a stream from an archive that arrives in chunks.</summary>
/// <remarks>
/// <para>Until the archive is complete the stream is not visible: its name is reserved and its folder is marked as discarded. Order of an archive:
/// state, consumers, messages, end; consumers are created when the messages are stored.</para>
/// <para>Not thread-safe. Source: nats-server, restore of streams.</para>
/// </remarks>
internal sealed class StreamRestore : IDisposable
{
    private readonly JetStreamAccount _account;
    private readonly StreamConfig _config;
    // Bytes stored between two commits: committing each block of an archive would flush the disk each time.
    private const int BytesPerCommit = 1024 * 1024;

    // Consumers are created when the messages are stored. 64 MiB are the documents of a million open deliveries.
    private const long MaxDocumentBytes = 64 * 1024 * 1024;

    // One more than the highest sequence that is accepted: there must be room after it for new messages.
    private const ulong SequenceLimit = 1UL << 63;

    private readonly SnapshotReader _reader = new();
    private readonly S2Decoder _decoder = new();
    private readonly List<KeyValuePair<string, byte[]>> _consumers = [];
    private StreamState? _state;
    private MessageStream? _stream;
    private long _documentBytes;
    private long _heldBytes;
    private int _uncommitted;
    private bool _hasMagic;
    private bool _hasEnded;

    public StreamRestore(JetStreamAccount account, StreamConfig config)
    {
        _account = account;
        _config = config;
    }

    /// <summary>Processes the next bytes.</summary>
    /// <returns>Null, or the problem with the archive.</returns>
    public string? ProcessChunk(ReadOnlySpan<byte> chunk)
    {
        _decoder.Add(chunk);
        while (true)
        {
            var status = _decoder.TryRead(out var plain);
            if (status == OperationStatus.InvalidData) return "the snapshot is damaged or not an S2 stream";
            if (status == OperationStatus.NeedMoreData) break;
            _reader.Add(plain);
            if ((TakeEntries() ?? CountHeld()) is { } problem) return problem;
        }

        return CountHeld() ?? Commit();
    }

    /// <summary>Puts the stream into service.</summary>
    /// <param name="batch">The batch for messages about it.</param>
    /// <param name="stream">The stream.</param>
    /// <returns>Null, or the problem.</returns>
    public string? Finish(SendBatch batch, out MessageStream? stream)
    {
        stream = null;
        if (!_hasEnded || _stream is null) return "backup was truncated";
        if (Commit() is { } refused) return refused;
        if (_state!.LastSequence > _stream.Store.LastSequence)
        {
            using (_stream.Gate.Hold()) _stream.Store.SkipTo(_state.LastSequence);
            if (_stream.Commit().Failed) return StoreProblem();
        }

        StreamRecovery.RebuildDuplicates(_stream);
        foreach (var (name, document) in _consumers)
        {
            if (_account.Engine.Consumers?.Import(_stream, name, document, batch) is { } problem) return $"failed to add consumer \"{name}\": {problem}";
        }

        _account.Engine.Consumers?.ReleaseAcknowledged(_stream);
        if (!_stream.Flush()) return StreamAppender.StoreFailed(_stream.Store).Description;
        lock (_account.Changes)
        {
            if (StreamLifecycle.Overlaps(_account, _config, null)) return ApiErrors.StreamSubjectOverlap.Description;
            _stream.WriteMetadata(_config);
            _stream.Folder?.Delete(StreamFiles.DiscardName);
            _stream.Folder?.Sync();
            _account.ReleaseName(_config.Name);
            _account.Add(_stream);
            _stream.Open();
        }

        stream = _stream;
        _stream = null;
        Release();
        AdvisoryPublisher.Stream(_account.Services, _config.Name, "CREATED", "create", batch);
        return null;
    }

    /// <summary>Aborts the restore and removes everything that it created.</summary>
    public void Abort(SendBatch batch)
    {
        Release();
        try
        {
            _stream?.Close(delete: true, batch);
            _stream?.Dispose();
        }
        finally
        {
            // Even after a disk error: the name is released, and the rest of the folder is marked as discarded.
            _stream = null;
            lock (_account.Changes) _account.ReleaseName(_config.Name);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Release();
        _stream?.Dispose();
    }

    private string? TakeEntries()
    {
        if (!_hasMagic)
        {
            var status = _reader.TryReadMagic();
            if (status == OperationStatus.InvalidData) return "snapshots of nats-server before 2.15 are not supported: take it with 2.15 or later";
            if (status == OperationStatus.NeedMoreData) return null;
            _hasMagic = true;
        }

        while (true)
        {
            var status = _reader.TryRead(out var entry);
            if (status == OperationStatus.NeedMoreData) return null;
            if (status == OperationStatus.InvalidData) return "the snapshot is damaged: invalid entry";
            if (_hasEnded) return "the snapshot is damaged: it has entries after its end";
            if (TakeEntry(in entry) is { } problem) return problem;
            _uncommitted += entry.Name.Length + entry.Headers.Length + entry.Payload.Length;
            if (_uncommitted > BytesPerCommit && Commit() is { } refused) return refused;
        }
    }

    // A snapshot states its own size; the actual content is counted.
    private string? Commit()
    {
        _uncommitted = 0;
        if (_stream is null) return null;
        if (_stream.Commit().Failed) return StoreProblem();
        return _account.Services.Storage.FindLimitProblem(_config.Storage, 0)?.Description;
    }

    // Limits the buffers and documents of all restores together: a single restore is small.
    private string? CountHeld()
    {
        var held = _decoder.HeldBytes + _reader.HeldBytes + _documentBytes;
        var isWithin = _account.Engine.RestoreMemory.TryChange(held - _heldBytes);
        if (isWithin) _heldBytes = held;
        return isWithin ? null : "the running restores use too much memory, try again later";
    }

    private void Release()
    {
        _ = _account.Engine.RestoreMemory.TryChange(-_heldBytes);
        _heldBytes = 0;
    }

    private string? TakeEntry(in SnapshotEntry entry)
    {
        if (_state is null) return Begin(in entry);
        if (_consumers.Count < _state.ConsumerCount)
        {
            var name = Encoding.UTF8.GetString(entry.Name);
            if (!name.StartsWith(SnapshotFormat.ConsumerPrefix, StringComparison.Ordinal)) return $"expected consumer, found \"{name}\"";
            name = name[SnapshotFormat.ConsumerPrefix.Length..];
            if (!StreamConfigValidator.IsName(name)) return $"\"{name}\" is not a valid consumer name";
            _documentBytes += entry.Payload.Length;
            if (_documentBytes > MaxDocumentBytes) return $"the consumers' documents exceed {MaxDocumentBytes} bytes";
            _consumers.Add(KeyValuePair.Create(name, entry.Payload.ToArray()));
            return null;
        }

        if (!entry.IsEnd) return Store(in entry);
        _hasEnded = true;
        return null;
    }

    private string? Begin(in SnapshotEntry entry)
    {
        if (!entry.Name.SequenceEqual(Encoding.UTF8.GetBytes(SnapshotFormat.StateName))) return "expected state.json first";
        try
        {
            _state = JsonSerializer.Deserialize(entry.Payload, StreamJson.Lenient.StreamState) ?? throw new JsonException("it is empty");
        }
        catch (JsonException error)
        {
            return $"error in state.json: {error.Message}";
        }

        var (first, last, messages) = (_state.FirstSequence, _state.LastSequence, (ulong)Math.Max(_state.Messages, 0));
        var isEmpty = first == 0 ? last == 0 : first - 1 == last;
        var isRange = first > 0 && first <= last && messages <= last - first + 1;
        if (last >= SequenceLimit || first > SequenceLimit || _state.ConsumerCount < 0 || !(isEmpty ? messages == 0 : isRange)) return "invalid stream state: inconsistent message count or sequence range";
        if (_account.Services.Storage.FindLimitProblem(_config.Storage, Math.Max(_state.Bytes, 0)) is { } limit) return limit.Description;
        try
        {
            Open(Math.Max(first, 1));
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            StreamLog.StoreFailed(_account.Engine.Logger, _account.Account.Name, _config.Name, error.Message);
            return $"error creating store for stream: {DiskErrors.ReasonOf(error)}";
        }
    }

    private void Open(ulong first)
    {
        var engine = _account.Engine;
        var folder = _config.Storage == StreamStorage.File ? _account.Folder!.Folder(StreamFiles.StreamsName).Folder(_config.Name) : null;
        folder?.DeleteAll();
        if (folder is not null) StreamFiles.MarkDiscarded(folder);
        var store = StreamStoreFactory.Open(engine, _account, _config with { FirstSequence = first }, folder);
        _stream = new MessageStream(_account, _config, store, folder, engine.Time.GetUtcNow());
    }

    private string? Store(in SnapshotEntry entry)
    {
        var (store, sequence) = (_stream!.Store, entry.Sequence);
        string Problem(string what) => string.Create(CultureInfo.InvariantCulture, $"message sequence {sequence} {what}");
        if (sequence == 0) return "expected message sequence";
        if (sequence > _state!.LastSequence) return Problem("is beyond the last");
        if (!_config.Fits(entry.Headers, entry.Payload)) return Problem("exceeds maximum message size");
        var ttl = MessageHeaders.TryFind(entry.Headers, "Nats-TTL"u8, out var value) ? value : [];
        if (!MessageTtl.TryParse(ttl, out var seconds)) return Problem("has an invalid time to live");
        if (!_config.AllowMessageTtl) seconds = 0;
        using (_stream.Gate.Hold())
        {
            if (sequence <= store.LastSequence) return Problem("out of order");
            if (sequence > store.NextSequence && store.SkipTo(sequence - 1) != StoreStatus.Ok) return StoreProblem();
            var expired = seconds > 0 && ExpiryQueue.MomentOf(entry.Timestamp, seconds) <= _account.Engine.Clock.Now;
            var stored = expired
                ? store.SkipTo(sequence)
                : store.Append(entry.Name, entry.Headers, entry.Payload, Math.Max(entry.Timestamp, store.LastTimestamp), seconds, out _);
            return stored switch
            {
                StoreStatus.Ok => null,
                StoreStatus.TooLarge => Problem("exceeds maximum store message size"),
                _ => StoreProblem(),
            };
        }
    }

    private string StoreProblem() => _stream!.Store.Fault?.Reason ?? "the store refused the message";
}
