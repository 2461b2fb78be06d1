namespace Postrider.Dispatch;

/// <summary>A handler of a notification that is being published, for a <see cref="NotificationPublisher"/>.</summary>
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

    /// <summary>The handler's instance; for a static method a placeholder.</summary>
    public object Handler { get; }

    /// <summary>Calls the handler, including the middleware around it.</summary>
    /// <param name="notification">The published message, or another of its type.</param>
    /// <param name="ct">The cancellation token for the handler.</param>
    /// <returns>Completes when the handler has completed.</returns>
    public ValueTask Invoke(object notification, CancellationToken ct) => _step.InvokeOn(Handler, notification, _state, ct);
}
