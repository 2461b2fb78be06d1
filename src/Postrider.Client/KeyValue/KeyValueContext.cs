using System.Runtime.CompilerServices;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.Client.KeyValue;

/// <summary>Buckets of keys and values, kept in streams.</summary>
/// <remarks>Thread-safe and cheap; get it from <see cref="NatsClient.KeyValue"/>. Source: NATS ADR-8.</remarks>
public sealed class KeyValueContext
{
    private readonly JetStreamContext _context;

    internal KeyValueContext(JetStreamContext context) => _context = context;

    /// <summary>Creates a bucket, or finds the one that is the same.</summary>
    /// <param name="config">The configuration.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The bucket.</returns>
    /// <exception cref="JetStreamException">One with another configuration is there already, or the server refuses this one.</exception>
    public async Task<KeyValueBucket> CreateBucketAsync(KeyValueConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return Bucket(await _context.CreateStreamAsync(config.ToStream(), ct).ConfigureAwait(false));
    }

    /// <summary>Creates a bucket, or changes the one that is there.</summary>
    /// <param name="config">The whole configuration.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The bucket.</returns>
    /// <exception cref="JetStreamException">The server refuses it.</exception>
    public async Task<KeyValueBucket> CreateOrUpdateBucketAsync(KeyValueConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return Bucket(await _context.CreateOrUpdateStreamAsync(config.ToStream(), ct).ConfigureAwait(false));
    }

    /// <summary>Changes a bucket that is there.</summary>
    /// <param name="config">The whole new configuration.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The bucket.</returns>
    /// <exception cref="JetStreamException">It is not there, or the server refuses the change.</exception>
    public async Task<KeyValueBucket> UpdateBucketAsync(KeyValueConfig config, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(config);
        return Bucket(await _context.UpdateStreamAsync(config.ToStream(), ct).ConfigureAwait(false));
    }

    /// <summary>Finds a bucket.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The bucket.</returns>
    /// <exception cref="JetStreamException">There is none: <see cref="JetStreamErrors.StreamNotFound"/>.</exception>
    public async Task<KeyValueBucket> GetBucketAsync(string name, CancellationToken ct = default)
    {
        KeyNames.CheckBucket(name);
        return Bucket(await _context.GetStreamAsync(KeyNames.Stream(name), ct: ct).ConfigureAwait(false));
    }

    /// <summary>Deletes a bucket with everything in it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>Done when it is gone.</returns>
    /// <exception cref="JetStreamException">It was not there.</exception>
    public Task DeleteBucketAsync(string name, CancellationToken ct = default)
    {
        KeyNames.CheckBucket(name);
        return _context.DeleteStreamAsync(KeyNames.Stream(name), ct);
    }

    /// <summary>Every bucket.</summary>
    /// <param name="ct">Stops.</param>
    /// <returns>In pages, as they are read.</returns>
    public async IAsyncEnumerable<KeyValueStatus> ListBucketsAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        await foreach (var stream in _context.ListStreamsAsync(ct: ct).ConfigureAwait(false))
            if (KeyNames.IsStream(stream.Config.Name)) yield return new KeyValueStatus(KeyNames.BucketOf(stream.Config.Name), stream);
    }

    private KeyValueBucket Bucket(JetStreamStream stream) => new(_context, stream, Mirrored(stream.Info.Config));

    private static StreamSource? Mirrored(StreamConfig config) => config.Mirror is { SubjectTransforms: not { Count: > 0 } } mirror ? mirror : null;
}
