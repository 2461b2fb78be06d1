using System.Runtime.CompilerServices;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Consuming;
using Postrider.Client.JetStream.Models;

namespace Postrider.Client.ObjectStore;

/// <summary>A bucket of objects: bytes of any length under a name, in chunks with a digest.</summary>
/// <remarks>
/// Thread-safe. An object is a message about it on <c>$O.bucket.M.name</c> (the name in base64url) and its chunks on
/// <c>$O.bucket.C.id</c>, in the stream <c>OBJ_bucket</c>. Reading an object while it is replaced returns the old or the
/// new one, or fails, but never returns a mixture. Source: NATS ADR-20.
/// </remarks>
public sealed class ObjectBucket
{
    private readonly JetStreamContext _context;
    private readonly JetStreamStream _stream;

    internal ObjectBucket(JetStreamContext context, JetStreamStream stream)
    {
        _context = context;
        _stream = stream;
        Name = ObjectNames.BucketOf(stream.Name);
    }

    /// <summary>The name.</summary>
    public string Name { get; }

    /// <summary>The stream that holds it.</summary>
    public JetStreamStream Stream => _stream;

    /// <summary>Stores an object, replacing an existing one with that name.</summary>
    /// <param name="name">The name.</param>
    /// <param name="source">The bytes, from the current position to the end.</param>
    /// <param name="ct">Cancels the operation; chunks that were already sent are removed.</param>
    /// <returns>The object.</returns>
    /// <exception cref="NatsClientException">The bucket is full or sealed, or a chunk was not acknowledged. The previous object is unchanged.</exception>
    public Task<ObjectInfo> PutAsync(string name, Stream source, CancellationToken ct = default) => PutAsync(new ObjectMeta { Name = name }, source, ct);

    /// <summary>Stores an object, replacing an existing one with that name.</summary>
    /// <param name="name">The name.</param>
    /// <param name="bytes">The bytes.</param>
    /// <param name="ct">Cancels the operation; chunks that were already sent are removed.</param>
    /// <returns>The object.</returns>
    /// <exception cref="NatsClientException">As for the overload with a stream.</exception>
    public async Task<ObjectInfo> PutAsync(string name, ReadOnlyMemory<byte> bytes, CancellationToken ct = default)
    {
        using var source = new MemoryStream(bytes.ToArray(), writable: false);
        return await PutAsync(name, source, ct).ConfigureAwait(false);
    }

    /// <summary>Stores an object, replacing an existing one with that name.</summary>
    /// <param name="meta">The metadata.</param>
    /// <param name="source">The bytes, from the current position to the end.</param>
    /// <param name="ct">Cancels the operation; chunks that were already sent are removed.</param>
    /// <returns>The object.</returns>
    /// <exception cref="NatsClientException">The bucket is full or sealed, or a chunk was not acknowledged. The previous object is unchanged.</exception>
    public async Task<ObjectInfo> PutAsync(ObjectMeta meta, Stream source, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(meta);
        ArgumentNullException.ThrowIfNull(source);
        ObjectNames.CheckName(meta.Name);
        var earlier = await TryGetInfoAsync(meta.Name, includeDeleted: true, ct).ConfigureAwait(false);
        var id = _context.Api.Session.Nuid.Next();
        ObjectInfo info;
        try
        {
            info = await ChunkWriter.WriteAsync(_context, _stream, Name, meta, id, source, ct).ConfigureAwait(false);
            info = await PublishAsync(info, ct).ConfigureAwait(false);
        }
        catch
        {
            await RemoveAsync(id).ConfigureAwait(false);
            throw;
        }
        if (earlier is { Deleted: false, Id.Length: > 0 }) await PurgeChunksAsync(earlier.Id, ct).ConfigureAwait(false);
        return info;
    }

