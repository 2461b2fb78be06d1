using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>The pipelines of one container: composes them from the modules at their first use, and makes dispatchers.</summary>
/// <remarks>Thread-safe. One per container.</remarks>
public sealed class PipelineTable : PipelineSlots
{
    private readonly IServiceProvider _root;
    private readonly Func<PipelineTable, CallOrigin?, Dispatcher> _makeDispatcher;
    private readonly DispatchOptions _options;
    private readonly HandlerModule[] _modules;
    private readonly Lock _composing = new(); // guards composing, so that singletons are made once

    internal PipelineTable(
        IServiceProvider root,
        HandlerModule module,
        Func<PipelineTable, CallOrigin?, Dispatcher> makeDispatcher,
        DispatchOptions options)
    {
        _root = root;
        _makeDispatcher = makeDispatcher;
        _options = options;
        Module = module;
        _modules = [.. Flatten(module)];
        Root = makeDispatcher(this, null);
    }

    /// <summary>The module of the project that called <c>AddPostrider</c>.</summary>
    public HandlerModule Module { get; }

    /// <summary>The root's services.</summary>
    public IServiceProvider Services => _root;

    /// <summary>The dispatcher that belongs to no scope.</summary>
    public Dispatcher Root { get; }

    /// <summary>The dispatcher for a provider: the root's own, or one bound to the scope.</summary>
    /// <param name="services">The root or a scope of it.</param>
    /// <returns>A dispatcher.</returns>
    public Dispatcher For(IServiceProvider services)
        => ReferenceEquals(services, _root) ? Root : _makeDispatcher(this, Origin(services));

    /// <summary>The dispatcher for an origin.</summary>
    /// <param name="origin">Scope, headers, identities.</param>
    /// <returns>A dispatcher.</returns>
    // The root is no scope: what is scoped gets one per call there, whoever names the root's services.
    public Dispatcher For(CallOrigin origin)
    {
        ArgumentNullException.ThrowIfNull(origin);
        var isRoot = origin.Services is { } services && ReferenceEquals(services.GetService(typeof(IServiceProvider)), _root);
        return _makeDispatcher(this, isRoot ? origin with { Services = null } : origin);
    }

    /// <summary>Makes sure that a typed overload may call a handler directly.</summary>
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

