using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;

namespace Postrider.Generator.Emitting;

/// <summary>Writes the concrete dispatcher and <c>AddPostrider</c>.</summary>
internal static class DispatcherEmitter
{
    private const string Tasks = "global::System.Threading.Tasks.";
    private const string Token = "global::System.Threading.CancellationToken ct";

    internal static void Emit(SourceProductionContext output, ModuleModel module, string moduleName)
    {
        var source = new Source();
        using (source.Block("namespace Postrider.Generated"))
        {
            source.Line("/// <summary>This project's dispatcher: an overload per message, and everything else of <see cref=\"global::Postrider.IDispatcher\"/>.</summary>");
            using (source.Block("internal sealed class AppDispatcher : global::Postrider.Dispatcher"))
            {
                source.Line("private readonly global::Postrider.Dispatch.PipelineTable _table;");
                source.Line($"private readonly {moduleName} _module;");
                using (source.Block("internal AppDispatcher(global::Postrider.Dispatch.PipelineTable table, global::Postrider.CallOrigin? origin) : base(table, origin)"))
                {
                    source.Line("_table = table;");
                    source.Line($"_module = ({moduleName})table.Module;");
                }

                for (var i = 0; i < module.Entries.Count; i++)
                {
                    output.CancellationToken.ThrowIfCancellationRequested();
                    EmitOverload(source, module.Entries[i], i);
                }
            }
        }

        using (source.Block("namespace Microsoft.Extensions.DependencyInjection"))
        {
            source.Line("/// <summary>Registers Postrider.</summary>");
            using (source.Block("internal static class PostriderServiceCollectionExtensions"))
            {
                source.Line("/// <summary>Registers the dispatcher and the handlers of this project and of those it refers to.</summary>");
                source.Line("public static global::Microsoft.Extensions.DependencyInjection.IServiceCollection AddPostrider(this global::Microsoft.Extensions.DependencyInjection.IServiceCollection services, global::System.Action<global::Postrider.Dispatch.DispatchOptions>? configure = null)");
                source.Line($"    => global::Postrider.Registration.PostriderServices.Add<global::Postrider.Generated.AppDispatcher>(services, static () => new global::Postrider.Generated.{moduleName}(), static (table, origin) => new global::Postrider.Generated.AppDispatcher(table, origin), configure);");
            }
        }

        output.AddSource("Postrider.Dispatcher.g.cs", source.ToString());
    }

    private static void EmitOverload(Source source, EntryModel entry, int index)
    {
        var message = entry.Message.Full;
        var slot = $"global::Postrider.MessageSlot<{message}>.Index, ct)";
        switch (entry.Kind)
        {
            case MessageKind.Notification:
                // Handlers of base types and of other projects hear it too: which, only the table knows.
                if (entry.Message.IsSealed)
                {
                    source.Line($"public {Tasks}ValueTask PublishAsync({message} message, {Token} = default) => PublishBySlot<{message}>(message, {slot};");
                }

                return;
            case MessageKind.Stream:
                source.Line($"public global::System.Collections.Generic.IAsyncEnumerable<{entry.Response}> StreamAsync({message} message, {Token} = default)"
                    + $" => {Exact(entry, $"StreamBySlot<{message}, {entry.Response}>(message, {slot}", $"StreamByType<{entry.Response}>(message, ct)")};");
                return;
        }

        var isCommand = IsCommand(entry);
        var returns = isCommand ? Tasks + "ValueTask" : $"{Tasks}ValueTask<{entry.Response}>";
        var bySlot = $"SendBySlot<{message}, {entry.Response}>(message, {slot}";
        var byType = $"SendByType<{entry.Response}>(message, ct)";
        if (isCommand)
        {
            bySlot = $"global::Postrider.Dispatch.CallState.FromUnit({bySlot})";
            byType = $"global::Postrider.Dispatch.CallState.FromUnit({byType})";
        }

        var handler = entry.Handlers[0];
        if (!IsDirect(entry))
        {
            source.Line($"public {returns} SendAsync({message} message, {Token} = default) => {Exact(entry, bySlot, byType)};");
            return;
        }

        var arguments = "(" + string.Join(", ", handler.Arguments.Select(a => a.Kind == ArgumentKind.Message ? "message" : "ct")) + ")";
        var direct = handler.Call.Replace("{0}", $"(_module.Direct{index} ?? _module.MakeDirect{index}(_table))") + arguments;
        source.Line($"public {returns} SendAsync({message} message, {Token} = default)");
        source.Line($"    => {Exact(entry, $"global::Postrider.Dispatch.DirectCalls.Enabled ? {direct} : {bySlot}", byType)};");
    }

    /// <summary>The handler of a message that typed overloads call without a pipeline; kept in the module, so that the
    /// dispatchers of scopes stay small.</summary>
    internal static void EmitDirect(Source source, EntryModel entry, int index, HandlerInstances instances)
    {
        if (!IsDirect(entry))
            return;

        var handler = entry.Handlers[0];
        source.Line($"internal {handler.Owner.Full}? Direct{index};");
        using (source.Block($"internal {handler.Owner.Full} MakeDirect{index}(global::Postrider.Dispatch.PipelineTable table)"))
        {
            source.Line($"table.CheckDirect(typeof({entry.Message.Full}));");
            source.Line($"return Direct{index} = {instances.Singleton(handler.Owner, "table.Services")};");
        }
    }

    private static bool IsDirect(EntryModel entry)
    {
        var handler = entry.Handlers[0];
        var isCommand = IsCommand(entry);
        return entry.Kind is MessageKind.Request or MessageKind.Command
            && !entry.NeedsContext && !entry.NeedsScope && entry.Middleware.Count == 0
            && !handler.IsStatic && handler.Owner.Lifetime == Lifetime.Singleton
            && handler.Arguments.All(a => a.Kind is ArgumentKind.Message or ArgumentKind.Cancellation)
            && handler.Shape == (isCommand ? ResultShape.ValueTask : ResultShape.ValueTaskOfValue);
    }

    private static bool IsCommand(EntryModel entry)
        => entry.Kind == MessageKind.Command || entry.Response == Parsing.Names.UnitType;

    // A class that others may derive from can arrive as one of them, which may have a handler of its own.
    private static string Exact(EntryModel entry, string exact, string otherwise)
        => entry.Message.IsSealed ? exact : $"message.GetType() == typeof({entry.Message.Full}) ? {exact} : {otherwise}";
}
