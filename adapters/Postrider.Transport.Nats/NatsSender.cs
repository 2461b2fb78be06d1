using Postrider.Client;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Publishes to a subject, at most once.</summary>
internal sealed class NatsSender : MessageSender
{
    private readonly NatsTransport _transport;

    public NatsSender(NatsTransport transport, SendTarget target)
        : base(transport, target)
    {
        NatsSendErrors.CheckDestination(target.Destination);
        _transport = transport;
    }

    /// <inheritdoc/>
    public override long MaxBodyBytes => NatsHealth.MaxBodyBytes(_transport.Client);

    protected override TimeProvider TimeProvider => _transport.Client.Options.TimeProvider;

    protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        try
        {
            var sent = _transport.Client.PublishAsync(Target.Destination, body, headers: NatsHeaderMapping.ToNats(in properties), ct: ct);
            return sent.IsCompletedSuccessfully ? sent : SendAsync(sent);
        }
        catch (NatsClientException failure) when (NatsSendErrors.HasCounterpart(failure))
        {
            return ValueTask.FromException(NatsSendErrors.Of(failure, _transport.Client, Target.Destination));
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
            throw NatsSendErrors.Of(failure, _transport.Client, Target.Destination);
        }
    }

    private async ValueTask<Envelope> RequestAsync(NatsHeaders headers, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        try
        {
            var reply = await _transport.Client.RequestAsync<ReadOnlyMemory<byte>, ReadOnlyMemory<byte>>(Target.Destination, body, headers: headers, ct: ct).ConfigureAwait(false);
            return new Envelope { Destination = reply.Subject, Headers = NatsHeaderMapping.FromNats(reply.Headers), Body = reply.Data };
        }
        catch (NatsNoRespondersException error)
        {
            throw new PostriderException(PostriderError.NoListener, $"There is no listener at '{Target.Destination}'.", error);
        }
        catch (NatsClientException failure) when (NatsSendErrors.HasCounterpart(failure))
        {
            throw NatsSendErrors.Of(failure, _transport.Client, Target.Destination);
        }
    }
}
