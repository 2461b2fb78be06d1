// Hot path: DispatcherCore.PublishByTypeId -> this -> NotificationInvoker.Invoke. Allocations: none while handlers complete at once.
using System.ComponentModel;

namespace Postrider.Dispatch;

/// <summary>Calls handlers one after the other; the first exception ends it. Generated code derives from it if all handlers are in one
/// project, so that each call is direct.</summary>
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

    /// <summary>Continues after a handler that did not complete synchronously.</summary>
    /// <param name="task">That handler's task.</param>
    /// <param name="next">The index of the next handler.</param>
    /// <param name="notification">The message.</param>
    /// <param name="state">The state that the pipeline of the message type needs.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes when all handlers have completed.</returns>
    protected async ValueTask Continue(ValueTask task, int next, object notification, object? state, CancellationToken ct)
    {
        await task.ConfigureAwait(false);
        for (; next < steps.Length; next++)
            await steps[next].Invoke(notification, state, ct).ConfigureAwait(false);
    }
}
