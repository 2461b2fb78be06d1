using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams.Queues;

/// <summary>Passes messages to another handler, on a queue's thread.</summary>
/// <remarks>When the queue is full, requesters get no responders and may retry.</remarks>
internal sealed class QueuedHandler(RequestQueue queue, IInternalSubscriber handler, SubjectTree<Subscription> tree) : IInternalSubscriber
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
        if (!queue.TryAdd(handler, publisher, subject, replyTo, headers, payload)) InternalPublisher.ReplyNoResponders(tree, subject, replyTo, batch);
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
        => queue.OnFailed(subject, error);
}
