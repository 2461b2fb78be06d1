using System.Buffers;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.Samples.OrderPipeline;

/// <summary>Publishes the changes of orders to a stream, which stores each change once.</summary>
public sealed class OrderEvents(NatsTransport transport, ISerializerProvider serializers)
{
    private readonly Serializer<OrderChanged> _serializer = serializers.Get<OrderChanged>();

    public ValueTask TellAsync(OrderChanged news, CancellationToken ct)
    {
        var body = new ArrayBufferWriter<byte>();
        _serializer.Write(body, news);
        var headers = new Headers
        {
            { HeaderNames.ContentType, _serializer.ContentType },
            { HeaderNames.IdempotencyKey, $"{news.Id} {news.State.Step} {news.State.Attempts}" },
        };
        return transport.Streams.SendAsync(new Envelope { Destination = Topology.Events, Headers = headers, Body = body.WrittenMemory }, ct);
    }
}
