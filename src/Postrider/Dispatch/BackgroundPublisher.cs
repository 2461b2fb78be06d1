namespace Postrider.Dispatch;

/// <summary>Queues a notification; the worker calls its handlers.</summary>
internal sealed class BackgroundPublisher(PublishPipeline inner, BackgroundQueue queue) : PublishPipeline
{
    public override Type MessageType => inner.MessageType;

    public override ValueTask Invoke(object notification, object? state, CancellationToken ct)
        => queue.Add(inner, notification, state as CallOrigin, ct);
}
