using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>The client of a subscription, as far as a delivery needs it.</summary>
internal interface ISubscriber
{
    /// <summary>The broker's id of the connection.</summary>
    ulong Id { get; }

    /// <summary>Whether a subject that a pattern covers is denied to the client.</summary>
    bool IsDenied(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup);

    /// <summary>Allows the client to publish to a reply subject that it is about to receive.</summary>
    void AllowReply(ReadOnlySpan<byte> replyTo);

    /// <summary>Ends a subscription whose last message is being delivered.</summary>
    void OnLastDelivered(Subscription subscription, SendBatch batch);
}
