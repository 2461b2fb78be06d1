namespace Postrider.Compat.MediatR;

/// <summary>All handlers at once, as MediatR has it: who awaits sees the first exception alone. <see cref="PublishStrategy.Parallel"/>
/// gathers them, and makes no list.</summary>
public class TaskWhenAllPublisher : INotificationPublisher
{
    /// <inheritdoc/>
    public Task Publish(
        IEnumerable<NotificationHandlerExecutor> handlerExecutors, INotification notification, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(handlerExecutors);
        return Task.WhenAll([.. handlerExecutors.Select(handler => handler.HandlerCallback(notification, cancellationToken))]);
    }
}
