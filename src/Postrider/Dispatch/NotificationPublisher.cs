namespace Postrider.Dispatch;

/// <summary>A custom publish strategy: calls the handlers of a notification.</summary>
/// <param name="services">The scope of the publish.</param>
/// <param name="handlers">The handlers in their order; empty if the notification has none.</param>
/// <param name="notification">The message.</param>
/// <param name="ct">The caller's cancellation.</param>
/// <returns>Completes when the publish has.</returns>
public delegate ValueTask NotificationPublisher(
    IServiceProvider services, IReadOnlyList<NotificationCall> handlers, object notification, CancellationToken ct);
