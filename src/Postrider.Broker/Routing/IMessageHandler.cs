using Postrider.Wire.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>A service of the broker itself: it receives messages like a subscriber, on the publisher's thread.</summary>
internal interface IMessageHandler
{
    /// <summary>Handles a message.</summary>
    /// <param name="publisher">Who published it, or null for the broker.</param>
    /// <param name="subject">Its subject; valid during the call.</param>
    /// <param name="replyTo">Its reply subject or nothing; valid during the call.</param>
    /// <param name="headers">Its header block or nothing; valid during the call.</param>
    /// <param name="payload">Its payload; valid during the call.</param>
    /// <param name="batch">The publisher's batch: answers go into it.</param>
    void Handle(
        IPublisher? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch);
}
