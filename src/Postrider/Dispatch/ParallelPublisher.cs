namespace Postrider.Dispatch;

/// <summary>Starts all handlers, then waits for all of them, and collects their exceptions.</summary>
/// <remarks>Handlers start on the caller's thread: only their waits run in parallel. A handler that computes for a long time
/// should yield.</remarks>
internal sealed class ParallelPublisher(Type messageType, NotificationInvoker[] steps) : PublishPipeline
{
    public override Type MessageType => messageType;

    public override ValueTask Invoke(object notification, object? state, CancellationToken ct)
    {
        List<Task>? pending = null;
        List<Exception>? errors = null;
        foreach (var step in steps)
        {
            try
            {
                var task = step.Invoke(notification, state, ct);
                if (!task.IsCompletedSuccessfully)
                    (pending ??= []).Add(task.AsTask());
            }
            catch (Exception error)
            {
                (errors ??= []).Add(error);
            }
        }

        return pending is null && errors is null ? default : Wait(pending, errors, ct);
    }

    private async ValueTask Wait(List<Task>? pending, List<Exception>? errors, CancellationToken ct)
    {
        foreach (var task in pending ?? [])
        {
            try
            {
                await task.ConfigureAwait(false);
            }
            catch (Exception error)
            {
                (errors ??= []).Add(error);
            }
        }

        if (errors is not null)
            throw PublishErrors.All(errors, steps.Length, MessageType, ct);
    }
}
