using Microsoft.Extensions.DependencyInjection;
using Postrider.Dispatch.Routes;
using Postrider.Transports;

namespace Postrider.Dispatch;

/// <summary>The pipelines of one container: composes them from the modules at their first use, and creates dispatchers.</summary>
/// <remarks>Thread-safe. One per container.</remarks>
public sealed class PipelineTable : PipelineRegistry
{
    private readonly IServiceProvider _root;
    private readonly Func<PipelineTable, CallOrigin?, Dispatcher> _makeDispatcher;
    private readonly DispatchOptions _options;
    private readonly IReadOnlyList<DispatchHost> _hosts;
    private readonly HandlerModule[] _modules;
    private readonly PipelineRegistry _local;
    private readonly List<(Type Message, ITransport Listener, TransportBinding Binding)> _bound = []; // guarded by _composing
    private BackgroundQueue? _background; // resolved on first use
    private readonly Lock _composing = new(); // guards composing, so that singletons are created once

    internal PipelineTable(IServiceProvider root, DispatchHosts hosts)
    {
        _root = root;
        _options = hosts.Options;
        _hosts = hosts.All;
        var modules = new HandlerModule[_hosts.Count];
        for (var i = 0; i < modules.Length; i++)
            modules[i] = _hosts[i].MakeModule();
        _modules = [.. HandlerModule.Flatten(modules)];

        // The dispatcher of the project that references the others, if one does.
        Module = _modules[0];
        var first = 0;
        while (modules[first].GetType() != Module.GetType())
            first++;
        _makeDispatcher = _hosts[first].MakeDispatcher;
        _local = _options.Routes.Count > 0 ? new LocalPipelines(this) : this;
        Root = _makeDispatcher(this, null);
    }

    /// <summary>The module of the project that called <c>AddPostrider</c>; if several did, of one that references the others.</summary>
    public HandlerModule Module { get; }

    /// <summary>The module of one project.</summary>
    /// <typeparam name="TModule">Its class.</typeparam>
    /// <returns>The module.</returns>
    public TModule ModuleOf<TModule>()
        where TModule : HandlerModule
    {
        foreach (var module in _modules)
        {
            if (module is TModule found)
                return found;
        }

        throw new InvalidOperationException($"{typeof(TModule)} is not a module of this container.");
    }

    /// <summary>The root's services.</summary>
    public IServiceProvider Services => _root;

    /// <summary>The dispatcher without a scope.</summary>
    public Dispatcher Root { get; }

    /// <summary>The dispatcher for a provider: the root's own, or one bound to the scope.</summary>
    /// <param name="services">The root or a scope of it.</param>
    /// <returns>A dispatcher.</returns>
    public Dispatcher For(IServiceProvider services)
        => ReferenceEquals(services, _root) ? Root : _makeDispatcher(this, HandlerScope.OriginOf(services));

    /// <summary>The dispatcher of a project for a provider.</summary>
    internal TDispatcher For<TDispatcher>(IServiceProvider services)
        where TDispatcher : Dispatcher
        => For(services) as TDispatcher
            ?? (TDispatcher)_hosts.First(host => host.Dispatcher == typeof(TDispatcher))
                .MakeDispatcher(this, ReferenceEquals(services, _root) ? null : HandlerScope.OriginOf(services));

    /// <summary>The dispatcher for an origin.</summary>
    /// <param name="origin">Scope, headers, identities.</param>
    /// <returns>A dispatcher.</returns>
    // The root is not a scope: scoped services get a scope per call there, whoever passes the root's services.
    public Dispatcher For(CallOrigin origin)
    {
        ArgumentNullException.ThrowIfNull(origin);
        return _makeDispatcher(this, WithoutRoot(origin));
    }

    /// <summary>Throws if a typed overload may not call a handler directly.</summary>
    /// <param name="messageType">The type of the message.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.DirectCall"/>: the handler was replaced or routed elsewhere.</exception>
    public void CheckDirect(Type messageType)
    {
        if (!IsDirect(messageType))
        {
            throw new PostriderException(
                PostriderError.DirectCall,
                $"{messageType} is replaced, routed elsewhere or traced, but this overload is compiled to a direct call. " +
                "Send it through IDispatcher, or set the switch Postrider.DirectCalls to false.");
        }
    }

    /// <summary>Whether a message goes directly to the handler with which it was compiled.</summary>
    /// <param name="messageType">The type of the message.</param>
    /// <returns>False when the handler was replaced or routed elsewhere, or when calls are traced.</returns>
    public bool IsDirect(Type messageType) => !_options.Telemetry && !_options.Overrides.ContainsKey(messageType);

