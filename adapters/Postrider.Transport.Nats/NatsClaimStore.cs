using Postrider.ClaimChecks;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.ObjectStore;

namespace Postrider.Transport.Nats;

/// <summary>Keeps the bodies of large messages in a bucket of JetStream's object store.</summary>
/// <remarks>Thread-safe. The bucket is created if it is missing.</remarks>
/// <param name="client">A connected client; the caller disposes it.</param>
/// <param name="bucket">The bucket; its <see cref="ObjectBucketConfig.TimeToLive"/> is how long a body is kept, and should be longer than any
/// message may wait, including its dead letter.</param>
/// <param name="streams">The JetStream domain and the like; null for the client's own.</param>
public sealed class NatsClaimStore(NatsClient client, ObjectBucketConfig bucket, JetStreamOptions? streams = null) : IClaimStore, IDisposable
{
    private readonly SemaphoreSlim _opening = new(1); // guards creating _bucket
    private volatile ObjectBucket? _bucket;

    /// <inheritdoc/>
    public async ValueTask PutAsync(string id, ReadOnlyMemory<byte> body, CancellationToken ct)
        => await (await OpenAsync(ct).ConfigureAwait(false)).PutAsync(id, body, ct).ConfigureAwait(false);

    /// <inheritdoc/>
    public async ValueTask<ReadOnlyMemory<byte>?> GetAsync(string id, int maxBytes, CancellationToken ct)
    {
        var objects = await OpenAsync(ct).ConfigureAwait(false);
        if (await objects.TryGetInfoAsync(id, ct: ct).ConfigureAwait(false) is not { } info)
            return null;
        if (info.Size > maxBytes)
            throw new PostriderException(PostriderError.TooLarge, $"The body {id} has {info.Size} bytes; at most {maxBytes} are fetched.");
        try
        {
            // It does not grow, whatever the size of the chunks.
            var body = new byte[info.Size];
            using var target = new MemoryStream(body);
            await objects.GetAsync(id, target, ct).ConfigureAwait(false);
            return body;
        }
        catch (NatsClientException gone) when (gone.Code == NatsErrorCode.NotFound)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public async ValueTask RemoveAsync(string id, CancellationToken ct)
    {
        try
        {
            await (await OpenAsync(ct).ConfigureAwait(false)).DeleteAsync(id, ct).ConfigureAwait(false);
        }
        catch (NatsClientException gone) when (gone.Code == NatsErrorCode.NotFound)
        {
            // Another receiver removed it, or it has expired.
        }
    }

    /// <summary>Releases the store's resources; the client belongs to the caller.</summary>
    public void Dispose() => _opening.Dispose();

    private async ValueTask<ObjectBucket> OpenAsync(CancellationToken ct)
    {
        if (_bucket is { } open)
            return open;
        await _opening.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            return _bucket ??= await FindOrCreateAsync(client.CreateObjectStoreContext(streams), ct).ConfigureAwait(false);
        }
        finally
        {
            _opening.Release();
        }
    }

    private async Task<ObjectBucket> FindOrCreateAsync(ObjectStoreContext buckets, CancellationToken ct)
    {
        try
        {
            return await buckets.GetBucketAsync(bucket.Bucket, ct).ConfigureAwait(false);
        }
        catch (JetStreamException missing) when (missing.ErrorCode == JetStreamErrors.StreamNotFound)
        {
            return await buckets.CreateBucketAsync(bucket, ct).ConfigureAwait(false);
        }
    }
}