    /// <summary>Gets an object's bytes; follows a link to an object.</summary>
    /// <param name="name">The name.</param>
    /// <param name="target">Receives the bytes.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The object.</returns>
    /// <exception cref="NatsClientException">It does not exist (<see cref="NatsErrorCode.NotFound"/>), or its bytes do not match its
    /// digest (<see cref="NatsErrorCode.DigestMismatch"/>), which is detected at the end.</exception>
    public async Task<ObjectInfo> GetAsync(string name, Stream target, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(target);
        var info = await GetInfoAsync(name, ct).ConfigureAwait(false);
        if (info.Link is not { } link)
        {
            await ChunkReader.ReadAsync(_context, info, target, ct).ConfigureAwait(false);
            return info;
        }
        if (link.Name is null) throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Object '{name}' in bucket '{Name}' is a link to the bucket '{link.Bucket}'.");
        var other = link.Bucket == Name ? this : await OpenAsync(link.Bucket, ct).ConfigureAwait(false);
        return await other.GetAsync(link.Name, target, ct).ConfigureAwait(false);
    }

    /// <summary>Gets an object's bytes; follows a link to an object.</summary>
    /// <param name="name">The name.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The bytes, verified against the digest.</returns>
    /// <exception cref="NatsClientException">As for the overload with a stream.</exception>
    public async Task<byte[]> GetBytesAsync(string name, CancellationToken ct = default)
    {
        using var target = new MemoryStream();
        await GetAsync(name, target, ct).ConfigureAwait(false);
        return target.ToArray();
    }

    /// <summary>Gets the information about an object. Links are not followed.</summary>
    /// <param name="name">The name.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The object.</returns>
    /// <exception cref="NatsClientException">It does not exist or was deleted: <see cref="NatsErrorCode.NotFound"/>.</exception>
    public async Task<ObjectInfo> GetInfoAsync(string name, CancellationToken ct = default)
        => await TryGetInfoAsync(name, includeDeleted: false, ct).ConfigureAwait(false)
            ?? throw new NatsClientException(NatsErrorCode.NotFound, $"Object '{name}' does not exist in bucket '{Name}'.");

    /// <summary>Gets the information about an object, if it exists. Links are not followed.</summary>
    /// <param name="name">The name.</param>
    /// <param name="includeDeleted">Whether a deleted object is also returned.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The object, or null.</returns>
    public async Task<ObjectInfo?> TryGetInfoAsync(string name, bool includeDeleted = false, CancellationToken ct = default)
    {
        ObjectNames.CheckName(name);
        var message = await _stream.GetLastMessageAsync(ObjectNames.Meta(Name, name), ObjectJson.Info, ct).ConfigureAwait(false);
        if (message is null || (message.Data.Deleted && !includeDeleted)) return null;
        return message.Data with { Modified = message.Time };
    }

    /// <summary>Updates the metadata of an object, including its name. Its bytes stay the same.</summary>
    /// <param name="name">The current name.</param>
    /// <param name="meta">The new metadata. Its chunk size is ignored.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The object.</returns>
    /// <exception cref="NatsClientException">It does not exist, or another object has the new name.</exception>
    public async Task<ObjectInfo> UpdateMetaAsync(string name, ObjectMeta meta, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(meta);
        var info = await GetInfoAsync(name, ct).ConfigureAwait(false);
        if (meta.Name != name && await TryGetInfoAsync(meta.Name, ct: ct).ConfigureAwait(false) is not null)
            throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Object '{meta.Name}' already exists in bucket '{Name}'.");
        var changed = info with { Name = meta.Name, Description = meta.Description, Headers = meta.Headers, Metadata = meta.Metadata };
        changed = await PublishAsync(changed, ct).ConfigureAwait(false);
        if (meta.Name != name) await _stream.PurgeAsync(new StreamPurge { Subject = ObjectNames.Meta(Name, name) }, ct).ConfigureAwait(false);
        return changed;
    }

