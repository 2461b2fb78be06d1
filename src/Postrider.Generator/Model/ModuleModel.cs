using System.Collections.Generic;
using System.Linq;
using Postrider.Generators;

namespace Postrider.Generator.Model;

/// <summary>A middleware closed for one message.</summary>
/// <param name="Middleware">The class.</param>
/// <param name="Full">The class's name with its type arguments.</param>
/// <param name="Arguments">Its type arguments.</param>
internal sealed record AppliedMiddleware(MiddlewareModel Middleware, string Full, EquatableArray<string> Arguments);

/// <summary>One message type of a module: its handlers (one, but for notifications) and its middleware, outermost first.</summary>
/// <param name="Hash">The hash of its name.</param>
/// <param name="Handlers">The handlers in the order they run.</param>
/// <param name="Middleware">The middleware.</param>
internal sealed record EntryModel(uint Hash, EquatableArray<HandlerModel> Handlers, EquatableArray<AppliedMiddleware> Middleware)
{
    /// <summary>The response of a command, as emitted code names it.</summary>
    internal const string UnitType = "global::Postrider.Unit";

    /// <summary>The type and the constraints that it satisfies.</summary>
    internal static readonly EquatableArray<string> UnitBases
        = new([UnitType, $"global::System.IEquatable<{UnitType}>", Constraints.Struct, Constraints.Unmanaged, Constraints.New]);

    // With more, the code would not fit a few lines of the processor's cache, and a loop is as fast.
    private const int MaxInLine = 8;

    internal TypeModel Message => Handlers[0].Message;

    internal MessageKind Kind => Handlers[0].Kind;

    internal string Response => Handlers[0].Response;

    /// <summary>Whether there is no result.</summary>
    internal bool IsCommand => Kind == MessageKind.Command || Response == UnitType;

    /// <summary>Whether there is nothing between the message and a singleton handler: a typed overload may call it.</summary>
    internal bool IsDirect
        => Kind is MessageKind.Request or MessageKind.Command
        && !NeedsContext && !NeedsScope && Middleware.Count == 0
        && !Handlers[0].IsStatic && Handlers[0].Owner.Lifetime == Lifetime.Singleton
        && Handlers[0].Arguments.All(a => a.Kind is ArgumentKind.Message or ArgumentKind.Cancellation)
        && Handlers[0].Shape == (IsCommand ? ResultShape.ValueTask : ResultShape.ValueTaskOfValue);

    /// <summary>Whether the handlers of a notification are few enough to be called in sequence by dedicated code.</summary>
    internal bool IsInLine
        => Kind == MessageKind.Notification && Handlers.Count <= MaxInLine
        && (Handlers[0].Strategy is "" or "(global::Postrider.PublishStrategy)0");

    /// <summary>Whether a handler or middleware takes the context.</summary>
    internal bool NeedsContext
        => Handlers.Any(h => h.Arguments.Any(a => a.Kind == ArgumentKind.Context))
        || NeedsContextOf(Middleware);

    /// <summary>Whether a handler or middleware takes a service that may be scoped.</summary>
    internal bool NeedsScope
        => Handlers.Any(h => NeedsScopeFor(h.Arguments) || (!h.IsStatic && InstanceNeedsScope(h.Owner)))
        || NeedsScopeOf(Middleware);

    internal static bool NeedsScopeOf(IEnumerable<AppliedMiddleware> middleware)
        => middleware.Any(m => InstanceNeedsScope(m.Middleware.Instance));

    internal static bool NeedsContextOf(IEnumerable<AppliedMiddleware> middleware)
        => middleware.Any(m => m.Middleware.Shape.HasFlag(MiddlewareShape.ContextMiddleware));

    private static bool InstanceNeedsScope(InstanceModel instance) => instance.Lifetime switch
    {
        Lifetime.Singleton => false,
        Lifetime.Scoped => true,
        _ => instance.IsDisposable || NeedsScopeFor(instance.Constructor),
    };

    private static bool NeedsScopeFor(IEnumerable<ArgumentModel> arguments)
        => arguments.Any(a => a.Kind == ArgumentKind.Provider || (a.Kind == ArgumentKind.Service && !a.IsSingleton));
}

