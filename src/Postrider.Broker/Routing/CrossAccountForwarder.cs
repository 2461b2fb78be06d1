using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Forwards messages from one account to another: it handles a subscription of the first, like an internal subscriber.</summary>
internal abstract class CrossAccountForwarder
{
    /// <summary>Forwards a message to the other account.</summary>
    /// <param name="message">The message as published in the first account.</param>
    /// <param name="publisher">The publisher, or null for the broker.</param>
    /// <param name="chain">The forwards between accounts before this one; null for none.</param>
    /// <param name="batch">The publisher's batch.</param>
    /// <returns>Whether the message counts as delivered.</returns>
    public abstract bool TryForward(scoped in CrossAccountMessage message, IPublishingClient? publisher, ForwardingChain? chain, SendBatch batch);

    /// <summary>Whether messages from routes are forwarded too. Not for an import: the server that the message came from has the same one.</summary>
    public abstract bool TakesRouted { get; }

    /// <summary>Whether a subject of this forwarder's subscription has interest in the other account now.</summary>
    /// <param name="subject">The subject in the first account.</param>
    public abstract bool HasInterest(ReadOnlySpan<byte> subject);
}