    /// <summary>Deletes an object; its metadata remains, marked as deleted.</summary>
    /// <param name="name">The name.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when its bytes are deleted.</returns>
    /// <exception cref="NatsClientException">It does not exist: <see cref="NatsErrorCode.NotFound"/>.</exception>
    public async Task DeleteAsync(string name, CancellationToken ct = default)
    {
        var info = await GetInfoAsync(name, ct).ConfigureAwait(false);
        await PublishAsync(info with { Deleted = true, Size = 0, Chunks = 0, Digest = null }, ct).ConfigureAwait(false);
        await PurgeChunksAsync(info.Id, ct).ConfigureAwait(false);
    }

    /// <summary>Creates a link to an object, or replaces the link with that name.</summary>
    /// <param name="name">The link's name.</param>
    /// <param name="target">The object, in this or another bucket; it must not be a link.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The link.</returns>
    /// <exception cref="NatsClientException">An object has the name, or the target is a link or was deleted.</exception>
    public Task<ObjectInfo> AddLinkAsync(string name, ObjectInfo target, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(target);
        if (target.Deleted) throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Object '{target.Name}' is deleted and cannot be linked to.");
        if (target.Link is not null) throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Object '{target.Name}' is a link and cannot be linked to.");
        return LinkAsync(name, new ObjectLink(target.Bucket, target.Name), ct);
    }

    /// <summary>Creates a link to a whole bucket, or replaces the link with that name.</summary>
    /// <param name="name">The link's name.</param>
    /// <param name="target">The bucket.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The link.</returns>
    /// <exception cref="NatsClientException">An object has the name.</exception>
    public Task<ObjectInfo> AddBucketLinkAsync(string name, ObjectBucket target, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(target);
        return LinkAsync(name, new ObjectLink(target.Name), ct);
    }

    /// <summary>Seals the bucket against all changes. This cannot be undone.</summary>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when the bucket is sealed.</returns>
    public async Task SealAsync(CancellationToken ct = default)
    {
        var info = await _stream.RefreshAsync(ct: ct).ConfigureAwait(false);
        await _stream.UpdateAsync(info.Config with { Sealed = true }, ct).ConfigureAwait(false);
    }

    /// <summary>Removes orphaned chunks, which interrupted puts or deletions have left.</summary>
    /// <param name="olderThan">Chunks younger than this are kept, because their object may still be uploading; null for one hour. A put
    /// that pauses longer loses its chunks.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The number of puts and objects whose chunks were removed.</returns>
    /// <exception cref="JetStreamException">The bucket is sealed.</exception>
    public async Task<int> PurgeOrphanedChunksAsync(TimeSpan? olderThan = null, CancellationToken ct = default)
    {
        var limit = _context.Api.Session.Options.TimeProvider.GetUtcNow() - (olderThan ?? TimeSpan.FromHours(1));
        // In this order: the chunks of an object put in the meantime are in the list, and the object itself is among the objects.
        var info = await StreamApi.GetAsync(_context.Api, _stream.Name, new StreamDetails { SubjectsFilter = ObjectNames.AllChunks(Name) }, ct).ConfigureAwait(false);
        var left = new HashSet<string>(info.State.Subjects?.Keys ?? [], StringComparer.Ordinal);
        await foreach (var known in ListAsync(ct: ct).ConfigureAwait(false)) left.Remove(ObjectNames.Chunks(Name, known.Id));
        var purged = 0;
        foreach (var chunks in left)
        {
            var newest = await _stream.GetLastMessageAsync<ReadOnlyMemory<byte>>(chunks, ct: ct).ConfigureAwait(false);
            if (newest is null || newest.Time > limit) continue;
            await _stream.PurgeAsync(new StreamPurge { Subject = chunks }, ct).ConfigureAwait(false);
            purged++;
        }
        return purged;
    }

    /// <summary>Lists the objects.</summary>
    /// <param name="includeDeleted">Whether deleted objects are also returned.</param>
    /// <param name="ct">Stops the enumeration.</param>
    /// <returns>The objects in the order of their last changes.</returns>
    public IAsyncEnumerable<ObjectInfo> ListAsync(bool includeDeleted = false, CancellationToken ct = default)
        => ReadAsync(new ObjectWatchOptions { IgnoreDeletes = !includeDeleted }, isEndless: false, ct);

