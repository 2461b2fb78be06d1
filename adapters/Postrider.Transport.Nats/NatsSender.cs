using Postrider.Client;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Publishes to a subject, at most once.</summary>
internal sealed class NatsSender(NatsTransport transport, SendTarget target) : SubjectSender(transport, transport.Client, transport.Streams.Options, target)
{
    protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        try
        {
            var sent = transport.Client.PublishAsync(Target.Destination, body, headers: NatsHeaderMapping.ToNats(in properties), ct: ct);
            return sent.IsCompletedSuccessfully ? sent : SendAsync(sent);
        }
        catch (NatsClientException failure) when (NatsSendErrors.HasCounterpart(failure))
        {
            return ValueTask.FromException(CounterpartOf(failure));
        }
    }

    protected override ValueTask<Envelope> RequestCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        => RequestAsync(NatsHeaderMapping.ToNats(in properties), body, ct);

    private async ValueTask SendAsync(ValueTask sent)
    {
        try
        {
            await sent.ConfigureAwait(false);
        }
        catch (NatsClientException failure) when (NatsSendErrors.HasCounterpart(failure))
        {
            throw CounterpartOf(failure);
        }
    }

    private async ValueTask<Envelope> RequestAsync(NatsHeaders headers, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        try
        {
            var reply = await transport.Client.RequestAsync<ReadOnlyMemory<byte>, ReadOnlyMemory<byte>>(Target.Destination, body, headers: headers, ct: ct).ConfigureAwait(false);
            return new Envelope { Destination = reply.Subject, Headers = NatsHeaderMapping.FromNats(reply.Headers), Body = reply.Data };
        }
        catch (NatsNoRespondersException error)
        {
            throw new PostriderException(PostriderError.NoListener, $"There is no listener at '{Target.Destination}'.", error);
        }
        catch (NatsClientException failure) when (NatsSendErrors.HasCounterpart(failure))
        {
            throw CounterpartOf(failure);
        }
    }
}
