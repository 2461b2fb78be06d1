// Hot path: DispatchTarget.PublishBySlot -> this -> NotificationStep.Invoke. Allocations: none while handlers complete at once.
namespace Postrider.Dispatch;

/// <summary>Calls handlers one after the other; the first exception ends it.</summary>
internal sealed class SequentialPublisher(Type messageType, NotificationStep[] steps) : PublishPipeline
{
    public override Type MessageType => messageType;

    public override ValueTask Invoke(object notification, object? state, CancellationToken ct)
    {
        var all = steps;
        for (var i = 0; i < all.Length; i++)
        {
            var task = all[i].Invoke(notification, state, ct);
            if (!task.IsCompletedSuccessfully)
                return Continue(task, all, i + 1, notification, state, ct);
        }

        return default;
    }

    private static async ValueTask Continue(
        ValueTask task, NotificationStep[] all, int next, object notification, object? state, CancellationToken ct)
    {
        await task.ConfigureAwait(false);
        for (; next < all.Length; next++)
            await all[next].Invoke(notification, state, ct).ConfigureAwait(false);
    }
}
