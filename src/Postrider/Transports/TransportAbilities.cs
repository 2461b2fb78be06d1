namespace Postrider.Transports;

/// <summary>What a transport can do beyond sending and receiving. A route or a binding that needs a missing ability is rejected
/// at the start.</summary>
[Flags]
public enum TransportAbilities
{
    /// <summary>Nothing beyond sending and receiving.</summary>
    None = 0,

    /// <summary>Supports requests: <see cref="MessageSender.RequestAsync"/>.</summary>
    Requests = 1,

    /// <summary>A sent message is stored: it survives sender, receiver and a restart of the server.</summary>
    Durability = 2,

    /// <summary>Redelivers messages that were not handled: <see cref="AtLeastOnceBinding"/>.</summary>
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

    /// <summary>Supports stream requests, page by page: <see cref="ITransport.NewInbox"/>.</summary>
    Streams = 256,
}
