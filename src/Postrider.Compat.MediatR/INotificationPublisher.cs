namespace Postrider.Compat.MediatR;

/// <summary>How the handlers of notifications are called, as MediatR has it. Asked for notifications whose type and project name
/// no <see cref="PublishStrategy"/>.</summary>
public interface INotificationPublisher
{
    /// <summary>Calls the handlers.</summary>
    /// <param name="handlerExecutors">The handlers in their order.</param>
    /// <param name="notification">The message.</param>
    /// <param name="cancellationToken">The publisher's cancellation.</param>
    /// <returns>Completes when the publish has.</returns>
    Task Publish(
        IEnumerable<NotificationHandlerExecutor> handlerExecutors, INotification notification, CancellationToken cancellationToken);
}
