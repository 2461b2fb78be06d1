using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Where messages leave an account for another one: behind a subscription of the first, like a service.</summary>
internal abstract class AccountCrossing
{
    /// <summary>Brings a message into the other account.</summary>
    /// <param name="message">As it was published in the first account.</param>
    /// <param name="publisher">Who published it, or null for the broker.</param>
    /// <param name="chain">The crossings that it came through; null for none.</param>
    /// <param name="batch">The publisher's batch.</param>
    /// <returns>Whether it counts as delivered.</returns>
    public abstract bool TryCross(scoped in CrossingMessage message, IPublishingClient? publisher, CrossingChain? chain, SendBatch batch);

    /// <summary>Whether a message to a subject that the crossing is subscribed to would reach anybody now.</summary>
    /// <param name="subject">The subject in the first account.</param>
    public abstract bool HasInterest(ReadOnlySpan<byte> subject);
}
