using System.Runtime.CompilerServices;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.Client.KeyValue;

/// <summary>Key-value buckets, which are stored in streams.</summary>
/// <remarks>Thread-safe and cheap; create it with <see cref="NatsClient.CreateKeyValueContext"/>. Source: NATS ADR-8.</remarks>
public sealed class KeyValueContext
{
    private readonly JetStreamContext _context;

    internal KeyValueContext(JetStreamContext context) => _context = context;

    /// <summary>Creates a bucket, or returns the existing one if it has the same configuration.</summary>
    /// <param name="config">The configuration.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The bucket.</returns>
    /// <exception cref="JetStreamException">One with a different configuration already exists, or the server rejects the configuration.</exception>
    public async Task<KeyValueBucket> CreateBucketAsync(KeyValueConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return Bucket(await _context.CreateStreamAsync(config.ToStream(), ct).ConfigureAwait(false));
    }

    /// <summary>Creates a bucket, or updates the existing one.</summary>
    /// <param name="config">The whole configuration.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The bucket.</returns>
    /// <exception cref="JetStreamException">The server rejects the configuration.</exception>
    public async Task<KeyValueBucket> CreateOrUpdateBucketAsync(KeyValueConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return Bucket(await _context.CreateOrUpdateStreamAsync(config.ToStream(), ct).ConfigureAwait(false));
    }

    /// <summary>Updates an existing bucket.</summary>
    /// <param name="config">The whole new configuration.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The bucket.</returns>
    /// <exception cref="JetStreamException">It does not exist, or the server rejects the change.</exception>
    public async Task<KeyValueBucket> UpdateBucketAsync(KeyValueConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return Bucket(await _context.UpdateStreamAsync(config.ToStream(), ct).ConfigureAwait(false));
    }

    /// <summary>Finds a bucket.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The bucket.</returns>
    /// <exception cref="JetStreamException">It does not exist: <see cref="JetStreamErrors.StreamNotFound"/>.</exception>
    public async Task<KeyValueBucket> GetBucketAsync(string name, CancellationToken ct = default)
    {
        KeyNames.CheckBucket(name);
        return Bucket(await _context.GetStreamAsync(KeyNames.Stream(name), ct: ct).ConfigureAwait(false));
    }

    /// <summary>Deletes a bucket with everything in it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when it is deleted.</returns>
    /// <exception cref="JetStreamException">It does not exist.</exception>
    public Task DeleteBucketAsync(string name, CancellationToken ct = default)
    {
        KeyNames.CheckBucket(name);
        return _context.DeleteStreamAsync(KeyNames.Stream(name), ct);
    }

    /// <summary>Lists the buckets.</summary>
    /// <param name="ct">Stops the enumeration.</param>
    /// <returns>The items; pages are requested while they are read.</returns>
    public async IAsyncEnumerable<KeyValueStatus> ListBucketsAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        await foreach (var stream in _context.ListStreamsAsync(ct: ct).ConfigureAwait(false))
            if (KeyNames.IsStream(stream.Config.Name)) yield return new KeyValueStatus(KeyNames.BucketOf(stream.Config.Name), stream);
    }

    private KeyValueBucket Bucket(JetStreamStream stream) => new(_context, stream, Mirrored(stream.Info.Config));

    private static StreamSource? Mirrored(StreamConfig config) => config.Mirror is { SubjectTransforms: not { Count: > 0 } } mirror ? mirror : null;
}
