using System.Runtime.CompilerServices;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Consuming;
using Postrider.Client.JetStream.Models;

namespace Postrider.Client.ObjectStore;

/// <summary>A bucket of objects: bytes of any length under a name, in chunks with a digest.</summary>
/// <remarks>
/// Thread-safe. An object is a message about it on <c>$O.bucket.M.name</c> (the name in base64url) and its chunks on
/// <c>$O.bucket.C.id</c>, in the stream <c>OBJ_bucket</c>. Who reads an object while it is put anew gets the old or the new
/// one, or an error, never a mixture. Source: NATS ADR-20.
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

    /// <summary>Its name.</summary>
    public string Name { get; }

    /// <summary>The stream that holds it.</summary>
    public JetStreamStream Stream => _stream;

    /// <summary>Puts an object, in place of one of that name.</summary>
    /// <param name="name">The name.</param>
    /// <param name="source">The bytes, from where it stands to its end.</param>
    /// <param name="ct">Gives up; what was sent is taken out again.</param>
    /// <returns>The object.</returns>
    /// <exception cref="NatsClientException">The bucket is full or sealed, or a chunk was not acknowledged. The object of before is untouched.</exception>
    public Task<ObjectInfo> PutAsync(string name, Stream source, CancellationToken ct = default) => PutAsync(new ObjectMeta { Name = name }, source, ct);

    /// <summary>Puts an object, in place of one of that name.</summary>
    /// <param name="name">The name.</param>
    /// <param name="bytes">The bytes.</param>
    /// <param name="ct">Gives up; what was sent is taken out again.</param>
    /// <returns>The object.</returns>
    /// <exception cref="NatsClientException">As with a stream.</exception>
    public async Task<ObjectInfo> PutAsync(string name, ReadOnlyMemory<byte> bytes, CancellationToken ct = default)
    {
        using var source = new MemoryStream(bytes.ToArray(), writable: false);
        return await PutAsync(name, source, ct).ConfigureAwait(false);
    }

    /// <summary>Puts an object, in place of one of that name.</summary>
    /// <param name="meta">What is said about it.</param>
    /// <param name="source">The bytes, from where it stands to its end.</param>
    /// <param name="ct">Gives up; what was sent is taken out again.</param>
    /// <returns>The object.</returns>
    /// <exception cref="NatsClientException">The bucket is full or sealed, or a chunk was not acknowledged. The object of before is untouched.</exception>
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
    /// <param name="target">Takes the bytes.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The object.</returns>
    /// <exception cref="NatsClientException">It is not there (<see cref="NatsErrorCode.NotFound"/>), or its bytes are not what its
    /// digest says (<see cref="NatsErrorCode.DigestMismatch"/>), which is known at the end.</exception>
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
    /// <param name="ct">Gives up.</param>
    /// <returns>The bytes, which are what the digest says.</returns>
    /// <exception cref="NatsClientException">As with a stream.</exception>
    public async Task<byte[]> GetBytesAsync(string name, CancellationToken ct = default)
    {
        using var target = new MemoryStream();
        await GetAsync(name, target, ct).ConfigureAwait(false);
        return target.ToArray();
    }

    /// <summary>What the bucket knows of an object. A link is not followed.</summary>
    /// <param name="name">The name.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The object.</returns>
    /// <exception cref="NatsClientException">It is not there, or was deleted: <see cref="NatsErrorCode.NotFound"/>.</exception>
    public async Task<ObjectInfo> GetInfoAsync(string name, CancellationToken ct = default)
        => await TryGetInfoAsync(name, includeDeleted: false, ct).ConfigureAwait(false)
            ?? throw new NatsClientException(NatsErrorCode.NotFound, $"Object '{name}' does not exist in bucket '{Name}'.");

    /// <summary>What the bucket knows of an object, if it is there. A link is not followed.</summary>
    /// <param name="name">The name.</param>
    /// <param name="includeDeleted">Whether a deleted one counts too.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The object, or null.</returns>
    public async Task<ObjectInfo?> TryGetInfoAsync(string name, bool includeDeleted = false, CancellationToken ct = default)
    {
        ObjectNames.CheckName(name);
        var message = await _stream.GetLastMessageAsync(ObjectNames.Meta(Name, name), ObjectJson.Info, ct).ConfigureAwait(false);
        if (message is null || (message.Data.Deleted && !includeDeleted)) return null;
        return message.Data with { Modified = message.Time };
    }

    /// <summary>Changes what is said about an object, its name too. Its bytes stay.</summary>
    /// <param name="name">The name it has.</param>
    /// <param name="meta">What is to be said. The size of its chunks stays as it is.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The object.</returns>
    /// <exception cref="NatsClientException">It is not there, or the new name is another object's.</exception>
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

    /// <summary>Deletes an object; a note that it was there stays.</summary>
    /// <param name="name">The name.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>Done when its bytes are gone.</returns>
    /// <exception cref="NatsClientException">It is not there: <see cref="NatsErrorCode.NotFound"/>.</exception>
    public async Task DeleteAsync(string name, CancellationToken ct = default)
    {
        var info = await GetInfoAsync(name, ct).ConfigureAwait(false);
        await PublishAsync(info with { Deleted = true, Size = 0, Chunks = 0, Digest = null }, ct).ConfigureAwait(false);
        await PurgeChunksAsync(info.Id, ct).ConfigureAwait(false);
    }

    /// <summary>Makes a link to an object, in place of a link of that name.</summary>
    /// <param name="name">The link's name.</param>
    /// <param name="target">The object, of this bucket or another; no link.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The link.</returns>
    /// <exception cref="NatsClientException">The name is an object's, or the target is a link or deleted.</exception>
    public Task<ObjectInfo> AddLinkAsync(string name, ObjectInfo target, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(target);
        if (target.Deleted) throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Object '{target.Name}' is deleted and cannot be linked to.");
        if (target.Link is not null) throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Object '{target.Name}' is a link and cannot be linked to.");
        return LinkAsync(name, new ObjectLink(target.Bucket, target.Name), ct);
    }

    /// <summary>Makes a link to a whole bucket, in place of a link of that name.</summary>
    /// <param name="name">The link's name.</param>
    /// <param name="target">The bucket.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The link.</returns>
    /// <exception cref="NatsClientException">The name is an object's.</exception>
    public Task<ObjectInfo> AddBucketLinkAsync(string name, ObjectBucket target, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(target);
        return LinkAsync(name, new ObjectLink(target.Name), ct);
    }

    /// <summary>Lets nothing be changed any more. Cannot be undone.</summary>
    /// <param name="ct">Gives up.</param>
    /// <returns>Done when the bucket is sealed.</returns>
    public async Task SealAsync(CancellationToken ct = default)
    {
        var info = await _stream.RefreshAsync(ct: ct).ConfigureAwait(false);
        await _stream.UpdateAsync(info.Config with { Sealed = true }, ct).ConfigureAwait(false);
    }

    /// <summary>Takes out chunks that are no object's: what a put or a deletion left whose process was killed.</summary>
    /// <param name="olderThan">Chunks younger than this stay, as their object may still be being put; null for one hour. A put
    /// that waits longer for its source loses its chunks.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>How many puts and objects had left some.</returns>
    /// <exception cref="JetStreamException">The bucket is sealed.</exception>
    public async Task<int> PurgeOrphanedChunksAsync(TimeSpan? olderThan = null, CancellationToken ct = default)
    {
        var limit = _context.Api.Session.Options.TimeProvider.GetUtcNow() - (olderThan ?? TimeSpan.FromHours(1));
        // In this order: who puts an object meanwhile has its chunks in the list and itself among the objects.
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

    /// <summary>The objects that are there now.</summary>
    /// <param name="includeDeleted">Whether deleted ones count too.</param>
    /// <param name="ct">Stops.</param>
    /// <returns>In the order of their last changes.</returns>
    public IAsyncEnumerable<ObjectInfo> ListAsync(bool includeDeleted = false, CancellationToken ct = default)
        => ReadAsync(new ObjectWatchOptions { IgnoreDeletes = !includeDeleted }, isEndless: false, ct);

    /// <summary>Follows the objects: those that are there, then every change.</summary>
    /// <param name="options">What to give; null for everything.</param>
    /// <param name="ct">Stops.</param>
    /// <returns>Without end. It begins at the first look.</returns>
    public IAsyncEnumerable<ObjectInfo> WatchAsync(ObjectWatchOptions? options = null, CancellationToken ct = default)
        => ReadAsync(options ?? new ObjectWatchOptions(), isEndless: true, ct);

    /// <summary>What is in the bucket.</summary>
    /// <param name="ct">Gives up.</param>
    /// <returns>As of now.</returns>
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
        // The time is the message's; the others write none either.
        var options = new PublishOptions { Rollup = PublishRollup.Subject };
        await _context.PublishAsync(ObjectNames.Meta(Name, info.Name), info with { Modified = default }, options, null, ObjectJson.Info, ct).ConfigureAwait(false);
        return info with { Modified = _context.Api.Session.Options.TimeProvider.GetUtcNow() };
    }

    // What the put failed with is what its caller has to know, and not that the server cannot be reached to tidy up either.
    private async Task RemoveAsync(string id)
    {
        try
        {
            await PurgeChunksAsync(id, CancellationToken.None).ConfigureAwait(false);
        }
        catch (NatsClientException)
        {
            // The chunks stay without an object: nobody reads them, and PurgeOrphanedChunksAsync takes them out.
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