    /// <inheritdoc/>
    protected override Pipeline? Resolve(Type messageType)
    {
        lock (_composing)
        {
            for (var type = messageType; type is not null && type != typeof(object); type = type.BaseType)
            {
                if (type != messageType && ByType.Find(type) is { } known and not PublishPipeline)
                    return known;
                if (FindRegistration(type) is { } registration and not NotificationRegistration)
                    return registration.Compose(_root, _options.Telemetry, CrossModuleFor(type));
            }

            return ComposeNotification(messageType, _options.Overrides);
        }
    }

    /// <inheritdoc/>
    protected internal override PostriderException NoHandler(Type messageType) => RouteProblems.NoHandler(ModuleNames, messageType);

    /// <inheritdoc/>
    protected internal override ValueTask Post(Pipeline pipeline, object message, CallOrigin? origin, CancellationToken ct)
        => (_background ??= _root.GetRequiredService<BackgroundQueue>()).Add(pipeline, message, origin, ct);

    private string ModuleNames => string.Join(", ", _modules.Select(module => module.Name));

    internal override TimeProvider Clock => _root.GetService<TimeProvider>() ?? TimeProvider.System;

    internal override async ValueTask SendLater(object message, TimeSpan delay, CallOrigin? origin, CancellationToken ct)
        => await _root.GetRequiredService<RoutedMessages>().SendAsync(message, origin, properties => properties with { Delay = delay }, ct).ConfigureAwait(false);

    /// <summary>The dispatcher for a message that arrived through a binding: it ignores routes.</summary>
    internal Dispatcher ForIncoming(CallOrigin origin)
        => ReferenceEquals(_local, this) ? For(origin) : new Dispatcher(_local, WithoutRoot(origin));

    /// <summary>Rejects a binding whose messages would return to it.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the message has no handler here, and its
    /// route leads to this binding or to one that was started before.</exception>
    internal void Bind(Type messageType, ITransport listener, TransportBinding binding)
    {
        lock (_composing)
        {
            if (RouteOnwards(messageType) is { } route)
            {
                var transport = route.Transport(_root);
                foreach (var (_, other, bound) in _bound.Where(b => b.Message == messageType).Append((messageType, listener, binding)))
                {
                    if (transport.Reaches(route.Destination, other, bound))
                        throw RouteProblems.Circle(ModuleNames, messageType, route, bound);
                }
            }
            else if (!IsHandledHere(messageType))
            {
                throw RouteProblems.Unhandled(ModuleNames, messageType, binding);
            }

            _bound.Add((messageType, listener, binding));
        }
    }

    internal void Unbind(Type messageType, ITransport listener, TransportBinding binding)
    {
        lock (_composing)
            _bound.Remove((messageType, listener, binding));
    }

    /// <summary>The route that senders of a message use; null if it has none.</summary>
    internal MessageRoute? RouteOf(Type messageType)
    {
        for (var type = messageType; type is not null && type != typeof(object); type = type.BaseType)
        {
            if (_options.Routes.TryGetValue(type, out var route))
                return route;
            if (typeof(INotification).IsAssignableFrom(messageType) || FindRegistration(type) is not null)
                return null;
        }

        return null;
    }

    /// <summary>The names of the handlers that this container has for a message.</summary>
    internal IReadOnlyList<string> LocalHandlers(Type messageType)
    {
        lock (_composing)
        {
            if (typeof(INotification).IsAssignableFrom(messageType))
            {
                return [.. _modules
                    .SelectMany(module => Enumerable.Range(0, module.Keys.Length).Select(module.Create))
                    .Where(registration => registration is NotificationRegistration && registration.MessageType.IsAssignableFrom(messageType))
                    .SelectMany(static registration => registration.Description.Handlers)];
            }

            for (var type = messageType; type is not null && type != typeof(object); type = type.BaseType)
            {
                if (FindLocally(type) is { } registration)
                    return registration.Description.Handlers;
            }

            return [];
        }
    }

    /// <summary>Creates a sender of a routed type's messages.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the type has no route, or its sender waits for a
    /// response.</exception>
    internal RouteSender CreateRouteSender(Type messageType)
    {
        if (!_options.Routes.TryGetValue(messageType, out var route))
            throw new PostriderException(PostriderError.Configuration, $"{messageType} is not routed, so it cannot be sent later: route it with Route or RouteNotification in AddPostrider.");
        if (route.Response is { } response)
            throw new PostriderException(PostriderError.Configuration, $"The sender of {messageType} waits for {response}, so it cannot be sent later: make it a command without a response.");
        return route.CreateSender(_root);
    }

