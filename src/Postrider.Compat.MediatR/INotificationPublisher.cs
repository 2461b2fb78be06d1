namespace Postrider.Compat.MediatR;

/// <summary>How the handlers of notifications are called, as in MediatR. Used for notifications whose type and project set no
/// <see cref="PublishStrategy"/>.</summary>
public interface INotificationPublisher
{
    /// <summary>Calls the handlers.</summary>
    /// <param name="handlerExecutors">The handlers in their order.</param>
    /// <param name="notification">The message.</param>
    /// <param name="cancellationToken">The cancellation token of the publisher.</param>
    /// <returns>Completes when the publish is complete.</returns>
    Task Publish(
        IEnumerable<NotificationHandlerExecutor> handlerExecutors, INotification notification, CancellationToken cancellationToken);
}
