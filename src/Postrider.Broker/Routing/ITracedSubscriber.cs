using Postrider.Broker.Tracing;
using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>An internal subscriber that adds its steps to a message's trace.</summary>
internal interface ITracedSubscriber : IInternalSubscriber
{
    /// <summary>Handles a traced message, or only examines it if <see cref="MessageTrace.IsOnly"/>.</summary>
    /// <param name="trace">The trace to add steps to.</param>
    /// <param name="publisher">The publisher, or null for the broker.</param>
    /// <param name="subject">Its subject; valid during the call.</param>
    /// <param name="replyTo">Its reply subject, or empty; valid during the call.</param>
    /// <param name="headers">Its header block; valid during the call.</param>
    /// <param name="payload">Its payload; valid during the call.</param>
    /// <param name="batch">The publisher's batch, for responses.</param>
    void HandleTraced(
        MessageTrace trace,
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch);
}
