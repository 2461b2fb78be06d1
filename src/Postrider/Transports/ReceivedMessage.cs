using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>A message that arrived from a transport, before it is read.</summary>
/// <param name="Transport">The transport.</param>
/// <param name="Binding">The binding that it arrived through.</param>
/// <param name="MessageType">The type that it is read as.</param>
/// <param name="Envelope">Headers and body; the bytes are valid until the message is handled.</param>
/// <param name="Services">The services of the message's scope, in which its handler runs.</param>
public sealed record ReceivedMessage(ITransport Transport, TransportBinding Binding, Type MessageType, Envelope Envelope, IServiceProvider Services);
