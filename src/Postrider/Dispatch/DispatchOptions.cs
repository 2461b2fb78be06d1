using System.ComponentModel;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Dispatch;

/// <summary>Options of <c>AddPostrider</c>: routes to remote handlers, and handlers that tests replace.</summary>
/// <remarks>One object per service collection: where <c>AddPostrider</c> is called several times, each call sets what it names, the last
/// one wins, and routes and replacements add up. Read while pipelines are composed: changes after a message's first use have no effect
/// on its type.</remarks>
public sealed class DispatchOptions
{
    private const string Replaced = "replaced";

    /// <summary>What stands in the place of a message's handler for those who send it: a replacement or a route.</summary>
    internal Dictionary<Type, MessageRegistration> Overrides { get; } = [];

    /// <summary>Replaced handlers alone: what arrives through a binding knows no routes.</summary>
    internal Dictionary<Type, MessageRegistration> Replacements { get; } = [];

    internal Dictionary<Type, MessageRoute> Routes { get; } = [];

    /// <summary>Whether every call creates an activity and is measured; see <see cref="Diagnostics.DispatchTelemetry"/>. When it is off
    /// it costs nothing, because pipelines are composed without it.</summary>
    public bool Telemetry { get; set; }

    /// <summary>Whether the host checks, before it starts its services, that the container has every service that handlers and
    /// middleware take, as <c>ValidateOnBuild</c> does for what is registered. Otherwise a missing one fails the first message that
    /// needs it.</summary>
    /// <remarks>A host throws one <see cref="PostriderException"/> (<see cref="PostriderError.Configuration"/>) that names each handler,
    /// message and service. Routed and replaced messages are not checked. The dependencies of registered services are checked by
    /// <c>ValidateOnBuild</c>.</remarks>
    public bool ValidateOnStart { get; set; }

    /// <summary>How the handlers of a notification are called, unless the notification or its project specifies it.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the value is not a strategy.</exception>
    public PublishStrategy DefaultStrategy
    {
        get;
        set => field = Enum.IsDefined(value)
            ? value
            : throw new PostriderException(PostriderError.Configuration, $"DefaultStrategy is {value}, which is not a PublishStrategy.");
    }

    /// <summary>Calls the handlers of a notification, unless the notification or its project specifies a strategy; null to use
    /// <see cref="DefaultStrategy"/>. Each publish allocates a list for it.</summary>
    public NotificationPublisher? Publisher { get; set; }

    /// <summary>Chooses a publisher when a notification is published for the first time, unless <see cref="Publisher"/> is set.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public Func<NotificationPublisher?>? ChoosePublisher { get; set; }

    /// <summary>Capacity of the background queue in messages; adding a message waits while the queue is full. At least 1.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: it is below 1.</exception>
    public int BackgroundQueueLength
    {
        get;
        set => field = value >= 1
            ? value
            : throw new PostriderException(PostriderError.Configuration, $"BackgroundQueueLength is {value}; it must be at least 1.");
    } = 1024;

    /// <summary>Routes a message type to a remote handler: in another process, or at a binding of this one.</summary>
    /// <remarks>The route applies to senders. A message that arrives through a <see cref="MessagePump"/> goes to the handler of this
    /// container if there is one, so that sender and handler may be in one process. Otherwise the pump forwards it along the route; it
    /// does not start if that leads back to one of its own bindings.</remarks>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="transport">Gets the transport from the container.</param>
    /// <param name="codec">Encodes the message and decodes the response.</param>
    /// <param name="destination">The destination of the handler, in the format of the transport.</param>
    /// <returns>These options.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: a notification or a stream request, which
    /// cannot be routed.</exception>
    public DispatchOptions Route<TRequest, TResponse>(
        Func<IServiceProvider, ITransport> transport, ICodec codec, string destination)
        where TRequest : notnull
    {
        ArgumentNullException.ThrowIfNull(transport);
        ArgumentNullException.ThrowIfNull(codec);
        ArgumentNullException.ThrowIfNull(destination);
        if (typeof(INotification).IsAssignableFrom(typeof(TRequest)) || typeof(IStreamRequest<TResponse>).IsAssignableFrom(typeof(TRequest)))
        {
            throw new PostriderException(
                PostriderError.Configuration,
                $"{typeof(TRequest)} cannot be routed to '{destination}': only requests and commands can. " +
                "Send it through the transport in a handler of its own.");
        }

        Routes[typeof(TRequest)] = new MessageRoute(transport, destination);
        Overrides[typeof(TRequest)] = new RequestRegistration<TRequest, TResponse>(
            root => new RemoteHandler<TRequest, TResponse>(transport(root), codec, destination),
            Describe<TRequest>("request", typeof(TResponse).ToString(), $"remote '{destination}'"));
        return this;
    }

    /// <summary>Replaces the handler of a request, in tests.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="handler">Called instead of the handler and its middleware.</param>
    /// <returns>These options.</returns>
    public DispatchOptions Replace<TRequest, TResponse>(Func<TRequest, CancellationToken, ValueTask<TResponse>> handler)
        where TRequest : notnull
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ReplaceBy(new RequestRegistration<TRequest, TResponse>(
            _ => new DelegateHandler<TRequest, TResponse>(handler),
            Describe<TRequest>("request", typeof(TResponse).ToString(), Replaced)));
    }

    /// <summary>Replaces the handler of a command without a response, in tests.</summary>
    /// <typeparam name="TCommand">The message.</typeparam>
    /// <param name="handler">Called instead of the handler and its middleware.</param>
    /// <returns>These options.</returns>
    public DispatchOptions ReplaceCommand<TCommand>(Func<TCommand, CancellationToken, ValueTask> handler)
        where TCommand : notnull
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Replace<TCommand, Unit>((command, ct) => CallState.ToUnit(handler(command, ct)));
    }

    /// <summary>Replaces all handlers of a notification type, including those of its base types, in tests.</summary>
    /// <typeparam name="TNotification">The message; types derived from it keep their handlers.</typeparam>
    /// <param name="handler">Called instead of the handlers, whatever their strategy.</param>
    /// <returns>These options.</returns>
    public DispatchOptions ReplaceNotification<TNotification>(Func<TNotification, CancellationToken, ValueTask> handler)
        where TNotification : notnull
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ReplaceBy(new NotificationRegistration<TNotification>(
            _ => [new DelegateStep<TNotification>(handler)],
            PublishStrategy.Sequential,
            Describe<TNotification>("notification", "", Replaced)));
    }

    /// <summary>Replaces the handler of a stream request, in tests.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TItem">The type of the items.</typeparam>
    /// <param name="handler">Called instead of the handler and its middleware.</param>
    /// <returns>These options.</returns>
    public DispatchOptions ReplaceStream<TRequest, TItem>(Func<TRequest, CancellationToken, IAsyncEnumerable<TItem>> handler)
        where TRequest : notnull
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ReplaceBy(new StreamRegistration<TRequest, TItem>(
            _ => new DelegateStream<TRequest, TItem>(handler),
            Describe<TRequest>("stream", typeof(TItem).ToString(), Replaced)));
    }

    private DispatchOptions ReplaceBy(MessageRegistration registration)
    {
        Overrides[registration.MessageType] = Replacements[registration.MessageType] = registration;
        Routes.Remove(registration.MessageType);
        return this;
    }

    private static MessageDescription Describe<TMessage>(string kind, string response, string handler)
        => new(typeof(TMessage).ToString(), kind, response, [handler], [], PipelineNeeds.None, HandlerLifetime.Singleton);
}
