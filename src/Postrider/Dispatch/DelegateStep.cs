namespace Postrider.Dispatch;

/// <summary>A handler of notifications that is a delegate.</summary>
/// <typeparam name="TNotification">The message.</typeparam>
internal sealed class DelegateStep<TNotification>(Func<TNotification, CancellationToken, ValueTask> handler) : NotificationInvoker
{
    public override ValueTask Invoke(object notification, object? state, CancellationToken ct)
        => handler((TNotification)notification, ct);
}
