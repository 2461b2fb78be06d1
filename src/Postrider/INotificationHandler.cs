namespace Postrider;

/// <summary>Hears notifications of <typeparamref name="TNotification"/> and of what derives from it; found by the generator.</summary>
/// <typeparam name="TNotification">The message, a base class of it or an interface.</typeparam>
public interface INotificationHandler<in TNotification>
{
    /// <summary>Hears <paramref name="notification"/>.</summary>
    /// <param name="notification">The message.</param>
    /// <param name="ct">The publisher's cancellation.</param>
    /// <returns>Completes when this handler is done.</returns>
    ValueTask Handle(TNotification notification, CancellationToken ct);
}
