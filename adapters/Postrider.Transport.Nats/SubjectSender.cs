using Postrider.Client;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Sends to a subject with a client.</summary>
internal abstract class SubjectSender : MessageSender
{
    private readonly NatsClient _client;
    private readonly NatsPoison _poison;

    /// <summary>Creates a sender.</summary>
    /// <param name="transport">The transport.</param>
    /// <param name="client">Its client.</param>
    /// <param name="options">Its options.</param>
    /// <param name="target">The destination and its options.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: nothing can be published to the destination.</exception>
    protected SubjectSender(ITransport transport, NatsClient client, NatsOptions options, SendTarget target)
        : base(transport, target)
    {
        NatsSendErrors.CheckDestination(target.Destination);
        (_client, _poison) = (client, options.Poison);
    }

    /// <inheritdoc/>
    public override long MaxBodyBytes => NatsHealth.MaxBodyBytes(_client, _poison);

    protected override TimeProvider TimeProvider => _client.Options.TimeProvider;

    /// <summary>The client's exception as one of a transport; only if <see cref="NatsSendErrors.HasCounterpart"/>.</summary>
    protected Exception CounterpartOf(NatsClientException failure) => NatsSendErrors.Of(failure, _client, Target.Destination);
}
