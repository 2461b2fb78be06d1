namespace Postrider.Dispatch;

/// <summary>One handler of a notification. The generator derives from it.</summary>
public abstract class NotificationInvoker
{
    /// <summary>Among the handlers of one notification, whatever their projects: lower runs first.</summary>
    public virtual int Order => 0;

    /// <summary>Of a generic handler class, the class without its type arguments: of those that hear a notification, the one
    /// that is closed for the nearest type is called. Null for any other.</summary>
    public virtual Type? Definition => null;

    /// <summary>Calls the handler.</summary>
    /// <param name="notification">The message; not checked.</param>
    /// <param name="state">What the message type was compiled to need.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes when the handler is done.</returns>
    public abstract ValueTask Invoke(object notification, object? state, CancellationToken ct);

    /// <summary>Finds or makes the handler, for a publisher that wants to see it.</summary>
    /// <param name="state">What the message type was compiled to need.</param>
    /// <returns>The handler; for a static method, which has none, this step.</returns>
    public virtual object Handler(object? state) => this;

    /// <summary>Calls a handler that <see cref="Handler"/> gave.</summary>
    /// <param name="handler">The handler; not checked.</param>
    /// <param name="notification">The message; not checked.</param>
    /// <param name="state">What the message type was compiled to need.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes when the handler is done.</returns>
    // Finding the handler again gives the same one, but where each call makes its own: there the generator writes this.
    public virtual ValueTask InvokeOn(object handler, object notification, object? state, CancellationToken ct)
        => Invoke(notification, state, ct);
}
