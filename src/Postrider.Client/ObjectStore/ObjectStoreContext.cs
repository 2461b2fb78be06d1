using System.Runtime.CompilerServices;
using Postrider.Client.JetStream;

namespace Postrider.Client.ObjectStore;

/// <summary>Object buckets, which are stored in streams.</summary>
/// <remarks>Thread-safe and cheap; create it with <see cref="NatsClient.CreateObjectStoreContext"/>. Source: NATS ADR-20.</remarks>
public sealed class ObjectStoreContext
{
    private readonly JetStreamContext _context;

    internal ObjectStoreContext(JetStreamContext context) => _context = context;

    /// <summary>Creates a bucket, or returns the existing one if it has the same configuration.</summary>
    /// <param name="config">The configuration.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The bucket.</returns>
    /// <exception cref="JetStreamException">One with a different configuration already exists, or the server rejects the configuration.</exception>
    public async Task<ObjectBucket> CreateBucketAsync(ObjectBucketConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return new ObjectBucket(_context, await _context.CreateStreamAsync(config.ToStream(), ct).ConfigureAwait(false));
    }

    /// <summary>Creates a bucket, or updates the existing one.</summary>
    /// <param name="config">The whole configuration.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The bucket.</returns>
    /// <exception cref="JetStreamException">The server rejects the configuration.</exception>
    public async Task<ObjectBucket> CreateOrUpdateBucketAsync(ObjectBucketConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return new ObjectBucket(_context, await _context.CreateOrUpdateStreamAsync(config.ToStream(), ct).ConfigureAwait(false));
    }

    /// <summary>Finds a bucket.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The bucket.</returns>
    /// <exception cref="JetStreamException">It does not exist: <see cref="JetStreamErrors.StreamNotFound"/>.</exception>
    public async Task<ObjectBucket> GetBucketAsync(string name, CancellationToken ct = default)
    {
        ObjectNames.CheckBucket(name);
        return new ObjectBucket(_context, await _context.GetStreamAsync(ObjectNames.Stream(name), ct: ct).ConfigureAwait(false));
    }

    /// <summary>Deletes a bucket with everything in it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when it is deleted.</returns>
    /// <exception cref="JetStreamException">It does not exist.</exception>
    public Task DeleteBucketAsync(string name, CancellationToken ct = default)
    {
        ObjectNames.CheckBucket(name);
        return _context.DeleteStreamAsync(ObjectNames.Stream(name), ct);
    }

    /// <summary>Lists the buckets.</summary>
    /// <param name="ct">Stops the enumeration.</param>
    /// <returns>The items; pages are requested while they are read.</returns>
    public async IAsyncEnumerable<ObjectBucketStatus> ListBucketsAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        await foreach (var stream in _context.ListStreamsAsync(ct: ct).ConfigureAwait(false))
            if (ObjectNames.IsStream(stream.Config.Name)) yield return new ObjectBucketStatus(ObjectNames.BucketOf(stream.Config.Name), stream);
    }
}
