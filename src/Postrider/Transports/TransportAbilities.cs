namespace Postrider.Transports;

/// <summary>What a transport can do beyond sending and receiving. What a route or a binding asks for and the transport lacks is refused
/// at the start.</summary>
[Flags]
public enum TransportAbilities
{
    /// <summary>Nothing beyond sending and receiving.</summary>
    None = 0,

    /// <summary>Requests are answered: <see cref="MessageSender.RequestAsync"/>.</summary>
    Requests = 1,

    /// <summary>A sent message is stored: it survives sender, receiver and a restart of the server.</summary>
    Durability = 2,

    /// <summary>A message that was not handled is delivered again: <see cref="AtLeastOnceBinding"/>.</summary>
    Redelivery = 4,

    /// <summary>A message is delivered after a delay: <see cref="SendTarget.Delay"/>.</summary>
    Delay = 8,

    /// <summary>A message is not handled after a time: <see cref="SendTarget.TimeToLive"/>.</summary>
    Expiry = 16,

    /// <summary>A message that is sent twice within some time is stored once.</summary>
    Deduplication = 32,

    /// <summary>The listeners of one <see cref="TransportBinding.Group"/> share the messages, and each group gets all of them.</summary>
    Groups = 64,

    /// <summary>Messages reach the receiver in the order in which they were delivered, also where several are handled concurrently:
    /// <see cref="TransportBinding.OrderByKey"/>.</summary>
    OrderByKey = 128,

    /// <summary>Stream requests are answered, page by page: <see cref="ITransport.NewInbox"/>.</summary>
    Streams = 256,
}