/// <summary>The contents of one project's module.</summary>
/// <param name="Project">The project.</param>
/// <param name="Entries">The message types, by hash and name.</param>
/// <param name="CrossModule">Message types of referenced projects to which this project's middleware applies, by hash and name.</param>
internal sealed record ModuleModel(ProjectModel Project, EquatableArray<EntryModel> Entries, EquatableArray<CrossModuleModel> CrossModule)
{
    internal static ModuleModel Compose(
        IEnumerable<HandlerModel> handlers, IEnumerable<MiddlewareModel> middleware, ProjectModel project,
        IEnumerable<OpenHandlerModel> openHandlers, IEnumerable<NotificationModel> notifications)
    {
        handlers = WithClosed(handlers, project, openHandlers, notifications);
        var ordered = middleware.Concat(project.Middleware)
            .OrderBy(m => m.Order).ThenBy(m => m.Instance.Display, System.StringComparer.Ordinal).ToList();

        // MediatR's behaviors surround their handlers in the handlers' own project.
        var outside = ordered.Where(m => !m.IsCompat).ToList();
        var wrappers = project.Foreign
            .GroupBy(f => f.Message.Full)
            .Where(handled => !IsAmbiguous(handled))
            .Select(handled => handled.First()) // several projects may handle a notification
            .Select(f => new CrossModuleModel(
                Hash(f.Message.Metadata), f, new(outside.Select(m => MiddlewareFit.Apply(m, f)).OfType<AppliedMiddleware>())))
            .Where(w => w.Middleware.Count > 0 && w.Message.Message.IsPublic)
            .OrderBy(w => w.Hash).ThenBy(w => w.Message.Message.Full, System.StringComparer.Ordinal);
        var entries = handlers.Distinct()
            .GroupBy(h => h.Message.Full)
            .Select(group =>
            {
                // A message has one kind; PR0012 reports it otherwise.
                var kind = group.First().Kind == MessageKind.Notification;
                var sorted = group.Where(h => h.Kind == MessageKind.Notification == kind)
                    .OrderBy(h => h.Order).ThenBy(h => h.Owner.Display, System.StringComparer.Ordinal).ToList();
                return new EntryModel(
                    Hash(sorted[0].Message.Metadata),
                    new(sorted),
                    new(ordered.Select(m => MiddlewareFit.Apply(m, sorted[0])).OfType<AppliedMiddleware>()));
            })
            .OrderBy(e => e.Hash).ThenBy(e => e.Message.Full, System.StringComparer.Ordinal);
        return new(project, new(entries), new(wrappers));
    }

    // Handlers open for any notification, closed for those that this project is the first to see together with them.
    private static IEnumerable<HandlerModel> WithClosed(
        IEnumerable<HandlerModel> handlers, ProjectModel project, IEnumerable<OpenHandlerModel> openHandlers, IEnumerable<NotificationModel> notifications)
    {
        var own = notifications.ToList();
        var closed = openHandlers.SelectMany(open => open.Close(own.Concat(project.Notifications)))
            .Concat(project.OpenHandlers.SelectMany(open => open.Close(own))).ToList();
        if (closed.Count == 0)
            return handlers;

        var all = handlers.ToList();
        var known = new HashSet<(string, string)>(all.Select(handler => (handler.Owner.Full, handler.Message.Full)));
        all.AddRange(closed.Where(handler => known.Add((handler.Owner.Full, handler.Message.Full))));
        return all;
    }

    /// <summary>Whether types of several assemblies have the same name, so that emitted code could not refer to either.</summary>
    internal static bool IsAmbiguous(IEnumerable<ForeignMessageModel> named) => named.Select(f => f.Assembly).Distinct().Skip(1).Any();

    // FNV-1a over UTF-16 units, as HandlerModule computes it.
    internal static uint Hash(string name)
    {
        var hash = 2166136261u;
        foreach (var unit in name)
            hash = unchecked((hash ^ unit) * 16777619u);
        return hash;
    }
}
