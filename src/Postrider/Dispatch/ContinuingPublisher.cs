namespace Postrider.Dispatch;

/// <summary>Calls all handlers one after the other and gathers their exceptions.</summary>
internal sealed class ContinuingPublisher(Type messageType, NotificationStep[] steps) : PublishPipeline
{
    public override Type MessageType => messageType;

    public override async ValueTask Invoke(object notification, object? state, CancellationToken ct)
    {
        List<Exception>? errors = null;
        foreach (var step in steps)
        {
            try
            {
                await step.Invoke(notification, state, ct).ConfigureAwait(false);
            }
            catch (Exception error)
            {
                (errors ??= []).Add(error);
            }
        }

        if (errors is not null)
            throw new AggregateException($"{errors.Count} of {steps.Length} handlers of {MessageType} failed.", errors);
    }
}
