using System.Runtime.CompilerServices;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Consuming;
using Postrider.Client.JetStream.Models;
using Postrider.Serialization;

namespace Postrider.Client.KeyValue;

/// <summary>A key-value bucket: keys with values and their history, which can be watched.</summary>
/// <remarks>
/// Thread-safe. Each change of a key is one message of the stream <c>KV_bucket</c> on <c>$KV.bucket.key</c>; its sequence is the
/// revision. Keys are letters, digits, <c>-</c>, <c>_</c>, <c>/</c>, <c>=</c> and dots within. Source: NATS ADR-8.
/// </remarks>
public sealed class KeyValueBucket
{
    private const string OperationHeader = "KV-Operation";
    private const string DefaultApiPrefix = "$JS.API";

    private readonly JetStreamContext _context;
    private readonly JetStreamStream _stream;
    private readonly string _prefix;
    private readonly string _putPrefix;

    internal KeyValueBucket(JetStreamContext context, JetStreamStream stream, StreamSource? mirrored)
    {
        _context = context;
        _stream = stream;
        Name = KeyNames.BucketOf(stream.Name);
        // A mirror's messages keep the subjects of their origin, and puts are sent there.
        _prefix = KeyNames.Prefix(mirrored is null ? Name : KeyNames.BucketOf(mirrored.Name));
        var reach = mirrored?.External?.ApiPrefix ?? (context.Api.Prefix == DefaultApiPrefix ? null : context.Api.Prefix);
        _putPrefix = reach is null ? _prefix : $"{reach}.{_prefix}";
    }

    /// <summary>The name.</summary>
    public string Name { get; }

    /// <summary>The stream that holds it.</summary>
    public JetStreamStream Stream => _stream;

    /// <summary>Gets a key's value.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The entry.</returns>
    /// <exception cref="NatsClientException">The key does not exist or was deleted: <see cref="NatsErrorCode.NotFound"/>.</exception>
    public async Task<KeyValueEntry<T>> GetAsync<T>(string key, Serializer<T>? serializer = null, CancellationToken ct = default)
        => await TryGetAsync(key, serializer, ct).ConfigureAwait(false)
            ?? throw new NatsClientException(NatsErrorCode.NotFound, $"Key '{key}' does not exist in bucket '{Name}'.");

    /// <summary>Gets a key's value, if it has one.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The entry, or null if the key does not exist or was deleted.</returns>
    public async Task<KeyValueEntry<T>?> TryGetAsync<T>(string key, Serializer<T>? serializer = null, CancellationToken ct = default)
        => await LastAsync(key, serializer, ct).ConfigureAwait(false) is { Operation: KeyValueOperation.Put } entry ? entry : null;

    /// <summary>Gets the value of a key at a revision.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="revision">The revision.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The entry, which may be a deletion; null if the revision belongs to another key or is no longer kept.</returns>
    public async Task<KeyValueEntry<T>?> GetRevisionAsync<T>(string key, ulong revision, Serializer<T>? serializer = null, CancellationToken ct = default)
    {
        KeyNames.CheckKey(key);
        var message = await _stream.GetMessageAsync(revision, serializer, ct).ConfigureAwait(false);
        return message is not null && message.Subject == _prefix + key ? KeyValueEntry<T>.Of(Name, key, message) : null;
    }

    /// <summary>Stores a value, whether or not the key exists.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="timeToLive">The time to live; null for the bucket's. The bucket must have limit markers.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the wait; the value may still be stored.</param>
    /// <returns>The revision.</returns>
    /// <exception cref="JetStreamException">The bucket is full, or the value is too large.</exception>
    public async ValueTask<ulong> PutAsync<T>(string key, T value, TimeSpan? timeToLive = null, Serializer<T>? serializer = null, CancellationToken ct = default)
    {
        KeyNames.CheckKey(key);
        var options = timeToLive is null ? null : new PublishOptions { TimeToLive = timeToLive };
        return (await _context.PublishAsync(_putPrefix + key, value, options, null, serializer, ct).ConfigureAwait(false)).Sequence;
    }

    /// <summary>Stores a value if the key has none.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="timeToLive">The time to live; null for the bucket's. The bucket must have limit markers.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the wait; the value may still be stored.</param>
    /// <returns>The revision.</returns>
    /// <exception cref="NatsClientException">The key has a value: <see cref="NatsErrorCode.WrongRevision"/>.</exception>
    public async Task<ulong> CreateAsync<T>(string key, T value, TimeSpan? timeToLive = null, Serializer<T>? serializer = null, CancellationToken ct = default)
    {
        try
        {
            return await UpdateAsync(key, value, 0, timeToLive, serializer, ct).ConfigureAwait(false);
        }
        catch (NatsClientException taken) when (taken.Code == NatsErrorCode.WrongRevision)
        {
            // A deleted key has a revision too.
            if (await LastAsync<ReadOnlyMemory<byte>>(key, null, ct).ConfigureAwait(false) is { Operation: not KeyValueOperation.Put } deleted)
                return await UpdateAsync(key, value, deleted.Revision, timeToLive, serializer, ct).ConfigureAwait(false);
            throw new NatsClientException(NatsErrorCode.WrongRevision, $"Key '{key}' already exists in bucket '{Name}'.", taken.InnerException);
        }
    }

