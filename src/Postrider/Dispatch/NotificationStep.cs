namespace Postrider.Dispatch;

/// <summary>One handler of a notification. The generator derives from it.</summary>
public abstract class NotificationStep
{
    /// <summary>Among the handlers of one notification, whatever their projects: lower runs first.</summary>
    public virtual int Order => 0;

    /// <summary>Calls the handler.</summary>
    /// <param name="notification">The message; not checked.</param>
    /// <param name="state">What the message type was compiled to need.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes when the handler is done.</returns>
    public abstract ValueTask Invoke(object notification, object? state, CancellationToken ct);
}