    /// <summary>Watches the objects: the existing ones, then every change.</summary>
    /// <param name="options">Which changes to return; null for all.</param>
    /// <param name="ct">Stops the enumeration.</param>
    /// <returns>An endless enumeration. The watch starts with the first read.</returns>
    public IAsyncEnumerable<ObjectInfo> WatchAsync(ObjectWatchOptions? options = null, CancellationToken ct = default)
        => ReadAsync(options ?? new ObjectWatchOptions(), isEndless: true, ct);

    /// <summary>Gets the state of the bucket.</summary>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The current state.</returns>
    public async Task<ObjectBucketStatus> GetStatusAsync(CancellationToken ct = default) => new(Name, await _stream.RefreshAsync(ct: ct).ConfigureAwait(false));

    private async Task<ObjectBucket> OpenAsync(string bucket, CancellationToken ct)
    {
        ObjectNames.CheckBucket(bucket);
        return new ObjectBucket(_context, await _context.GetStreamAsync(ObjectNames.Stream(bucket), ct: ct).ConfigureAwait(false));
    }

    private async Task<ObjectInfo> LinkAsync(string name, ObjectLink link, CancellationToken ct)
    {
        ObjectNames.CheckName(name);
        if (await TryGetInfoAsync(name, ct: ct).ConfigureAwait(false) is { Link: null })
            throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Object '{name}' already exists in bucket '{Name}'.");
        var info = new ObjectInfo { Name = name, Bucket = Name, Id = _context.Api.Session.Nuid.Next(), Options = new ObjectOptions { Link = link } };
        return await PublishAsync(info, ct).ConfigureAwait(false);
    }

    private async Task<ObjectInfo> PublishAsync(ObjectInfo info, CancellationToken ct)
    {
        // The message has the time; other clients do not write it either.
        var options = new PublishOptions { Rollup = PublishRollup.Subject };
        await _context.PublishAsync(ObjectNames.Meta(Name, info.Name), info with { Modified = default }, options, null, ObjectJson.Info, ct).ConfigureAwait(false);
        return info with { Modified = _context.Api.Session.Options.TimeProvider.GetUtcNow() };
    }

    // The caller needs the error of the put, and not that of the cleanup.
    private async Task RemoveAsync(string id)
    {
        try
        {
            await PurgeChunksAsync(id, CancellationToken.None).ConfigureAwait(false);
        }
        catch (NatsClientException)
        {
            // The chunks are left without an object: they are never read, and PurgeOrphanedChunksAsync removes them.
        }
    }

    private Task<ulong> PurgeChunksAsync(string id, CancellationToken ct) => _stream.PurgeAsync(new StreamPurge { Subject = ObjectNames.Chunks(Name, id) }, ct);

    private async IAsyncEnumerable<ObjectInfo> ReadAsync(ObjectWatchOptions options, bool isEndless, [EnumeratorCancellation] CancellationToken ct)
    {
        var ordered = new OrderedConsumerOptions
        {
            FilterSubjects = [ObjectNames.AllMeta(Name)],
            DeliverPolicy = options.UpdatesOnly ? DeliverPolicy.New : DeliverPolicy.LastPerSubject,
        };
        var reader = new OrderedReader<ObjectInfo>(_context.Api, _stream.Name, ordered, ObjectJson.Info, ct);
        await using var ends = reader.ConfigureAwait(false);
        while (await reader.MoveNextInitialAsync().ConfigureAwait(false))
            if (IsWanted(reader.Current, out var info)) yield return info;
        options.InitialValuesDone?.Invoke();
        while (isEndless && await reader.MoveNextAsync().ConfigureAwait(false))
            if (IsWanted(reader.Current, out var info)) yield return info;

        bool IsWanted(in JetStreamMessage<ObjectInfo> message, out ObjectInfo info)
        {
            info = message.Data with { Modified = message.Metadata.Time };
            return !options.IgnoreDeletes || !info.Deleted;
        }
    }
}
