namespace Postrider.Compat.MediatR;

/// <summary>Runs all handlers concurrently, as in MediatR: the awaiting code only sees the first exception. <see cref="PublishStrategy.Parallel"/>
/// collects them, without a list.</summary>
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
