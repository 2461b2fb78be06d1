using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Consuming;
using Postrider.Serialization;

namespace Postrider.Client.JetStream;

/// <summary>Reads a stream in order, each message exactly once, even if connections are lost or servers restart.</summary>
/// <remarks>Messages are not acknowledged. Each enumeration has its own consumer, which is recreated when a message was lost.</remarks>
public sealed class OrderedConsumer
{
    private readonly ApiClient _api;

    internal OrderedConsumer(ApiClient api, string stream, OrderedConsumerOptions options)
    {
        ApiClient.CheckName("Stream", stream);
        _api = api;
        Stream = stream;
        Options = options;
    }

    /// <summary>The stream.</summary>
    public string Stream { get; }

    /// <summary>The options.</summary>
    public OrderedConsumerOptions Options { get; }

    /// <summary>Consumes messages continuously.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Stops reading.</param>
    /// <returns>The messages in the order of the stream. Its consumer is created with the first read and deleted when the reader leaves.</returns>
    /// <exception cref="NatsClientException">The stream does not exist, or JetStream is not available.</exception>
    public IAsyncEnumerable<JetStreamMessage<T>> ConsumeAsync<T>(Serializer<T>? serializer = null, CancellationToken ct = default)
        => new Reading<T>(this, serializer ?? _api.Session.Serializers.Get<T>(), ct);

    private sealed class Reading<T>(OrderedConsumer consumer, Serializer<T> serializer, CancellationToken ct) : IAsyncEnumerable<JetStreamMessage<T>>
    {
        public IAsyncEnumerator<JetStreamMessage<T>> GetAsyncEnumerator(CancellationToken cancellationToken = default)
        {
            var linked = ct.CanBeCanceled && cancellationToken.CanBeCanceled ? CancellationTokenSource.CreateLinkedTokenSource(ct, cancellationToken) : null;
            return new OrderedReader<T>(consumer._api, consumer.Stream, consumer.Options, serializer, linked?.Token ?? (ct.CanBeCanceled ? ct : cancellationToken), linked);
        }
    }
}
