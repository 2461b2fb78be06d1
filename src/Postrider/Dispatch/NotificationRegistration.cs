using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>The handlers of one notification type in one module, without those of its base types.</summary>
/// <typeparam name="TNotification">The message, or a base of messages.</typeparam>
/// <param name="compose">Creates the invokers of the handlers, from the root's services.</param>
/// <param name="strategy">How they are called; null for the default.</param>
/// <param name="description">The description in the handler map.</param>
/// <param name="inLine">Creates a publisher that calls exactly these handlers in sequence; null for a loop.</param>
public sealed class NotificationRegistration<TNotification>(
    Func<IServiceProvider, NotificationInvoker[]> compose,
    PublishStrategy? strategy,
    MessageDescription description,
    Func<Type, NotificationInvoker[], SequentialPublisher>? inLine = null)
    : NotificationRegistration(description, strategy, inLine)
    where TNotification : notnull
{
    /// <inheritdoc/>
    public override Type MessageType => typeof(TNotification);

    internal override NotificationInvoker[] MakeSteps(IServiceProvider root) => compose(root);
}

/// <summary>The untyped base class of <see cref="NotificationRegistration{TNotification}"/>.</summary>
public abstract class NotificationRegistration : MessageRegistration
{
    private protected NotificationRegistration(
        MessageDescription description, PublishStrategy? strategy, Func<Type, NotificationInvoker[], SequentialPublisher>? inLine)
        : base(description)
    {
        Strategy = strategy;
        InLine = inLine;
    }

    internal PublishStrategy? Strategy { get; }

    internal Func<Type, NotificationInvoker[], SequentialPublisher>? InLine { get; }

    internal abstract NotificationInvoker[] MakeSteps(IServiceProvider root);

    internal NotificationInvoker[] MakeSteps(IServiceProvider root, IReadOnlyList<CrossModuleMiddleware> wrappers)
    {
        var steps = MakeSteps(root);
        foreach (var wrapper in wrappers)
        {
            for (var i = 0; i < steps.Length; i++)
                steps[i] = ((CrossModuleNotificationMiddleware)wrapper).Wrap(root, steps[i]);
        }

        return steps;
    }

    internal override Pipeline Compose(IServiceProvider root, bool traced, IReadOnlyList<CrossModuleMiddleware> wrappers)
        => throw new InvalidOperationException("Notifications are composed from all registrations that handle them.");
}
