using System.Linq;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Emitting;

/// <summary>Writes this project's middleware around the handlers of referenced projects.</summary>
internal static class CrossModuleEmitter
{
    internal static void Emit(SourceWriter source, ModuleModel module)
    {
        var wrappers = module.CrossModule;
        if (wrappers.Count == 0)
            return;

        source.Line("public override _S::ReadOnlySpan<uint> CrossModuleKeys => new uint[] { "
            + string.Join(", ", wrappers.Select(w => w.Hash + "u")) + " };");
        ModuleEmitter.EmitCreate(source, "public override _D::CrossModuleMiddleware", "CreateCrossModule", "Wrapper", wrappers.Count);
        for (var i = 0; i < wrappers.Count; i++)
            Emit(source, wrappers[i], i);
    }

    private static void Emit(SourceWriter source, CrossModuleModel wrapper, int index)
    {
        var message = wrapper.Message;

        // The referenced project's steps inside may need less or more than these: the state can be a scope or a context.
        var isNotification = message.Kind == MessageKind.Notification;
        var shape = new StepShape(
            message.Kind == MessageKind.Stream, message.Message.Full, isNotification ? EntryModel.UnitType : message.Response,
            "_D::CallState.AnyServices(state)", mayHaveContext: true);
        var type = isNotification ? $"_D::CrossModuleNotificationMiddleware<{shape.Message}>"
            : "_D::" + (shape.IsStream ? "CrossModuleStreamMiddleware" : "CrossModuleRequestMiddleware") + $"<{shape.Message}, {shape.Response}>";
        var needs = EntryEmitter.Needs(EntryModel.NeedsContextOf(wrapper.Middleware), EntryModel.NeedsScopeOf(wrapper.Middleware));
        var names = EntryEmitter.Strings(wrapper.Middleware.Select(m => m.Full.Replace("global::", "")));
        source.Line($"private _D::CrossModuleMiddleware Wrapper{index}() => new {type}(Wrap{index}, _D::PipelineNeeds.{needs}, {names});");

        var groups = EntryEmitter.Group(wrapper.Middleware);
        using (source.Block($"private static {shape.Pipeline} Wrap{index}(_S::IServiceProvider root, {shape.Pipeline} step)"))
        {
            for (var i = groups.Count - 1; i >= 0; i--)
                source.Line($"step = new Around{index}_{i}(root, step);");
            source.Line("return step;");
        }

        for (var i = 0; i < groups.Count; i++)
            StepEmitter.EmitMiddleware(source, shape, $"Around{index}_{i}", groups[i]);
    }
}
