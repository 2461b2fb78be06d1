using System.ComponentModel;
using Microsoft.Extensions.Configuration;
using Postrider.Dispatch.Routes;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Dispatch;

/// <summary>Options of <c>AddPostrider</c>: routes to remote handlers, and handlers that tests replace.</summary>
/// <remarks>One object per service collection: if <c>AddPostrider</c> is called several times, each call sets the options that it names, the last
/// one wins, and routes and replacements add up. Read while pipelines are composed: changes after a message's first use have no effect
/// on its type.</remarks>
public sealed class DispatchOptions
{
    private const string Replaced = "replaced";

    /// <summary>The registrations that senders of a message use instead of its handler: replacements and routes.</summary>
    internal Dictionary<Type, MessageRegistration> Overrides { get; } = [];

    /// <summary>Replaced handlers only: messages that arrive through a binding ignore routes.</summary>
    internal Dictionary<Type, MessageRegistration> Replacements { get; } = [];

    /// <summary>The routes that a later replacement of the handler has removed.</summary>
    internal Dictionary<Type, MessageRoute> RemovedRoutes { get; } = [];

    internal Dictionary<Type, MessageRoute> Routes { get; } = [];

    /// <summary>Whether every call creates an activity and is measured; see <see cref="Diagnostics.DispatchTelemetry"/>. When it is off
    /// it costs nothing, because pipelines are composed without it.</summary>
    public bool Telemetry { get; set; }

    /// <summary>Whether the host checks, before it starts its services, that the container has every service that handlers and
    /// middleware require, as <c>ValidateOnBuild</c> does for registered services. Otherwise a missing one fails the first message that
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

    /// <summary>Capacity of the background queue in messages; adding a message waits while the queue is full. At least 1. A handler that runs
    /// in the queue, and what it starts, cannot wait for it: what they add while it is full is kept too, up to sixteen times as many messages,
    /// and fails with <see cref="PostriderError.QueueFull"/> beyond.</summary>
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
    /// <param name="serializers">Write the message and read the response: one format, such as
    /// <c>new JsonSerializerProvider(OrdersJson.Default)</c>, or a <see cref="SerializerSet"/> of several.</param>
    /// <param name="target">The destination of the handler, in the format of the transport; a <see cref="SendTarget"/> for a time to live or a delay.</param>
    /// <returns>These options.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: a notification, which
    /// <c>RouteNotification</c> routes; a stream request, which <c>RouteStream</c> routes; or a message that has another route.</exception>
    public DispatchOptions Route<TRequest, TResponse>(
        Func<IServiceProvider, ITransport> transport, ISerializerProvider serializers, SendTarget target)
        where TRequest : notnull
        => RouteRequest<TRequest, TResponse>(RouteWay.Of(transport, serializers, target, nameof(Route)));

    /// <summary>Routes a message type to a remote handler over a transport that <c>AddPostriderTransport</c> added.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="transport">The transport's name.</param>
    /// <param name="serializers">Write the message and read the response.</param>
    /// <param name="target">The destination of the handler, in the format of the transport; a <see cref="SendTarget"/> for a time to live or a delay.</param>
    /// <returns>These options.</returns>
    /// <inheritdoc cref="Route{TRequest, TResponse}(Func{IServiceProvider, ITransport}, ISerializerProvider, SendTarget)" path="/remarks"/>
    public DispatchOptions Route<TRequest, TResponse>(string transport, ISerializerProvider serializers, SendTarget target)
        where TRequest : notnull
        => RouteRequest<TRequest, TResponse>(RouteWay.Named(transport, serializers, target, typeof(TRequest), nameof(Route)));

    /// <summary>Routes a notification type to another process over a transport that <c>AddPostriderTransport</c> added.</summary>
    /// <typeparam name="TNotification">The notification; types derived from it are not routed with it.</typeparam>
    /// <param name="transport">The transport's name.</param>
    /// <param name="serializers">Write the notification.</param>
    /// <param name="target">The destination, in the format of the transport; a <see cref="SendTarget"/> for a time to live or a delay.</param>
    /// <returns>These options.</returns>
    /// <inheritdoc cref="RouteNotification{TNotification}(Func{IServiceProvider, ITransport}, ISerializerProvider, SendTarget)" path="/remarks"/>
    public DispatchOptions RouteNotification<TNotification>(string transport, ISerializerProvider serializers, SendTarget target)
        where TNotification : INotification
        => RouteNotification<TNotification>(RouteWay.Named(transport, serializers, target, typeof(TNotification), nameof(RouteNotification)));

