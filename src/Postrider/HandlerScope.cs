// Hot path: ScopedRequestPipeline -> generated step -> this. Allocations: the handler; where several share the scope, itself and
// a node for each.
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;

namespace Postrider;

/// <summary>The scoped handlers and middleware of one scope: each is created when a message first needs it.</summary>
/// <remarks>Thread-safe. The container has one per scope and does not know the classes, so that even a thousand of them do not slow down
/// the start; a scope that is created for a call has its own without the container.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class HandlerScope
{
    // With more entries, a dictionary is faster than a linear search.
    private const int MaxListLength = 16;

    [ThreadStatic]
    private static Making? t_making;

    private Node? _newest; // replaced as a whole, never changed
    private Dictionary<Type, Node>? _many; // guarded by itself

    internal HandlerScope(IServiceProvider services) => Services = services;

    /// <summary>The scope's services.</summary>
    public IServiceProvider Services { get; }

    /// <summary>Gets or creates an instance.</summary>
    /// <param name="type">The class.</param>
    /// <param name="make">Creates an instance from the scope's services.</param>
    /// <returns>The scope's only instance of the class.</returns>
    // No lock is held while an instance is created: a service's factory may send messages. Two threads may each create one; both get the
    // same one, and the other is never used.
    public object Get(Type type, Func<IServiceProvider, object> make)
    {
        for (var node = _newest; node is not null; node = node.Next)
        {
            if (ReferenceEquals(node.Type, type))
                return node.Instance;
        }

        return Make(type, make);
    }

    /// <summary>The container's one for a scope.</summary>
    internal static HandlerScope Of(IServiceProvider services)
        => (HandlerScope?)services.GetService(typeof(HandlerScope)) ?? new HandlerScope(services);

    /// <summary>The scope for whose handlers an instance is being created on this thread, or null.</summary>
    internal static HandlerScope? MakingFor(IServiceProvider services)
        => t_making is { } making && ReferenceEquals(making.Services, services) ? making.Handlers ??= new HandlerScope(services) : null;

    // Services that a handler's constructor takes, directly or not, see the handlers of the scope created for the call.
    internal static CallOrigin OriginOf(IServiceProvider services)
        => MakingFor(services) is { } handlers
            ? new CallOrigin { Services = services, Handlers = handlers }
            : new CallOrigin { Services = services };

    /// <summary>Creates the only scoped instance of a scope created for a call: no other code looks for it, except dispatchers
    /// that were resolved while it was created.</summary>
    internal static object MakeAlone(IServiceProvider services, Type type, Func<IServiceProvider, object> make)
    {
        var making = t_making ??= new Making();
        var outer = (making.Services, making.Handlers);
        making.Services = services;
        making.Handlers = null;
        object made;
        HandlerScope? taken;
        try
        {
            made = make(services);
            taken = making.Handlers;
        }
        finally
        {
            (making.Services, making.Handlers) = outer;
        }

        return taken is null ? made : taken.Keep(type, made);
    }

    private object Make(Type type, Func<IServiceProvider, object> make)
    {
        ArgumentNullException.ThrowIfNull(make);
        if (_newest is { Depth: >= MaxListLength } && TryFindAmongMany(type, out var known))
            return known;

        var making = t_making ??= new Making();
        var outer = (making.Services, making.Handlers);
        making.Services = Services;
        making.Handlers = this;
        try
        {
            return Keep(type, make(Services));
        }
        finally
        {
            (making.Services, making.Handlers) = outer;
        }
    }

    private object Keep(Type type, object made)
    {
        while (true)
        {
            var newest = _newest;
            for (var node = newest; node is not null; node = node.Next)
            {
                if (ReferenceEquals(node.Type, type))
                    return node.Instance;
            }

            if (newest is { Depth: >= MaxListLength })
                return KeepAmongMany(type, made);
            if (Interlocked.CompareExchange(ref _newest, new Node(type, made, newest), newest) == newest)
                return made;
        }
    }

    private bool TryFindAmongMany(Type type, [MaybeNullWhen(false)] out object instance)
    {
        instance = null;
        if (_many is { } many)
        {
            lock (many)
                instance = many.GetValueOrDefault(type)?.Instance;
        }

        return instance is not null;
    }

    private object KeepAmongMany(Type type, object made)
    {
        var many = _many ?? Interlocked.CompareExchange(ref _many, [], null) ?? _many;
        lock (many)
        {
            if (many.TryGetValue(type, out var known))
                return known.Instance;
            many.Add(type, new Node(type, made, null));
            return made;
        }
    }

    // The creation in progress on a thread: dispatchers that the constructor takes belong to the same scope.
    private sealed class Making
    {
        internal IServiceProvider? Services;
        internal HandlerScope? Handlers;
    }

    private sealed class Node(Type type, object instance, Node? next)
    {
        internal readonly Type Type = type;
        internal readonly object Instance = instance;
        internal readonly Node? Next = next;

        internal int Depth => Next is { } next ? next.Depth + 1 : 1;
    }
}
