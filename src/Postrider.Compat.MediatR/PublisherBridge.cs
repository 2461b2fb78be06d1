using Microsoft.Extensions.DependencyInjection;
using Postrider.Dispatch;

namespace Postrider.Compat.MediatR;

/// <summary>Passes notifications to the publisher that is registered in the container.</summary>
internal static class PublisherBridge
{
    internal static ValueTask Publish(
        IServiceProvider services, IReadOnlyList<NotificationCall> handlers, object notification, CancellationToken ct)
        => notification is INotification known
            ? new(services.GetRequiredService<INotificationPublisher>().Publish(handlers.Select(Executor), known, ct))
            : InOrder(handlers, notification, ct);

    // Most publishers enumerate it once: a list would be an additional allocation.
    private static NotificationHandlerExecutor Executor(NotificationCall call)
        => new(call.Handler, (notification, ct) => call.Invoke(notification, ct).AsTask());

    // MediatR's publishers cannot receive notifications of Postrider's own type.
    private static async ValueTask InOrder(IReadOnlyList<NotificationCall> handlers, object notification, CancellationToken ct)
    {
        foreach (var handler in handlers)
            await handler.Invoke(notification, ct).ConfigureAwait(false);
    }
}
