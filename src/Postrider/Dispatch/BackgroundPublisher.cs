namespace Postrider.Dispatch;

/// <summary>Queues a notification; the worker calls its handlers.</summary>
internal sealed class BackgroundPublisher(PublishPipeline inner, BackgroundQueue queue) : PublishPipeline
{
    public override Type MessageType => inner.MessageType;

    // The publisher's scope may be gone when the worker comes: only its identities travel with the message.
    public override ValueTask Invoke(object notification, object? state, CancellationToken ct)
        => queue.Add(inner, notification, state is CallOrigin origin ? origin with { Services = null } : null, ct);
}