    /// <summary>Routes a notification type out of this process: publishing sends it through a transport.</summary>
    /// <remarks>The route replaces this container's handlers for publishers. A notification that arrives through a
    /// <see cref="MessagePump"/> goes to the handlers of this container, so that publisher and handlers may be in one process, each
    /// handler with its own binding; without any handler here it is forwarded along the route. Publishing completes when the transport
    /// has accepted the message. Correlation id, cause, deadline, idempotency key and trace context travel in its headers.</remarks>
    /// <typeparam name="TNotification">The notification; types derived from it are not routed with it.</typeparam>
    /// <param name="transport">Gets the transport from the container.</param>
    /// <param name="serializers">Write the notification.</param>
    /// <param name="target">The destination, in the format of the transport; a <see cref="SendTarget"/> for a time to live or a delay.</param>
    /// <returns>These options.</returns>
    public DispatchOptions RouteNotification<TNotification>(
        Func<IServiceProvider, ITransport> transport, ISerializerProvider serializers, SendTarget target)
        where TNotification : INotification
        => RouteNotification<TNotification>(RouteWay.Of(transport, serializers, target, nameof(RouteNotification)));

    /// <summary>Routes a stream request to a remote handler over a transport that <c>AddPostriderTransport</c> added.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TItem">The type of the items.</typeparam>
    /// <param name="transport">The name of the transport, which has <see cref="TransportAbilities.Streams"/>.</param>
    /// <param name="serializers">Write the message and read the items.</param>
    /// <param name="target">The destination of the handler, in the format of the transport.</param>
    /// <returns>These options.</returns>
    /// <inheritdoc cref="RouteStream{TRequest, TItem}(Func{IServiceProvider, ITransport}, ISerializerProvider, SendTarget)" path="/remarks"/>
    public DispatchOptions RouteStream<TRequest, TItem>(string transport, ISerializerProvider serializers, SendTarget target)
        where TRequest : IStreamRequest<TItem>
        => RouteStream<TRequest, TItem>(RouteWay.Named(transport, serializers, target, typeof(TRequest), nameof(RouteStream)));

    /// <summary>Routes a stream request to a remote handler: in another process, or at a binding of this one.</summary>
    /// <remarks>The items are sent in pages, each when the caller has taken the previous one, so that a slow caller slows the
    /// handler down. Ending the enumeration ends the handler's. A handler whose caller requests nothing for 30 seconds is cancelled.
    /// The route applies to senders, as that of a request does.</remarks>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TItem">The type of the items.</typeparam>
    /// <param name="transport">Gets the transport from the container; it has <see cref="TransportAbilities.Streams"/>.</param>
    /// <param name="serializers">Write the message and read the items.</param>
    /// <param name="target">The destination of the handler, in the format of the transport.</param>
    /// <returns>These options.</returns>
    public DispatchOptions RouteStream<TRequest, TItem>(
        Func<IServiceProvider, ITransport> transport, ISerializerProvider serializers, SendTarget target)
        where TRequest : IStreamRequest<TItem>
        => RouteStream<TRequest, TItem>(RouteWay.Of(transport, serializers, target, nameof(RouteStream)));

    /// <summary>Routes messages as defined in a section of the configuration: its keys are message types or patterns of them.</summary>
    /// <param name="section">The section, for example <c>Postrider:Routes</c>. Each key is the full name of a type, its short name, or a
    /// pattern with <c>*</c>, and has <c>Transport</c>, <c>Destination</c>, <c>TimeToLive</c> and <c>Delay</c>. In the destination
    /// <c>{name}</c> is the short name of the message's type. A name comes before a pattern, a pattern before the message's
    /// <see cref="RouteToAttribute"/>; a message that has none of them stays in this process.</param>
    /// <param name="messages">Lists the messages that the configuration may route. They are written in the formats that their transport
    /// was added with.</param>
    /// <returns>These options.</returns>
    /// <exception cref="Postrider.Configuration.InvalidConfigurationException">Values are missing or wrong, a key names no message, or
    /// two patterns match one message. The text has a line for each.</exception>
    public DispatchOptions RouteFrom(IConfigurationSection section, Action<RoutableMessages> messages)
    {
        ArgumentNullException.ThrowIfNull(section);
        var list = List(messages);
        foreach (var (message, way) in list.Zip(RouteSection.Read(section, [.. list.Select(static message => message.Type)])))
        {
            if (way is not null)
                message.Route(this, way);
        }

        return this;
    }

    /// <summary>Routes messages as defined by their <see cref="RouteToAttribute"/>.</summary>
    /// <param name="messages">Lists the messages. They are written in the formats that their transport was added with.</param>
    /// <returns>These options.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: a message does not have the attribute.</exception>
    public DispatchOptions RouteByAttribute(Action<RoutableMessages> messages)
    {
        foreach (var message in List(messages))
        {
            message.Route(this, RouteWay.OfAttribute(message.Type) ?? throw new PostriderException(
                PostriderError.Configuration, $"{message.Type} has no [RouteTo(transport, destination)]: add the attribute, or remove the message from RouteByAttribute."));
        }

        return this;
    }

