// Hot path: DispatcherCore.PublishByTypeId -> this -> NotificationInvoker.Invoke. Allocations: none while handlers complete at once.
using System.ComponentModel;

namespace Postrider.Dispatch;

/// <summary>Calls handlers one after the other; the first exception ends it. The generator derives from it where all handlers
/// are of one project: then each call is direct.</summary>
/// <param name="messageType">The type of the notification.</param>
/// <param name="steps">The handlers in their order.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public class SequentialPublisher(Type messageType, NotificationInvoker[] steps) : PublishPipeline
{
    /// <inheritdoc/>
    public sealed override Type MessageType => messageType;

    /// <inheritdoc/>
    public override ValueTask Invoke(object notification, object? state, CancellationToken ct)
    {
        var all = steps;
        for (var i = 0; i < all.Length; i++)
        {
            var task = all[i].Invoke(notification, state, ct);
            if (!task.IsCompletedSuccessfully)
                return Continue(task, i + 1, notification, state, ct);
        }

        return default;
    }

    /// <summary>Goes on behind a handler that did not complete at once.</summary>
    /// <param name="task">That handler's task.</param>
    /// <param name="next">The index of the handler behind it.</param>
    /// <param name="notification">The message.</param>
    /// <param name="state">What the message type was compiled to need.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes when all handlers are done.</returns>
    protected async ValueTask Continue(ValueTask task, int next, object notification, object? state, CancellationToken ct)
    {
        await task.ConfigureAwait(false);
        for (; next < steps.Length; next++)
            await steps[next].Invoke(notification, state, ct).ConfigureAwait(false);
    }
}
