namespace Postrider.Compat.MediatR;

/// <summary>One handler after the other; the first exception ends it, as MediatR has it. While it is what is configured, and no
/// class derived from it, nothing calls it: <see cref="PublishStrategy.Sequential"/> does the same without a list.</summary>
public class ForeachAwaitPublisher : INotificationPublisher
{
    /// <inheritdoc/>
    public async Task Publish(
        IEnumerable<NotificationHandlerExecutor> handlerExecutors, INotification notification, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(handlerExecutors);
        foreach (var handler in handlerExecutors)
            await handler.HandlerCallback(notification, cancellationToken).ConfigureAwait(false);
    }
}
