using System.Collections.Generic;
using System.Linq;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Emitting;

/// <summary>Writes one message type: its registration, the composition of its pipeline, and the classes of its steps.</summary>
internal static class EntryEmitter
{

    internal static void Emit(SourceWriter source, EntryModel entry, int index, string module, HandlerInstances instances)
    {
        if (entry.Kind == MessageKind.Notification)
            EmitNotification(source, entry, index, module, instances);
        else
            EmitRequest(source, entry, index, module, instances);
    }

    private static void EmitRequest(SourceWriter source, EntryModel entry, int index, string module, HandlerInstances instances)
    {
        var isStream = entry.Kind == MessageKind.Stream;
        var types = $"<{entry.Message.Full}, {entry.Response}>";
        var pipeline = (isStream ? "_P::StreamPipeline" : "_P::RequestPipeline") + types;
        var registration = (isStream ? "_D::StreamRegistration" : "_D::RequestRegistration") + types;
        source.Line($"private _D::MessageRegistration Register{index}() => new {registration}(Compose{index}, {Describe(entry)});");

        var groups = Group(entry.Middleware);
        var innermost = TakeInnermost(groups);
        var composed = $"new Step{index}(this, root)";
        for (var i = groups.Count - 1; i >= 0; i--)
            composed = $"new Step{index}_{i}(root, {composed})";
        source.Line($"private {pipeline} Compose{index}(_S::IServiceProvider root) => {composed};");

        var shape = new StepShape(isStream, entry.Message.Full, entry.Response, HandlerCall.Services(entry, isNotification: false), entry.NeedsContext);
        var call = new HandlerCall(entry, entry.Handlers[0], instances, isNotification: false);
        StepEmitter.EmitHandler(source, call, shape, $"Step{index}", module, innermost);
        for (var i = 0; i < groups.Count; i++)
            StepEmitter.EmitMiddleware(source, shape, $"Step{index}_{i}", groups[i]);
    }

    private static void EmitNotification(SourceWriter source, EntryModel entry, int index, string module, HandlerInstances instances)
    {
        var message = entry.Message.Full;
        var strategy = entry.Handlers[0].Strategy;
        source.Line($"private _D::MessageRegistration Register{index}() => new _D::NotificationRegistration<{message}>("
            + $"Compose{index}, {(strategy.Length > 0 ? strategy : "DefaultStrategy")}, {Describe(entry)}"
            + $"{(entry.IsInLine ? $", static (type, steps) => new InLine{index}(type, steps)" : "")});");
        source.Line($"private _D::NotificationInvoker[] Compose{index}(_S::IServiceProvider root) => new _D::NotificationInvoker[] {{ "
            + string.Join(", ", entry.Handlers.Select((_, i) => $"new Step{index}_{i}(this, root)")) + " };");
        EmitInLine(source, entry, index);

        var groups = Group(entry.Middleware);
        var innermost = TakeInnermost(groups);
        var shape = new StepShape(isStream: false, message, EntryModel.UnitType, HandlerCall.Services(entry, isNotification: true), mayHaveContext: true);
        for (var i = 0; i < groups.Count; i++)
            StepEmitter.EmitMiddleware(source, shape, $"Outer{index}_{i}", groups[i]);
        for (var i = 0; i < entry.Handlers.Count; i++)
        {
            var call = new HandlerCall(entry, entry.Handlers[i], instances, isNotification: true);
            if (entry.Middleware.Count > 0)
                StepEmitter.EmitHandler(source, call, shape, $"Inner{index}_{i}", module, innermost);
            using (source.Block($"private sealed class Step{index}_{i}({module} module, _S::IServiceProvider root) : _D::NotificationInvoker"))
            {
                if (entry.Handlers[i].Order != 0)
                    source.Line($"public override int Order => {entry.Handlers[i].Order};");
                if (entry.Handlers[i].Definition.Length > 0)
                    source.Line($"public override _S::Type? Definition => typeof({entry.Handlers[i].Definition});");
                if (entry.Middleware.Count > 0)
                    EmitAround(source, shape, Composed($"Inner{index}_{i}", $"Outer{index}", groups));
                else
                    EmitCall(source, entry, call);
                call.EmitHandler(source, Message(entry.Message), isAround: entry.Middleware.Count > 0);
            }
        }
    }

    private static void EmitCall(SourceWriter source, EntryModel entry, HandlerCall call)
    {
        call.EmitFields(source);
        using (source.Block("public override _T::ValueTask Invoke(object notification, object? state, _C ct)"))
        {
            source.Line("var message = " + Message(entry.Message) + ";");
            source.Line(call.AsNotification());
        }
    }

    // Middleware surrounds each handler: the handler is a separate pipeline, after the step.
    private static void EmitAround(SourceWriter source, StepShape shape, string composed)
    {
        source.Line($"private readonly {shape.Pipeline} _first = {composed};");
        source.Line("public override _T::ValueTask Invoke(object notification, object? state, _C ct)");
        source.Line("    => _D::CallState.FromUnit(_first.InvokeMessage(notification, state, ct));");
    }

    private static string Message(TypeModel type)
        => type.IsValueType ? $"({type.Full})notification" : $"_R::Unsafe.As<{type.Full}>(notification)";

    private static string Composed(string handler, string middleware, List<StepGroup> groups)
    {
        var composed = $"new {handler}(module, root)";
        for (var i = groups.Count - 1; i >= 0; i--)
            composed = $"new {middleware}_{i}(root, {composed})";
        return composed;
    }

    // Hooks next to the handler share its step.
    private static StepGroup TakeInnermost(List<StepGroup> groups)
    {
        if (groups.Count == 0 || !groups[groups.Count - 1].IsHooks)
            return default;

        var innermost = groups[groups.Count - 1];
        groups.RemoveAt(groups.Count - 1);
        return innermost;
    }

    // Their classes are known here, so that each step is called directly; a loop over an array would need a lookup.
    private static void EmitInLine(SourceWriter source, EntryModel entry, int index)
    {
        if (!entry.IsInLine)
            return;

        using (source.Block($"private sealed class InLine{index}(_S::Type type, _D::NotificationInvoker[] steps) : _D::SequentialPublisher(type, steps)"))
        {
            for (var i = 0; i < entry.Handlers.Count; i++)
                source.Line($"private readonly Step{index}_{i} _step{i} = (Step{index}_{i})steps[{i}];");
            using (source.Block("public override _T::ValueTask Invoke(object notification, object? state, _C ct)"))
            {
                for (var i = 0; i < entry.Handlers.Count - 1; i++)
                {
                    source.Line($"var task{i} = _step{i}.Invoke(notification, state, ct);");
                    source.Line($"if (!task{i}.IsCompletedSuccessfully) return Continue(task{i}, {i + 1}, notification, state, ct);");
                }

                source.Line($"return _step{entry.Handlers.Count - 1}.Invoke(notification, state, ct);");
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
        return $"new _D::MessageDescription({ModuleEmitter.Literal(entry.Message.Display)}, "
            + $"\"{entry.Kind.ToString().ToLowerInvariant()}\", {ModuleEmitter.Literal(entry.Response.Replace("global::", ""))}, "
            + $"{Strings(entry.Handlers.Select(h => h.Owner.Display + (h.Call.EndsWith(".Handle") ? "" : h.Call.Substring(h.Call.LastIndexOf('.')))))}, "
            + $"{Strings(entry.Middleware.Select(m => m.Full.Replace("global::", "")))}, "
            + $"_D::PipelineNeeds.{needs}, _P::HandlerLifetime.{lifetime})";
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
