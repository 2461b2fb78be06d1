using Postrider.Broker.Tracing;
using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>A service of the broker that says in a message's trace what becomes of the message.</summary>
internal interface ITracedSubscriber : IInternalSubscriber
{
    /// <summary>Handles a traced message, or only examines it where <see cref="MessageTrace.IsOnly"/>.</summary>
    /// <param name="trace">Gets the steps.</param>
    /// <param name="publisher">Who published it, or null for the broker.</param>
    /// <param name="subject">Its subject; valid during the call.</param>
    /// <param name="replyTo">Its reply subject or nothing; valid during the call.</param>
    /// <param name="headers">Its header block; valid during the call.</param>
    /// <param name="payload">Its payload; valid during the call.</param>
    /// <param name="batch">The publisher's batch: answers go into it.</param>
    void HandleTraced(
        MessageTrace trace,
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch);
}
