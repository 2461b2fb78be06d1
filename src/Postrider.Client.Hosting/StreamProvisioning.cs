using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;

namespace Postrider.Client.Hosting;

/// <summary>Streams, consumers and buckets that must exist.</summary>
public sealed class StreamProvisioning
{
    internal List<ProvisioningStep> Steps { get; } = [];

    /// <summary>A stream.</summary>
    /// <param name="config">Its configuration.</param>
    /// <returns>This object.</returns>
    public StreamProvisioning Stream(StreamConfig config)
    {
        ArgumentNullException.ThrowIfNull(config);
        Steps.Add(new($"The stream '{config.Name}'", (client, ct) => client.CreateJetStreamContext().CreateOrUpdateStreamAsync(config, ct)) { Stream = config });
        return this;
    }

    /// <summary>A consumer of a stream that exists or is named before.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="config">The consumer's configuration.</param>
    /// <returns>This object.</returns>
    public StreamProvisioning Consumer(string stream, ConsumerConfig config)
    {
        ArgumentException.ThrowIfNullOrEmpty(stream);
        ArgumentNullException.ThrowIfNull(config);
        return Add($"The consumer '{config.DurableName ?? config.Name}' of the stream '{stream}'", (client, ct) => client.CreateJetStreamContext().CreateOrUpdateConsumerAsync(stream, config, ct));
    }

    /// <summary>A key-value bucket.</summary>
    /// <param name="config">Its configuration.</param>
    /// <returns>This object.</returns>
    public StreamProvisioning KeyValue(KeyValueConfig config)
    {
        ArgumentNullException.ThrowIfNull(config);
        return Add($"The key-value bucket '{config.Bucket}'", (client, ct) => client.CreateKeyValueContext().CreateOrUpdateBucketAsync(config, ct));
    }

    /// <summary>An object bucket.</summary>
    /// <param name="config">Its configuration.</param>
    /// <returns>This object.</returns>
    public StreamProvisioning ObjectStore(ObjectBucketConfig config)
    {
        ArgumentNullException.ThrowIfNull(config);
        return Add($"The object bucket '{config.Bucket}'", (client, ct) => client.CreateObjectStoreContext().CreateOrUpdateBucketAsync(config, ct));
    }

    private StreamProvisioning Add(string what, Func<NatsClient, CancellationToken, Task> run)
    {
        Steps.Add(new(what, run));
        return this;
    }
}
