using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.KeyValue;
using Postrider.Sagas;

namespace Postrider.Transport.Nats;

/// <summary>Keeps sagas as the entries of a key-value bucket: the key is the saga's name and its id, the revision is the server's.</summary>
internal sealed class NatsSagaStore(NatsClient client, KeyValueConfig config, JetStreamOptions? streams) : ISagaStore, IDisposable
{
    private readonly SemaphoreSlim _opening = new(1); // guards creating _bucket
    private volatile KeyValueBucket? _bucket;

    public async ValueTask<StoredSaga?> LoadAsync(string saga, string id, CancellationToken ct)
    {
        var bucket = await OpenAsync(ct).ConfigureAwait(false);
        return await bucket.TryGetAsync<ReadOnlyMemory<byte>>(KeyOf(saga, id), ct: ct).ConfigureAwait(false) is { } entry
            ? new StoredSaga((long)entry.Revision, entry.Value)
            : null;
    }

    public async ValueTask<long> SaveAsync(string saga, string id, StoredSaga state, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(state);
        var bucket = await OpenAsync(ct).ConfigureAwait(false);
        var key = KeyOf(saga, id);
        var left = state.ExpiresAt is { } expiry ? Left(expiry) : (TimeSpan?)null;
        try
        {
            return (long)(state.Revision == 0
                ? await bucket.CreateAsync(key, state.Data, left, ct: ct).ConfigureAwait(false)
                : await bucket.UpdateAsync(key, state.Data, (ulong)state.Revision, left, ct: ct).ConfigureAwait(false));
        }
        catch (NatsClientException conflict) when (conflict.Code == NatsErrorCode.WrongRevision)
        {
            return 0;
        }
    }

    public void Dispose() => _opening.Dispose();

    // Characters of a key other than letters and digits are written as = and their number.
    internal static string KeyOf(string saga, string id)
    {
        var key = new System.Text.StringBuilder(saga).Append('.');
        foreach (var unit in System.Text.Encoding.UTF8.GetBytes(id))
        {
            if (char.IsAsciiLetterOrDigit((char)unit) || unit is (byte)'-' or (byte)'_')
                key.Append((char)unit);
            else
                key.Append(System.Globalization.CultureInfo.InvariantCulture, $"={unit:X2}");
        }

        return key.ToString();
    }

    // The server counts whole seconds, at least one.
    private TimeSpan Left(DateTimeOffset expiry)
        => TimeSpan.FromSeconds(Math.Max(1, Math.Ceiling((expiry - client.Options.TimeProvider.GetUtcNow()).TotalSeconds)));

    private async ValueTask<KeyValueBucket> OpenAsync(CancellationToken ct)
    {
        if (_bucket is { } open)
            return open;
        await _opening.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            return _bucket ??= await FindOrCreateAsync(client.CreateKeyValueContext(streams), ct).ConfigureAwait(false);
        }
        finally
        {
            _opening.Release();
        }
    }

    // An existing bucket is not changed.
    private async Task<KeyValueBucket> FindOrCreateAsync(KeyValueContext buckets, CancellationToken ct)
    {
        try
        {
            return await buckets.GetBucketAsync(config.Bucket, ct).ConfigureAwait(false);
        }
        catch (JetStreamException missing) when (missing.ErrorCode == JetStreamErrors.StreamNotFound)
        {
            return await buckets.CreateBucketAsync(config, ct).ConfigureAwait(false);
        }
    }
}
