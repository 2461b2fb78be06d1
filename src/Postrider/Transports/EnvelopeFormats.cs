using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>The forms that routes and bindings select.</summary>
internal static class EnvelopeFormats
{
    /// <summary>The form of a route; null for Postrider's own.</summary>
    /// <param name="transport">The transport.</param>
    /// <param name="target">The target of the route.</param>
    /// <param name="message">The routed message.</param>
    internal static EnvelopeFormat? Of(ITransport transport, SendTarget target, Type message) => target switch
    {
        { CloudEvents: { } events } => new CloudEventFormat(events, transport.Name, TimeProvider.System),
        { MassTransit: { } options } => new MassTransitFormat(options, message, target.Destination, TimeProvider.System),
        { NServiceBus: { } options } => new NServiceBusFormat(options, message, TimeProvider.System),
        _ => null,
    };

    /// <summary>The form of a binding; null for Postrider's own.</summary>
    /// <param name="transport">The transport.</param>
    /// <param name="binding">The binding.</param>
    /// <param name="message">The bound message.</param>
    internal static EnvelopeFormat? Of(ITransport transport, TransportBinding binding, Type message) => binding switch
    {
        { CloudEvents: { } events } => new CloudEventFormat(events, transport.Name, TimeProvider.System),
        { MassTransit: { } options } => new MassTransitFormat(options, message, binding.Source, TimeProvider.System),
        { NServiceBus: { } options } => new NServiceBusFormat(options, message, TimeProvider.System),
        _ => null,
    };
}
