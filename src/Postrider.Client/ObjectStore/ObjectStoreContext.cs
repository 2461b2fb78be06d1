using System.Runtime.CompilerServices;
using Postrider.Client.JetStream;

namespace Postrider.Client.ObjectStore;

/// <summary>Buckets of objects of any size, kept in streams.</summary>
/// <remarks>Thread-safe and cheap; get it from <see cref="NatsClient.ObjectStore"/>. Source: NATS ADR-20.</remarks>
public sealed class ObjectStoreContext
{
    private readonly JetStreamContext _context;

    internal ObjectStoreContext(JetStreamContext context) => _context = context;

    /// <summary>Creates a bucket, or finds the one that is the same.</summary>
    /// <param name="config">The configuration.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The bucket.</returns>
    /// <exception cref="JetStreamException">One with another configuration is there already, or the server refuses this one.</exception>
    public async Task<ObjectBucket> CreateBucketAsync(ObjectBucketConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return new ObjectBucket(_context, await _context.CreateStreamAsync(config.ToStream(), ct).ConfigureAwait(false));
    }

    /// <summary>Creates a bucket, or changes the one that is there.</summary>
    /// <param name="config">The whole configuration.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The bucket.</returns>
    /// <exception cref="JetStreamException">The server refuses it.</exception>
    public async Task<ObjectBucket> CreateOrUpdateBucketAsync(ObjectBucketConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return new ObjectBucket(_context, await _context.CreateOrUpdateStreamAsync(config.ToStream(), ct).ConfigureAwait(false));
    }

    /// <summary>Finds a bucket.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The bucket.</returns>
    /// <exception cref="JetStreamException">There is none: <see cref="JetStreamErrors.StreamNotFound"/>.</exception>
    public async Task<ObjectBucket> GetBucketAsync(string name, CancellationToken ct = default)
    {
        ObjectNames.CheckBucket(name);
        return new ObjectBucket(_context, await _context.GetStreamAsync(ObjectNames.Stream(name), ct: ct).ConfigureAwait(false));
    }

    /// <summary>Deletes a bucket with everything in it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>Done when it is gone.</returns>
    /// <exception cref="JetStreamException">It was not there.</exception>
    public Task DeleteBucketAsync(string name, CancellationToken ct = default)
    {
        ObjectNames.CheckBucket(name);
        return _context.DeleteStreamAsync(ObjectNames.Stream(name), ct);
    }

    /// <summary>Every bucket.</summary>
    /// <param name="ct">Stops.</param>
    /// <returns>In pages, as they are read.</returns>
    public async IAsyncEnumerable<ObjectBucketStatus> ListBucketsAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        await foreach (var stream in _context.ListStreamsAsync(ct: ct).ConfigureAwait(false))
            if (ObjectNames.IsStream(stream.Config.Name)) yield return new ObjectBucketStatus(ObjectNames.BucketOf(stream.Config.Name), stream);
    }
}