    /// <summary>Stores a value if the key has the expected revision.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="revision">The expected revision; 0 for a key that never existed.</param>
    /// <param name="timeToLive">The time to live; null for the bucket's. The bucket must have limit markers.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the wait; the value may still be stored.</param>
    /// <returns>The new revision.</returns>
    /// <exception cref="NatsClientException">The key has a different revision: <see cref="NatsErrorCode.WrongRevision"/>.</exception>
    public async Task<ulong> UpdateAsync<T>(
        string key, T value, ulong revision, TimeSpan? timeToLive = null, Serializer<T>? serializer = null, CancellationToken ct = default)
    {
        KeyNames.CheckKey(key);
        return await ChangeAsync(key, value, new PublishOptions { ExpectedLastSubjectSequence = revision, TimeToLive = timeToLive }, null, serializer, ct).ConfigureAwait(false);
    }

    /// <summary>Deletes a key and keeps its history.</summary>
    /// <param name="key">The key.</param>
    /// <param name="revision">The expected revision; null for any.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>The deletion's revision.</returns>
    /// <exception cref="NatsClientException">The key has a different revision: <see cref="NatsErrorCode.WrongRevision"/>.</exception>
    public Task<ulong> DeleteAsync(string key, ulong? revision = null, CancellationToken ct = default)
    {
        KeyNames.CheckKey(key);
        return ChangeAsync(
            key, ReadOnlyMemory<byte>.Empty, new PublishOptions { ExpectedLastSubjectSequence = revision }, new NatsHeaders { [OperationHeader] = "DEL" }, null, ct);
    }

    /// <summary>Deletes a key and its history.</summary>
    /// <param name="key">The key.</param>
    /// <param name="revision">The expected revision; null for any.</param>
    /// <param name="timeToLive">How long the deletion marker is kept; null for the bucket's time to live.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>The deletion's revision.</returns>
    /// <exception cref="NatsClientException">The key has a different revision: <see cref="NatsErrorCode.WrongRevision"/>.</exception>
    public Task<ulong> PurgeAsync(string key, ulong? revision = null, TimeSpan? timeToLive = null, CancellationToken ct = default)
    {
        KeyNames.CheckKey(key);
        var options = new PublishOptions { ExpectedLastSubjectSequence = revision, Rollup = PublishRollup.Subject, TimeToLive = timeToLive };
        return ChangeAsync(key, ReadOnlyMemory<byte>.Empty, options, new NatsHeaders { [OperationHeader] = "PURGE" }, null, ct);
    }

    /// <summary>Gets the history of a key, oldest first.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="key">The key; it may contain wildcards.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Stops the enumeration.</param>
    /// <returns>The values and deletions up to now.</returns>
    public IAsyncEnumerable<KeyValueEntry<T>> GetHistoryAsync<T>(string key, Serializer<T>? serializer = null, CancellationToken ct = default)
        => ReadAsync([key], new KeyValueWatchOptions { IncludeHistory = true }, serializer, isEndless: false, ct);

    /// <summary>Lists the keys that have values.</summary>
    /// <param name="filters">The keys, which may contain wildcards; null for all.</param>
    /// <param name="ct">Stops the enumeration.</param>
    /// <returns>The keys in the order of their last changes.</returns>
    public async IAsyncEnumerable<string> GetKeysAsync(IReadOnlyList<string>? filters = null, [EnumeratorCancellation] CancellationToken ct = default)
    {
        var options = new KeyValueWatchOptions { MetaOnly = true, IgnoreDeletes = true };
        await foreach (var entry in ReadAsync<ReadOnlyMemory<byte>>(filters, options, null, isEndless: false, ct).ConfigureAwait(false)) yield return entry.Key;
    }

    /// <summary>Watches keys: their current values, then every change. No change is lost or repeated when the connection is lost.</summary>
    /// <typeparam name="T">The values' type.</typeparam>
    /// <param name="filters">The keys, which may contain wildcards; null for all.</param>
    /// <param name="options">What to return; null for each key's value and then every change.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Stops the enumeration.</param>
    /// <returns>An endless enumeration. The watch starts with the first read; <see cref="KeyValueEntry{T}.IsUpdate"/> distinguishes changes from initial values.</returns>
    public IAsyncEnumerable<KeyValueEntry<T>> WatchAsync<T>(
        IReadOnlyList<string>? filters = null, KeyValueWatchOptions? options = null, Serializer<T>? serializer = null, CancellationToken ct = default)
        => ReadAsync(filters, options ?? new KeyValueWatchOptions(), serializer, isEndless: true, ct);

