using Microsoft.Extensions.DependencyInjection;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.KeyValue;
using Postrider.Sagas;

namespace Postrider.Transport.Nats;

/// <summary>Keeps sagas in JetStream.</summary>
public static class NatsSagaBuilderExtensions
{
    // An expired key leaves a marker, which the server requires for a time to live of single keys.
    private static readonly TimeSpan s_markers = TimeSpan.FromHours(1);

    /// <summary>Keeps the sagas in a key-value bucket, which is created if it is missing.</summary>
    /// <param name="sagas">The sagas.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="client">The key of the client in the container; null for the one without a key.</param>
    /// <returns>The builder.</returns>
    /// <remarks>A state and the messages that it sends are one entry; the messages are sent after it is stored, and again with the same ids if the
    /// process ends in between: see docs/guide/sagas.md. Requires nats-server 2.11.</remarks>
    public static SagaBuilder UseNatsKeyValue(this SagaBuilder sagas, string bucket, object? client = null)
        => sagas.UseNatsKeyValue(new KeyValueConfig { Bucket = bucket, LimitMarkerTimeToLive = s_markers }, client);

    /// <summary>Keeps the sagas in a key-value bucket, which is created if it is missing.</summary>
    /// <param name="sagas">The sagas.</param>
    /// <param name="bucket">The bucket's configuration: replicas, storage. <see cref="KeyValueConfig.LimitMarkerTimeToLive"/> must be set, by which
    /// the server removes sagas that have ended, and <see cref="KeyValueConfig.TimeToLive"/> must not, which would remove those that run.</param>
    /// <param name="client">The key of the client in the container; null for the one without a key.</param>
    /// <param name="streams">The JetStream domain and the like; null for the client's own.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the configuration would lose sagas.</exception>
    public static SagaBuilder UseNatsKeyValue(this SagaBuilder sagas, KeyValueConfig bucket, object? client = null, JetStreamOptions? streams = null)
    {
        ArgumentNullException.ThrowIfNull(sagas);
        ArgumentNullException.ThrowIfNull(bucket);
        if (bucket.TimeToLive > TimeSpan.Zero)
            throw new PostriderException(PostriderError.Configuration, $"The bucket '{bucket.Bucket}' has TimeToLive {bucket.TimeToLive}, after which running sagas would be lost: remove it. SagaOptions.KeepFor is for those that have ended.");
        if (bucket.LimitMarkerTimeToLive <= TimeSpan.Zero)
            throw new PostriderException(PostriderError.Configuration, $"The bucket '{bucket.Bucket}' has no LimitMarkerTimeToLive, without which sagas that have ended are never removed: set it, to 1 h for example.");
        return sagas.UseStore(services => new NatsSagaStore(NatsTransportServiceCollectionExtensions.Client(services, client, "The store of sagas"), bucket, streams), ServiceLifetime.Singleton);
    }
}
