using System.Buffers;
using Postrider.Envelopes;
using Postrider.Transport.Nats;

namespace Postrider.Samples.OrderPipeline;

/// <summary>Tells what happened to an order: stored, and the same news once.</summary>
public sealed class OrderEvents(NatsTransport transport, ICodec codec)
{
    public ValueTask TellAsync(OrderChanged news, CancellationToken ct)
    {
        var body = new ArrayBufferWriter<byte>();
        codec.Encode(body, news);
        var headers = new Headers { { HeaderNames.IdempotencyKey, $"{news.Id} {news.State.Step} {news.State.Attempts}" } };
        return transport.Streams.SendAsync(new Envelope { Destination = Topology.Events, Headers = headers, Body = body.WrittenMemory }, ct);
    }
}
