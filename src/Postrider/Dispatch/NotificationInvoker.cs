namespace Postrider.Dispatch;

/// <summary>Invokes one handler of a notification. Generated code derives from it.</summary>
public abstract class NotificationInvoker
{
    /// <summary>The order among the handlers of one notification across all projects: lower runs first.</summary>
    public virtual int Order => 0;

    /// <summary>For a generic handler class, its definition: if several closed versions handle a notification, only the one for the most
    /// derived type is called. Otherwise null.</summary>
    public virtual Type? Definition => null;

    /// <summary>Calls the handler.</summary>
    /// <param name="notification">The message; not checked.</param>
    /// <param name="state">The state that the pipeline of the message type needs.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes when the handler has completed.</returns>
    public abstract ValueTask Invoke(object notification, object? state, CancellationToken ct);

    /// <summary>Gets or creates the handler, for a custom publisher.</summary>
    /// <param name="state">The state that the pipeline of the message type needs.</param>
    /// <returns>The handler; for a static method this object.</returns>
    public virtual object Handler(object? state) => this;

    /// <summary>Calls a handler that <see cref="Handler"/> returned.</summary>
    /// <param name="handler">The handler; not checked.</param>
    /// <param name="notification">The message; not checked.</param>
    /// <param name="state">The state that the pipeline of the message type needs.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes when the handler has completed.</returns>
    // Finding the handler again returns the same one, unless each call creates its own: then the generator overrides this.
    public virtual ValueTask InvokeOn(object handler, object notification, object? state, CancellationToken ct)
        => Invoke(notification, state, ct);

    // After those of the same order, which are few.
    internal void InsertInto(List<NotificationInvoker> steps)
    {
        var at = steps.Count;
        while (at > 0 && steps[at - 1].Order > Order)
            at--;
        steps.Insert(at, this);
    }
}