    /// <summary>The routed type with a name; null if there is none.</summary>
    internal Type? RoutedType(string typeName) => _options.Routes.Keys.FirstOrDefault(type => type.FullName == typeName);

    internal Pipeline? ResolveLocal(Type messageType, LocalPipelines local)
    {
        lock (_composing)
        {
            for (var type = messageType; type is not null && type != typeof(object); type = type.BaseType)
            {
                if (FindLocally(type) is not { } registration || registration is NotificationRegistration)
                    continue;
                if (!_options.Routes.ContainsKey(type))
                    return Find(type);
                return type == messageType
                    ? registration.Compose(_root, _options.Telemetry, CrossModuleFor(type, _options.Replacements))
                    : local.Find(type);
            }

            // A routed notification that arrives here goes to the handlers of this container if it has any, otherwise along the route.
            return _options.Routes.ContainsKey(messageType) && IsHeardHere(messageType)
                ? ComposeNotification(messageType, _options.Replacements)
                : Find(messageType);
        }
    }

    /// <summary>Checks that the container has the services that handlers and middleware require.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: it has not.</exception>
    internal void CheckServices()
    {
        // The handler of a message that is routed elsewhere needs nothing here, unless the message also arrives here.
        var received = _root.GetService<AddedTransports>()?.Received ?? [];
        var check = new ServiceCheck(_root, message => !_options.Overrides.ContainsKey(message) || (_options.Routes.ContainsKey(message) && received.Contains(message)));
        foreach (var module in _modules)
            module.CheckServices(check);
        check.ThrowIfMissing();
    }

    internal IEnumerable<MessageRegistration> Registrations()
        => _options.Overrides.Values.Concat(_modules.SelectMany(static module => Enumerable.Range(0, module.Keys.Length).Select(module.Create)));

    internal IEnumerable<MessageDescription> Descriptions()
    {
        foreach (var registration in _options.Overrides.Values)
            yield return DescribeOverride(registration);
        foreach (var module in _modules)
        {
            foreach (var registration in Enumerable.Range(0, module.Keys.Length).Select(module.Create).Where(one => !_options.Overrides.ContainsKey(one.MessageType)))
                yield return Describe(registration, module);
        }
    }

    // A route applies only to senders: a message that arrives goes to the handler of this container, if there is one.
    private MessageDescription DescribeOverride(MessageRegistration registration)
    {
        var route = registration.Description;
        if (!_options.Routes.ContainsKey(registration.MessageType) || FindLocally(registration.MessageType) is not { } local)
            return route;
        if (registration is NotificationRegistration)
        {
            return local.Description with
            {
                Handlers = [.. route.Handlers, .. local.Description.Handlers.Select(handler => handler + " (for messages that arrive through a binding)")],
            };
        }

        var own = local.Description;
        var wrappers = CrossModuleFor(local.MessageType, _options.Replacements);
        return own with
        {
            Handlers = [.. route.Handlers, .. own.Handlers.Select(handler => handler + " (for messages that arrive through a binding)")],
            Middleware = [.. CrossModuleMiddleware.NamesOf(wrappers), .. own.Middleware],
            Needs = local.NeedsWith(wrappers),
        };
    }

    private MessageDescription Describe(MessageRegistration registration, HandlerModule module)
    {
        var own = registration.Description;
        var wrappers = registration is NotificationRegistration
            ? CrossModuleFor(registration.MessageType, module)
            : CrossModuleFor(registration.MessageType);
        return wrappers.Count == 0 ? own : own with
        {
            Middleware = [.. CrossModuleMiddleware.NamesOf(wrappers), .. own.Middleware],
            Needs = registration.NeedsWith(wrappers),
        };
    }

    // The route along which an arriving message is forwarded, or null if it is handled here.
    private MessageRoute? RouteOnwards(Type messageType)
    {
        if (IsHandledHere(messageType))
            return null;
        if (typeof(INotification).IsAssignableFrom(messageType))
            return _options.Routes.GetValueOrDefault(messageType);
        for (var type = messageType; type is not null && type != typeof(object); type = type.BaseType)
        {
            if (_options.Routes.TryGetValue(type, out var route))
                return route;
        }

        return null;
    }

    private bool IsHandledHere(Type messageType)
    {
        if (typeof(INotification).IsAssignableFrom(messageType))
            return IsHeardHere(messageType);
        for (var type = messageType; type is not null && type != typeof(object); type = type.BaseType)
        {
            if (FindLocally(type) is not null)
                return true;
        }

        return false;
    }

    private CallOrigin WithoutRoot(CallOrigin origin)
        => origin.Services is { } services && ReferenceEquals(services.GetService(typeof(IServiceProvider)), _root)
            ? origin with { Services = null }
            : origin;

