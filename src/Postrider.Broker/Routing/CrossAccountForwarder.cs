using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Forwards messages from one account to another one: it handles a subscription of the first, like a service.</summary>
internal abstract class CrossAccountForwarder
{
    /// <summary>Forwards a message to the other account.</summary>
    /// <param name="message">As it was published in the first account.</param>
    /// <param name="publisher">Who published it, or null for the broker.</param>
    /// <param name="chain">The forwards between accounts before this one; null for none.</param>
    /// <param name="batch">The publisher's batch.</param>
    /// <returns>Whether it counts as delivered.</returns>
    public abstract bool TryForward(scoped in CrossAccountMessage message, IPublishingClient? publisher, ForwardingChain? chain, SendBatch batch);

    /// <summary>Whether it is for messages from routes too. An import is not: the server that the message came from has the same one.</summary>
    public abstract bool TakesRouted { get; }

    /// <summary>Whether a message to a subject that this forwarder is subscribed to would reach a subscriber now.</summary>
    /// <param name="subject">The subject in the first account.</param>
    public abstract bool HasInterest(ReadOnlySpan<byte> subject);
}
