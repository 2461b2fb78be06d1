using Postrider.Client;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Publishes to a subject, at most once.</summary>
internal sealed class NatsSender(NatsTransport transport, SendTarget target) : MessageSender(transport, target)
{
    /// <inheritdoc/>
    public override long MaxBodyBytes => NatsHealth.MaxBodyBytes(transport.Client);

    protected override TimeProvider TimeProvider => transport.Client.Options.TimeProvider;

    protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        => transport.Client.PublishAsync(Target.Destination, body, headers: NatsHeaderMapping.ToNats(in properties), ct: ct);

    protected override ValueTask<Envelope> RequestCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        => RequestAsync(NatsHeaderMapping.ToNats(in properties), body, ct);

    private async ValueTask<Envelope> RequestAsync(NatsHeaders headers, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        try
        {
            var reply = await transport.Client.RequestAsync<ReadOnlyMemory<byte>, ReadOnlyMemory<byte>>(Target.Destination, body, headers: headers, ct: ct).ConfigureAwait(false);
            return new Envelope { Destination = reply.Subject, Headers = NatsHeaderMapping.FromNats(reply.Headers), Body = reply.Data };
        }
        catch (NatsNoRespondersException error)
        {
            throw new PostriderException(PostriderError.NoListener, $"There is no listener at '{Target.Destination}' on transport '{transport.Name}'.", error);
        }
    }
}