    /// <summary>Replaces the handler of a request, in tests.</summary>
    /// <remarks>Removes a route that was added before, which the log of the start says; one that is added later is kept, and the replacement
    /// handles the messages that arrive through a binding.</remarks>
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
    /// <inheritdoc cref="Replace{TRequest, TResponse}" path="/remarks"/>
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
    /// <inheritdoc cref="Replace{TRequest, TResponse}" path="/remarks"/>
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
    /// <remarks>Removes a route that was added before, which the log of the start says; one that is added later is kept, and the replacement
    /// handles the messages that arrive through a binding.</remarks>
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

    internal DispatchOptions RouteRequest<TRequest, TResponse>(RouteWay way)
        where TRequest : notnull
    {
        if (typeof(INotification).IsAssignableFrom(typeof(TRequest)))
            throw new PostriderException(PostriderError.Configuration, $"{typeof(TRequest)} is a notification: route it to '{way.Target.Destination}' with RouteNotification.");
        if (typeof(IStreamRequest<TResponse>).IsAssignableFrom(typeof(TRequest)))
            throw new PostriderException(PostriderError.Configuration, $"{typeof(TRequest)} is a stream request: route it to '{way.Target.Destination}' with RouteStream.");

        var isCommand = typeof(TResponse) == typeof(Unit);
        return Add(
            typeof(TRequest), isCommand ? MessageRoute.Command : MessageRoute.Request, way, isCommand ? null : typeof(TResponse),
            SenderOf<TRequest>(way),
            root => Open(root),
            new RequestRegistration<TRequest, TResponse>(
                Open,
                Describe<TRequest>("request", typeof(TResponse).ToString(), $"remote '{way.Target.Destination}'")));

        RemoteHandler<TRequest, TResponse> Open(IServiceProvider root)
            => way.Open(typeof(TRequest), () => new RemoteHandler<TRequest, TResponse>(way.Transport(root), way.Serializers(root), way.Target));
    }

    internal DispatchOptions RouteNotification<TNotification>(RouteWay way)
        where TNotification : INotification
    {
        return Add(
            typeof(TNotification), MessageRoute.Notification, way, response: null,
            SenderOf<TNotification>(way),
            root => Open(root),
            new NotificationRegistration<TNotification>(
                root => [Open(root)],
                PublishStrategy.Sequential,
                Describe<TNotification>("notification", "", $"remote '{way.Target.Destination}'")));

        RemoteNotificationStep<TNotification> Open(IServiceProvider root)
            => way.Open(typeof(TNotification), () => new RemoteNotificationStep<TNotification>(way.Transport(root), way.Serializers(root), way.Target));
    }

    internal DispatchOptions RouteStream<TRequest, TItem>(RouteWay way)
        where TRequest : IStreamRequest<TItem>
    {
        return Add(
            typeof(TRequest), MessageRoute.Stream, way, typeof(TItem),
            SenderOf<TRequest>(way),
            root => Open(root),
            new StreamRegistration<TRequest, TItem>(
                Open,
                Describe<TRequest>("stream", typeof(TItem).ToString(), $"remote '{way.Target.Destination}'")));

        RemoteStream<TRequest, TItem> Open(IServiceProvider root)
            => way.Open(typeof(TRequest), () => new RemoteStream<TRequest, TItem>(way.Transport(root), way.Serializers(root), way.Target));
    }

    private static Func<IServiceProvider, RouteSender> SenderOf<TMessage>(RouteWay way)
        => root => way.Open(typeof(TMessage), () => new RouteSender<TMessage>(way.Transport(root), way.Serializers(root), way.Target));

    private static IReadOnlyList<RoutableMessages.Message> List(Action<RoutableMessages> messages)
    {
        ArgumentNullException.ThrowIfNull(messages);
        var list = new RoutableMessages();
        messages(list);
        return list.All;
    }

    private DispatchOptions Add(
        Type message, string kind, RouteWay way, Type? response, Func<IServiceProvider, RouteSender> createSender, Action<IServiceProvider> open, MessageRegistration registration)
    {
        var route = new MessageRoute(kind, way.Transport, way.Target, way.TransportName, response, createSender, open, way.Source);
        if (Routes.TryGetValue(message, out var other) && (other.Target != route.Target || other.TransportName != route.TransportName))
        {
            throw new PostriderException(
                PostriderError.Configuration,
                $"{message} is routed twice: by {other.Source} to '{other.Destination}'{Over(other)} and by {route.Source} to '{route.Destination}'{Over(route)}. Remove one of them.");
        }

        Routes[message] = route;
        RemovedRoutes.Remove(message);
        Overrides[message] = registration;
        return this;

        static string Over(MessageRoute route) => route.TransportName is { } name ? $" over '{name}'" : "";
    }

    private DispatchOptions ReplaceBy(MessageRegistration registration)
    {
        Overrides[registration.MessageType] = Replacements[registration.MessageType] = registration;
        if (Routes.Remove(registration.MessageType, out var route))
            RemovedRoutes[registration.MessageType] = route;
        return this;
    }

    private static MessageDescription Describe<TMessage>(string kind, string response, string handler)
        => new(typeof(TMessage).ToString(), kind, response, [handler], [], PipelineNeeds.None, HandlerLifetime.Singleton);
}
