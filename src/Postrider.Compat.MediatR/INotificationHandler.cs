namespace Postrider.Compat.MediatR;

/// <summary>A handler of notifications, as MediatR has it; found by the generator.</summary>
/// <typeparam name="TNotification">The message.</typeparam>
public interface INotificationHandler<in TNotification>
    where TNotification : INotification
{
    /// <summary>Handles a notification.</summary>
    /// <param name="notification">The message.</param>
    /// <param name="cancellationToken">The publisher's cancellation.</param>
    /// <returns>Completes when it is done.</returns>
    Task Handle(TNotification notification, CancellationToken cancellationToken);
}
