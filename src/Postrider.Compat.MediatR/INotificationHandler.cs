namespace Postrider.Compat.MediatR;

/// <summary>A handler of notifications, as in MediatR; found by the generator.</summary>
/// <typeparam name="TNotification">The message.</typeparam>
public interface INotificationHandler<in TNotification>
    where TNotification : INotification
{
    /// <summary>Handles a notification.</summary>
    /// <param name="notification">The message.</param>
    /// <param name="cancellationToken">The cancellation token of the publisher.</param>
    /// <returns>Completes when the handler has completed.</returns>
    Task Handle(TNotification notification, CancellationToken cancellationToken);
}
