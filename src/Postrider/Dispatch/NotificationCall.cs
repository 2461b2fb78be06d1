namespace Postrider.Dispatch;

/// <summary>One handler of a notification that is being published, as a <see cref="NotificationPublisher"/> sees it.</summary>
/// <remarks>Valid until the publisher's task completes.</remarks>
public sealed class NotificationCall
{
    private readonly NotificationInvoker _step;
    private readonly object? _state;

    internal NotificationCall(NotificationInvoker step, object? state)
    {
        _step = step;
        _state = state;
        Handler = step.Handler(state);
    }

    /// <summary>The handler's instance; for a static method something that stands for it.</summary>
    public object Handler { get; }

    /// <summary>Calls the handler, middleware around it included.</summary>
    /// <param name="notification">The message that was published, or another of its type.</param>
    /// <param name="ct">The cancellation that the handler shall see.</param>
    /// <returns>Completes when the handler is done.</returns>
    public ValueTask Invoke(object notification, CancellationToken ct) => _step.InvokeOn(Handler, notification, _state, ct);
}
