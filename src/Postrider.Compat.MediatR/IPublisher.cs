namespace Postrider.Compat.MediatR;

/// <summary>Publishes notifications, as in MediatR.</summary>
public interface IPublisher
{
    /// <summary>Publishes a notification whose type is known only at run time.</summary>
    /// <param name="notification">The message.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Completes when the handlers have completed.</returns>
    Task Publish(object notification, CancellationToken cancellationToken = default);

    /// <summary>Publishes a notification.</summary>
    /// <typeparam name="TNotification">The message.</typeparam>
    /// <param name="notification">The message.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Completes when the handlers have completed.</returns>
    Task Publish<TNotification>(TNotification notification, CancellationToken cancellationToken = default)
        where TNotification : INotification;
}
