namespace Postrider.Dispatch;

/// <summary>Passes the handlers as a list to the application's own publisher.</summary>
internal sealed class CustomPublisher(Type messageType, NotificationInvoker[] steps, NotificationPublisher publisher) : PublishPipeline
{
    public override Type MessageType => messageType;

    public override ValueTask Invoke(object notification, object? state, CancellationToken ct)
    {
        var calls = new NotificationCall[steps.Length];
        for (var i = 0; i < calls.Length; i++)
            calls[i] = new NotificationCall(steps[i], state);
        return publisher(CallState.AnyServices(state), calls, notification, ct);
    }
}
