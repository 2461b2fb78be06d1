using System.Collections.Generic;
using System.Linq;
using Postrider.Generator.Model;

namespace Postrider.Generator.Emitting;

/// <summary>Writes one message type: its registration, what composes its pipeline, and the classes of its steps.</summary>
internal static class EntryEmitter
{
    private const string Tasks = "global::System.Threading.Tasks.";
    private const string Dispatch = "global::Postrider.Dispatch.";

    internal static void Emit(Source source, EntryModel entry, int index, string module, HandlerInstances instances)
    {
        if (entry.Kind == MessageKind.Notification)
            EmitNotification(source, entry, index, module, instances);
        else
            EmitRequest(source, entry, index, module, instances);
    }

    private static void EmitRequest(Source source, EntryModel entry, int index, string module, HandlerInstances instances)
    {
        var isStream = entry.Kind == MessageKind.Stream;
        var types = $"<{entry.Message.Full}, {entry.Response}>";
        var pipeline = (isStream ? "global::Postrider.StreamPipeline" : "global::Postrider.RequestPipeline") + types;
        var registration = Dispatch + (isStream ? "StreamRegistration" : "RequestRegistration") + types;
        source.Line($"private {Dispatch}MessageRegistration Register{index}() => new {registration}(Compose{index}, {Describe(entry)});");

        var groups = Group(entry.Middleware);
        var innermost = groups.Count > 0 && groups[groups.Count - 1].IsHooks ? groups[groups.Count - 1] : default;
        if (innermost.IsHooks)
            groups.RemoveAt(groups.Count - 1);
        using (source.Block($"private {pipeline} Compose{index}(global::System.IServiceProvider root)"))
        {
            source.Line($"{pipeline} step = new Step{index}(this, root);");
            for (var i = groups.Count - 1; i >= 0; i--)
                source.Line($"step = new Step{index}_{i}(root, step);");
            source.Line("return step;");
        }

        var shape = new StepShape(isStream, entry.Message.Full, entry.Response, HandlerCall.Services(entry, isNotification: false));
        StepEmitter.EmitHandler(source, entry, shape, $"Step{index}", module, innermost, instances);
        for (var i = 0; i < groups.Count; i++)
            StepEmitter.EmitMiddleware(source, shape, $"Step{index}_{i}", groups[i]);
    }

    private static void EmitNotification(Source source, EntryModel entry, int index, string module, HandlerInstances instances)
    {
        var message = entry.Message.Full;
        var strategy = entry.Handlers[0].Strategy;
        source.Line($"private {Dispatch}MessageRegistration Register{index}() => new {Dispatch}NotificationRegistration<{message}>("
            + $"Compose{index}, {(strategy.Length > 0 ? strategy : "DefaultStrategy")}, {Describe(entry)});");
        source.Line($"private {Dispatch}NotificationStep[] Compose{index}(global::System.IServiceProvider root) => new {Dispatch}NotificationStep[] {{ "
            + string.Join(", ", entry.Handlers.Select((_, i) => $"new Step{index}_{i}(this, root)")) + " };");
        for (var i = 0; i < entry.Handlers.Count; i++)
        {
            var call = new HandlerCall(entry, entry.Handlers[i], instances, isNotification: true);
            using (source.Block($"private sealed class Step{index}_{i} : {Dispatch}NotificationStep"))
            {
                call.EmitFields(source, $"Step{index}_{i}", module);
                using (source.Block($"public override {Tasks}ValueTask Invoke(object notification, object? state, global::System.Threading.CancellationToken ct)"))
                {
                    source.Line(entry.Message.IsValueType
                        ? $"var message = ({message})notification;"
                        : $"var message = global::System.Runtime.CompilerServices.Unsafe.As<{message}>(notification);");
                    source.Line(call.AsNotification());
                }
            }
        }
    }

    internal static List<StepGroup> Group(IEnumerable<AppliedMiddleware> middleware)
    {
        var groups = new List<StepGroup>();
        foreach (var applied in middleware)
        {
            var isHooks = (applied.Middleware.Shape & MiddlewareShape.Hooks) != MiddlewareShape.None;
            if (isHooks && groups.Count > 0 && groups[groups.Count - 1].IsHooks)
                groups[groups.Count - 1].Middleware.Add(applied);
            else
                groups.Add(new(isHooks, [applied]));
        }

        return groups;
    }

    private static string Describe(EntryModel entry)
    {
        var needs = Needs(entry.NeedsContext, entry.NeedsScope);
        var lifetime = entry.Handlers[0].IsStatic ? Lifetime.Singleton : entry.Handlers[0].Owner.Lifetime;
        return $"new {Dispatch}MessageDescription({ModuleEmitter.Literal(entry.Message.Display)}, "
            + $"\"{entry.Kind.ToString().ToLowerInvariant()}\", {ModuleEmitter.Literal(entry.Response.Replace("global::", ""))}, "
            + $"{Strings(entry.Handlers.Select(h => h.Owner.Display + (h.Call.EndsWith(".Handle") ? "" : h.Call.Substring(h.Call.LastIndexOf('.')))))}, "
            + $"{Strings(entry.Middleware.Select(m => m.Full.Replace("global::", "")))}, "
            + $"{Dispatch}PipelineNeeds.{needs}, global::Postrider.HandlerLifetime.{lifetime})";
    }

    internal static string Needs(bool context, bool scope) => (context, scope) switch
    {
        (true, true) => "ScopeAndContext",
        (true, false) => "Context",
        (false, true) => "Scope",
        _ => "None",
    };

    internal static string Strings(IEnumerable<string> items)
        => "new string[] { " + string.Join(", ", items.Select(ModuleEmitter.Literal)) + " }";
}

/// <summary>Middleware that share a step: one alone, or hooks that follow each other.</summary>
internal readonly struct StepGroup(bool isHooks, List<AppliedMiddleware> middleware)
{
    internal bool IsHooks { get; } = isHooks;

    internal List<AppliedMiddleware> Middleware { get; } = middleware;
}
