namespace Postrider;

/// <summary>Handles notifications of type <typeparamref name="TNotification"/> and of derived types; found by the generator.</summary>
/// <typeparam name="TNotification">The message, a base class of it or an interface.</typeparam>
public interface INotificationHandler<in TNotification>
{
    /// <summary>Handles <paramref name="notification"/>.</summary>
    /// <param name="notification">The message.</param>
    /// <param name="ct">The publisher's cancellation.</param>
    /// <returns>Completes when this handler has completed.</returns>
    ValueTask Handle(TNotification notification, CancellationToken ct);
}
