using System.ComponentModel;

namespace Postrider.Dispatch;

/// <summary>Middleware around each handler of a notification in referenced projects; created by generated code.</summary>
/// <typeparam name="TNotification">The message type of the handlers.</typeparam>
/// <param name="wrap">Puts the middleware's steps before a step, from the root's services.</param>
/// <param name="needs">The needs of the middleware for each call.</param>
/// <param name="middleware">Their names, outermost first.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CrossModuleNotificationMiddleware<TNotification>(
    Func<IServiceProvider, RequestPipeline<TNotification, Unit>, RequestPipeline<TNotification, Unit>> wrap,
    PipelineNeeds needs,
    IReadOnlyList<string> middleware)
    : CrossModuleNotificationMiddleware(needs, middleware)
    where TNotification : notnull
{
    /// <inheritdoc/>
    public override Type MessageType => typeof(TNotification);

    internal override NotificationInvoker Wrap(IServiceProvider root, NotificationInvoker inner) => new Outside(inner, wrap(root, new Inside(inner)));

    private sealed class Inside(NotificationInvoker step) : RequestPipeline<TNotification, Unit>
    {
        public override ValueTask<Unit> Invoke(TNotification request, object? state, CancellationToken ct)
            => CallState.ToUnit(step.Invoke(request, state, ct));
    }

    private sealed class Outside(NotificationInvoker inner, RequestPipeline<TNotification, Unit> first) : NotificationInvoker
    {
        public override int Order => inner.Order;

        public override Type? Definition => inner.Definition;

        public override ValueTask Invoke(object notification, object? state, CancellationToken ct)
            => CallState.FromUnit(first.InvokeMessage(notification, state, ct));

        public override object Handler(object? state) => inner.Handler(state);
    }
}

/// <summary>Middleware around the handlers of a notification, without its type.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class CrossModuleNotificationMiddleware : CrossModuleMiddleware
{
    private protected CrossModuleNotificationMiddleware(PipelineNeeds needs, IReadOnlyList<string> middleware)
        : base(needs, middleware)
    {
    }

    internal abstract NotificationInvoker Wrap(IServiceProvider root, NotificationInvoker inner);
}
