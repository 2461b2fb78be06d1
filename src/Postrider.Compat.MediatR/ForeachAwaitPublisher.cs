namespace Postrider.Compat.MediatR;

/// <summary>Calls one handler after another, as in MediatR; the first exception ends the publish. When this class itself is configured
/// it is not called: <see cref="PublishStrategy.Sequential"/> does the same without a list.</summary>
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
