namespace Postrider.Dispatch;

/// <summary>Calls all handlers in sequence and collects their exceptions.</summary>
internal sealed class ContinueOnErrorPublisher(Type messageType, NotificationInvoker[] steps) : PublishPipeline
{
    public override Type MessageType => messageType;

    public override ValueTask Invoke(object notification, object? state, CancellationToken ct)
    {
        for (var i = 0; i < steps.Length; i++)
        {
            var task = Start(steps[i], notification, state, ct);
            if (!task.IsCompletedSuccessfully)
                return Continue(task, i + 1, notification, state, ct);
        }

        return default;
    }

    private async ValueTask Continue(ValueTask task, int next, object notification, object? state, CancellationToken ct)
    {
        List<Exception>? errors = null;
        while (true)
        {
            try
            {
                await task.ConfigureAwait(false);
            }
            catch (Exception error)
            {
                (errors ??= []).Add(error);
            }

            if (next == steps.Length)
                break;
            task = Start(steps[next++], notification, state, ct);
        }

        if (errors is not null)
            throw PublishErrors.All(errors, steps.Length, MessageType, ct);
    }

    // A handler that throws before it returns a task counts as failed, like any other.
    private static ValueTask Start(NotificationInvoker step, object notification, object? state, CancellationToken ct)
    {
        try
        {
            return step.Invoke(notification, state, ct);
        }
        catch (Exception error)
        {
            return ValueTask.FromException(error);
        }
    }
}
