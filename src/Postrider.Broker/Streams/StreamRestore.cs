using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Postrider.Broker.Archives;
using Postrider.Broker.Storage;
using Postrider.Wire.Sockets;

namespace Postrider.Broker.Streams;

/// <summary>Makes a stream of an archive that comes in chunks.</summary>
/// <remarks>
/// <para>Until the archive has ended the stream is nobody's: its name is kept, its folder marked as none. Order of an archive: state,
/// consumers, messages, end; consumers are made when the messages are there.</para>
/// <para>Not thread-safe. Source: nats-server's <c>RestoreStreamV2</c>.</para>
/// </remarks>
internal sealed class StreamRestore : IDisposable
{
    private readonly JetStreamAccount _account;
    private readonly StreamConfig _config;
    private readonly ArrayBufferWriter<byte> _decoded = new();
    private readonly S2Decoder _decoder;
    private readonly List<KeyValuePair<string, byte[]>> _consumers = [];
    private StreamStateReport? _state;
    private MessageStream? _stream;
    private bool _hasMagic;
    private bool _hasEnded;

    public StreamRestore(JetStreamAccount account, StreamConfig config)
    {
        _account = account;
        _config = config;
        _decoder = new S2Decoder(_decoded);
    }

    /// <summary>Takes the next bytes.</summary>
    /// <returns>Null, or why the archive cannot be taken.</returns>
    public string? Take(ReadOnlySpan<byte> chunk)
    {
        if (!_decoder.TryWrite(chunk)) return "the snapshot is damaged, or no S2 stream";
        var bytes = _decoded.WrittenSpan;
        if (!_hasMagic)
        {
            if (bytes.Length < ArchiveFormat.Magic.Length) return null;
            if (!bytes.StartsWith(ArchiveFormat.Magic)) return "the snapshot is of nats-server before 2.15, whose files are not read: take it with 2.15 or later";
            bytes = bytes[ArchiveFormat.Magic.Length..];
            _hasMagic = true;
        }

        while (!_hasEnded)
        {
            var status = ArchiveFormat.TryRead(ref bytes, out var entry);
            if (status == OperationStatus.NeedMoreData) break;
            if (status == OperationStatus.InvalidData) return "the snapshot is damaged: an entry makes no sense";
            if (TakeEntry(in entry) is { } problem) return problem;
        }

        var rest = bytes.ToArray();
        _decoded.ResetWrittenCount();
        _decoded.Write(rest);
        return _stream is null || !_stream.Commit().Failed ? null : StoreProblem();
    }

    /// <summary>Puts the stream into service.</summary>
    /// <param name="batch">Gets what is said about it.</param>
    /// <param name="stream">The stream.</param>
    /// <returns>Null, or why it cannot be.</returns>
    public string? Finish(SendBatch batch, out MessageStream? stream)
    {
        stream = null;
        if (!_hasEnded || _stream is null) return "backup was truncated";
        if (_state!.LastSequence > _stream.Store.LastSequence)
        {
            lock (_stream.Gate) _stream.Store.SkipTo(_state.LastSequence);
            if (_stream.Commit().Failed) return StoreProblem();
        }

        StreamRecovery.RebuildDuplicates(_stream);
        foreach (var (name, document) in _consumers)
        {
            if (_account.Engine.Consumers?.Import(_stream, name, document, batch) is { } problem) return $"failed to add consumer \"{name}\": {problem}";
        }

        _account.Engine.Consumers?.Settle(_stream);
        _stream.Flush();
        lock (_account.Changes)
        {
            if (StreamChanges.Overlaps(_account, _config, null)) return ApiErrors.StreamSubjectOverlap.Description;
            _stream.WriteMetadata(_config);
            _stream.Folder?.Delete(StreamFolder.DiscardName);
            _stream.Folder?.Sync();
            _account.FreeName(_config.Name);
            _account.Add(_stream);
            _stream.Open();
        }

        stream = _stream;
        _stream = null;
        return null;
    }

    /// <summary>Gives the restore up, with everything that was made.</summary>
    public void Abort(SendBatch batch)
    {
        _stream?.Close(delete: true, batch);
        _stream?.Dispose();
        _stream = null;
        lock (_account.Changes) _account.FreeName(_config.Name);
    }

    /// <inheritdoc/>
    public void Dispose() => _stream?.Dispose();

    private string? TakeEntry(in ArchiveEntry entry)
    {
        if (_state is null) return Begin(in entry);
        if (_consumers.Count < _state.ConsumerCount)
        {
            var name = Encoding.UTF8.GetString(entry.Name);
            if (!name.StartsWith(ArchiveFormat.ConsumerPrefix, StringComparison.Ordinal)) return $"expected consumer, found \"{name}\"";
            name = name[ArchiveFormat.ConsumerPrefix.Length..];
            if (!StreamRules.IsName(name)) return $"\"{name}\" is no consumer's name";
            _consumers.Add(KeyValuePair.Create(name, entry.Payload.ToArray()));
            return null;
        }

        if (!entry.IsEnd) return Store(in entry);
        _hasEnded = true;
        return null;
    }

    private string? Begin(in ArchiveEntry entry)
    {
        if (!entry.Name.SequenceEqual(Encoding.UTF8.GetBytes(ArchiveFormat.StateName))) return "expected state.json first";
        try
        {
            _state = JsonSerializer.Deserialize(entry.Payload, StreamJson.Lenient.StreamStateReport) ?? throw new JsonException("it is empty");
        }
        catch (JsonException error)
        {
            return $"error in state.json: {error.Message}";
        }

        var (first, last, messages) = (_state.FirstSequence, _state.LastSequence, (ulong)Math.Max(_state.Messages, 0));
        var isEmpty = first == 0 ? last == 0 : first - 1 == last;
        var isRange = first > 0 && first <= last && messages <= last - first + 1;
        if (_state.ConsumerCount < 0 || !(isEmpty ? messages == 0 : isRange)) return "invalid stream state: inconsistent message count or sequence range";
        if (_account.FindLimitProblem(_config.Storage, Math.Max(_state.Bytes, 0)) is { } limit) return limit.Description;
        try
        {
            Open(Math.Max(first, 1));
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return $"error creating store for stream: {error.Message}";
        }
    }

    private void Open(ulong first)
    {
        var engine = _account.Engine;
        var folder = _config.Storage == StorageType.File ? _account.Folder!.Folder(StreamFolder.StreamsName).Folder(_config.Name) : null;
        folder?.DeleteAll();
        if (folder is not null) StreamFolder.MarkDiscarded(folder);
        var store = StreamStores.Open(engine, _account, _config with { FirstSequence = first }, folder);
        _stream = new MessageStream(_account, _config, store, folder, engine.Time.GetUtcNow());
    }

    private string? Store(in ArchiveEntry entry)
    {
        var (store, sequence) = (_stream!.Store, entry.Sequence);
        string Problem(string what) => string.Create(CultureInfo.InvariantCulture, $"message sequence {sequence} {what}");
        if (sequence == 0) return "expected message sequence";
        if (sequence > _state!.LastSequence) return Problem("is beyond the last");
        var most = _config.MaxMessageBytes;
        if (most >= 0 && entry.Headers.Length + (long)entry.Payload.Length > most) return Problem("exceeds maximum message size");
        var ttl = MessageHeaders.TryFind(entry.Headers, "Nats-TTL"u8, out var value) ? value : [];
        if (!TimeToLive.TryParse(ttl, out var seconds)) return Problem("has a time to live that is none");
        lock (_stream.Gate)
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

    private string StoreProblem() => _stream!.Store.Fault?.Message ?? "the store refused the message";
}