    /// <summary>Gets the state of the bucket.</summary>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The current state.</returns>
    public async Task<KeyValueStatus> GetStatusAsync(CancellationToken ct = default) => new(Name, await _stream.RefreshAsync(ct: ct).ConfigureAwait(false));

    /// <summary>Removes what deleted keys have left: their history, and old deletion markers.</summary>
    /// <param name="olderThan">Deletion markers younger than this are kept, because watchers may still need them; null for 30 minutes.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The number of keys that were purged.</returns>
    public async Task<int> PurgeDeletesAsync(TimeSpan? olderThan = null, CancellationToken ct = default)
    {
        var limit = _context.Api.Session.Options.TimeProvider.GetUtcNow() - (olderThan ?? TimeSpan.FromMinutes(30));
        var deleted = new List<KeyValueEntry<ReadOnlyMemory<byte>>>();
        await foreach (var entry in ReadAsync<ReadOnlyMemory<byte>>(null, new KeyValueWatchOptions { MetaOnly = true }, null, isEndless: false, ct).ConfigureAwait(false))
            if (entry.Operation != KeyValueOperation.Put) deleted.Add(entry);
        foreach (var entry in deleted)
            await _stream.PurgeAsync(new StreamPurge { Subject = _prefix + entry.Key, Keep = entry.Created > limit ? 1UL : 0UL }, ct).ConfigureAwait(false);
        return deleted.Count;
    }

    private async Task<KeyValueEntry<T>?> LastAsync<T>(string key, Serializer<T>? serializer, CancellationToken ct)
    {
        KeyNames.CheckKey(key);
        var message = await _stream.GetLastMessageAsync(_prefix + key, serializer, ct).ConfigureAwait(false);
        return message is null ? null : KeyValueEntry<T>.Of(Name, key, message);
    }

    private async Task<ulong> ChangeAsync<T>(string key, T value, PublishOptions options, NatsHeaders? headers, Serializer<T>? serializer, CancellationToken ct)
    {
        try
        {
            return (await _context.PublishAsync(_putPrefix + key, value, options, headers, serializer, ct).ConfigureAwait(false)).Sequence;
        }
        catch (JetStreamException changed) when (changed.ErrorCode is JetStreamErrors.WrongLastSequence or JetStreamErrors.WrongLastSequenceConstant)
        {
            throw new NatsClientException(
                NatsErrorCode.WrongRevision, $"Key '{key}' in bucket '{Name}' does not have revision {options.ExpectedLastSubjectSequence}: {changed.Description}.", changed);
        }
    }

    private async IAsyncEnumerable<KeyValueEntry<T>> ReadAsync<T>(
        IReadOnlyList<string>? filters, KeyValueWatchOptions options, Serializer<T>? serializer, bool isEndless, [EnumeratorCancellation] CancellationToken ct)
    {
        foreach (var filter in filters ?? []) KeyNames.CheckFilter(filter);
        var ordered = new OrderedConsumerOptions
        {
            FilterSubjects = [.. (filters is { Count: > 0 } ? filters : [">"]).Select(filter => _prefix + filter)],
            DeliverPolicy = options switch
            {
                { FromRevision: > 0 } => DeliverPolicy.ByStartSequence,
                { UpdatesOnly: true } => DeliverPolicy.New,
                { IncludeHistory: true } => DeliverPolicy.All,
                _ => DeliverPolicy.LastPerSubject,
            },
            StartSequence = options.FromRevision,
            HeadersOnly = options.MetaOnly,
        };
        var reader = new OrderedReader<T>(_context.Api, _stream.Name, ordered, serializer ?? _context.Api.Session.Serializers.Get<T>(), ct);
        await using var ends = reader.ConfigureAwait(false);
        while (await reader.MoveNextInitialAsync().ConfigureAwait(false))
            if (IsWanted(reader.Current, isUpdate: false, out var entry)) yield return entry;
        options.InitialValuesDone?.Invoke();
        while (isEndless && await reader.MoveNextAsync().ConfigureAwait(false))
            if (IsWanted(reader.Current, isUpdate: true, out var entry)) yield return entry;

        bool IsWanted(in JetStreamMessage<T> message, bool isUpdate, out KeyValueEntry<T> entry)
        {
            entry = KeyValueEntry<T>.Of(Name, message.Subject[_prefix.Length..], in message, isUpdate, !options.MetaOnly);
            return !options.IgnoreDeletes || entry.Operation == KeyValueOperation.Put;
        }
    }
}
