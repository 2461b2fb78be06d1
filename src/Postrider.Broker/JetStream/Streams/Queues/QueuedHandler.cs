using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams.Queues;

/// <summary>Passes messages to another handler, on a queue's thread.</summary>
/// <remarks>When the queue is full, requesters get no responders and may retry.</remarks>
/// <param name="queue">The queue.</param>
/// <param name="handler">The other handler.</param>
/// <param name="tree">The subscriptions of requesters.</param>
/// <param name="isQuick">Which messages are passed at once, on the caller's thread; null for none.</param>
internal sealed class QueuedHandler(RequestQueue queue, IInternalSubscriber handler, SubjectTree<Subscription> tree, QuickRequest? isQuick = null) : IInternalSubscriber
{
    /// <inheritdoc/>
    public bool IsImported => handler.IsImported;

    /// <inheritdoc/>
    public bool ServesClients => handler.ServesClients;

    /// <inheritdoc/>
    public void Handle(
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch)
    {
        if (isQuick?.Invoke(subject, payload) == true) handler.Handle(publisher, subject, replyTo, headers, payload, batch);
        else if (!queue.TryAdd(handler, publisher, subject, replyTo, headers, payload)) InternalPublisher.ReplyNoResponders(tree, subject, replyTo, batch);
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
        => queue.OnFailed(subject, error);
}