    // The innermost first: a project that references another comes before it in the list, and its middleware is outside.
    private List<CrossModuleMiddleware> CrossModuleFor(Type messageType) => CrossModuleFor(messageType, _options.Overrides);

    private List<CrossModuleMiddleware> CrossModuleFor(Type messageType, Dictionary<Type, MessageRegistration> overrides)
    {
        var found = new List<CrossModuleMiddleware>();
        if (overrides.ContainsKey(messageType))
            return found;

        for (var i = _modules.Length - 1; i >= 0; i--)
        {
            if (_modules[i].FindCrossModule(messageType) is { } wrapper)
                found.Add(wrapper);
        }

        return found;
    }

    // Several projects may handle a notification: the middleware of one surrounds the handlers of those that it references.
    private List<CrossModuleMiddleware> CrossModuleFor(Type messageType, HandlerModule owner)
    {
        var found = new List<CrossModuleMiddleware>();
        for (var i = _modules.Length - 1; i >= 0; i--)
        {
            if (_modules[i].FindCrossModule(messageType) is { } wrapper && _modules[i].RefersTo(owner))
                found.Add(wrapper);
        }

        return found;
    }

    private MessageRegistration? FindRegistration(Type type)
    {
        return _options.Overrides.GetValueOrDefault(type) ?? FindInModules(type);
    }

    private MessageRegistration? FindLocally(Type type) => _options.Replacements.GetValueOrDefault(type) ?? FindInModules(type);

    private MessageRegistration? FindInModules(Type type)
    {
        foreach (var module in _modules)
        {
            if (module.Find(type) is { } found)
                return found;
        }

        return null;
    }

    // Whether a notification has a handler in this container, for its own type or for a base type.
    private bool IsHeardHere(Type messageType)
    {
        if (_options.Replacements.ContainsKey(messageType))
            return true;
        foreach (var module in _modules)
        {
            if (module.Find(messageType) is NotificationRegistration)
                return true;
            foreach (var index in module.OpenNotifications)
            {
                if (module.Create(index).MessageType.IsAssignableFrom(messageType))
                    return true;
            }
        }

        return false;
    }

    // A notification without a handler gets an empty pipeline, so that the next publish finds it immediately.
    private PublishPipeline? ComposeNotification(Type messageType, Dictionary<Type, MessageRegistration> overrides)
    {
        var steps = new List<NotificationInvoker>();
        PublishStrategy? strategy = null;
        var needs = PipelineNeeds.None;
        var replaced = overrides.GetValueOrDefault(messageType) as NotificationRegistration;
        if (replaced is not null)
        {
            strategy = replaced.Strategy;
            steps.AddRange(replaced.MakeSteps(_root));
        }

        var heardBy = 0;
        Dictionary<Type, (NotificationInvoker Step, Type MessageType)>? generic = null;
        Func<Type, NotificationInvoker[], SequentialPublisher>? inLine = null;

        foreach (var module in replaced is null ? _modules : [])
        {
            if (module.Find(messageType) is NotificationRegistration own)
                Take(module, module.IndexOf(own), own);
            foreach (var index in module.OpenNotifications)
            {
                var registration = (NotificationRegistration)module.Create(index);
                if (registration.MessageType != messageType && registration.MessageType.IsAssignableFrom(messageType))
                    Take(module, index, registration);
            }
        }

        if (steps.Count == 0 && !typeof(INotification).IsAssignableFrom(messageType))
            return null;

        var entry = PublishPipelines.Make(messageType, [.. steps], inLine, strategy, _options, needs, _root);
        return _options.Telemetry ? new TracedPublishPipeline(entry) : entry;

        void Take(HandlerModule module, int index, NotificationRegistration registration)
        {
            var wrappers = CrossModuleFor(registration.MessageType, module);
            strategy ??= registration.Strategy;
            inLine = ++heardBy == 1 && wrappers.Count == 0 ? registration.InLine : null;
            needs |= registration.NeedsWith(wrappers);

            foreach (var step in module.StepsOf(index, registration, _root, wrappers))
            {
                if (step.Definition is null || IsNearest(step, registration.MessageType))
                    step.InsertInto(steps);
            }
        }

        // A generic handler closed for a base type and a derived type, or by two projects, is called once.
        bool IsNearest(NotificationInvoker step, Type type)
        {
            generic ??= [];
            if (generic.TryGetValue(step.Definition!, out var known))
            {
                inLine = null;
                if (type == known.MessageType || !known.MessageType.IsAssignableFrom(type))
                    return false;
                steps.Remove(known.Step);
            }

            generic[step.Definition!] = (step, type);
            return true;
        }
    }
}