    /// <summary>Whether nothing stands between a message and the handler it was compiled with.</summary>
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
                    return registration.Compose(_root, _options.Telemetry, Wrappers(type));
            }

            return ComposeNotification(messageType);
        }
    }

    /// <inheritdoc/>
    protected internal override PostriderException NoHandler(Type messageType) => new(
        PostriderError.NoHandler,
        $"No handler for {messageType}. Looked in {string.Join(", ", _modules.Select(m => m.Name))}: is the handler's project " +
        "referenced, and does it reference Postrider.Generator?");

    /// <inheritdoc/>
    protected internal override ValueTask Post(Pipeline pipeline, object message, CallOrigin? origin, CancellationToken ct)
        => _root.GetRequiredService<BackgroundQueue>().Add(pipeline, message, origin, ct);

    internal IEnumerable<MessageDescription> Descriptions()
    {
        foreach (var registration in _options.Overrides.Values)
            yield return registration.Description;
        foreach (var module in _modules)
        {
            for (var i = 0; i < module.Keys.Length; i++)
            {
                var registration = module.Create(i);
                if (!_options.Overrides.ContainsKey(registration.MessageType))
                    yield return Describe(registration, module);
            }
        }
    }

    private MessageDescription Describe(MessageRegistration registration, HandlerModule module)
    {
        var own = registration.Description;
        var wrappers = registration is NotificationRegistration
            ? Wrappers(registration.MessageType, module)
            : Wrappers(registration.MessageType);
        return wrappers.Count == 0 ? own : own with
        {
            Middleware = [.. wrappers.AsEnumerable().Reverse().SelectMany(wrapper => wrapper.Middleware), .. own.Middleware],
            Needs = registration.NeedsWith(wrappers),
        };
    }

    // What a handler's constructor takes, or what it takes takes, sees the handlers of the scope that the call made for itself.
    private static CallOrigin Origin(IServiceProvider services)
        => HandlerScope.MakingFor(services) is { } handlers
            ? new CallOrigin { Services = services, Handlers = handlers }
            : new CallOrigin { Services = services };

    // The innermost first: a project that refers to another stands before it in the list, and its middleware outside.
    private List<MessageWrapper> Wrappers(Type messageType)
    {
        var found = new List<MessageWrapper>();
        if (_options.Overrides.ContainsKey(messageType))
            return found;

        for (var i = _modules.Length - 1; i >= 0; i--)
        {
            if (_modules[i].FindWrapper(messageType) is { } wrapper)
                found.Add(wrapper);
        }

        return found;
    }

    // Several projects may hear a notification: the middleware of one stands around the handlers of those that it refers to.
    private List<MessageWrapper> Wrappers(Type messageType, HandlerModule owner)
    {
        var found = new List<MessageWrapper>();
        for (var i = _modules.Length - 1; i >= 0; i--)
        {
            if (_modules[i].FindWrapper(messageType) is { } wrapper && _modules[i].RefersTo(owner))
                found.Add(wrapper);
        }

        return found;
    }

    private MessageRegistration? FindRegistration(Type type)
    {
        if (_options.Overrides.TryGetValue(type, out var replaced))
            return replaced;

        foreach (var module in _modules)
        {
            if (module.Find(type) is { } found)
                return found;
        }

        return null;
    }

    // A notification that nobody hears gets an empty pipeline, so that the next publish finds it at once.
    private PublishPipeline? ComposeNotification(Type messageType)
    {
        var steps = new List<NotificationStep>();
        PublishStrategy? strategy = null;
        var needs = PipelineNeeds.None;
        var replaced = _options.Overrides.GetValueOrDefault(messageType) as NotificationRegistration;
        if (replaced is not null)
        {
            strategy = replaced.Strategy;
            steps.AddRange(replaced.MakeSteps(_root));
        }

        var heardBy = 0;
        Func<Type, NotificationStep[], SequentialPublisher>? inLine = null;

        foreach (var module in replaced is null ? _modules : [])
        {
            if (module.Find(messageType) is NotificationRegistration own)
                Take(module, IndexOf(module, own), own);
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
            var wrappers = Wrappers(registration.MessageType, module);
            strategy ??= registration.Strategy;
            inLine = ++heardBy == 1 && wrappers.Count == 0 ? registration.InLine : null;
            needs |= registration.NeedsWith(wrappers);

            foreach (var step in module.StepsOf(index, registration, _root, wrappers))
                Insert(steps, step);
        }
    }

    // Behind those of the same order, which are few.
    private static void Insert(List<NotificationStep> steps, NotificationStep step)
    {
        var at = steps.Count;
        while (at > 0 && steps[at - 1].Order > step.Order)
            at--;
        steps.Insert(at, step);
    }

    private static int IndexOf(HandlerModule module, NotificationRegistration registration)
    {
        var keys = module.Keys;
        var at = keys.BinarySearch(HandlerModule.KeyOf(registration.MessageType));
        while (at > 0 && keys[at - 1] == keys[at])
            at--;
        while (module.Create(at).MessageType != registration.MessageType)
            at++;
        return at;
    }

    // A project stands before all that it refers to, by whatever way.
    private static List<HandlerModule> Flatten(HandlerModule module)
    {
        var all = new List<HandlerModule>();
        var seen = new HashSet<Type>();
        Visit(module);
        all.Reverse();
        return all;

        void Visit(HandlerModule visited)
        {
            if (!seen.Add(visited.GetType()))
                return;
            var references = visited.CreateReferences();
            for (var i = references.Length - 1; i >= 0; i--)
                Visit(references[i]);
            all.Add(visited);
        }
    }
}
