namespace Postrider.Compat.MediatR;

/// <summary>Base of a synchronous notification handler, as in MediatR.</summary>
/// <typeparam name="TNotification">The message.</typeparam>
public abstract class NotificationHandler<TNotification> : INotificationHandler<TNotification>
    where TNotification : INotification
{
    Task INotificationHandler<TNotification>.Handle(TNotification notification, CancellationToken cancellationToken)
    {
        Handle(notification);
        return Task.CompletedTask;
    }

    /// <summary>Handles a notification.</summary>
    /// <param name="notification">The message.</param>
    protected abstract void Handle(TNotification notification);
}
