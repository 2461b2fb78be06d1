using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Emitting;

/// <summary>Writes the concrete dispatcher and <c>AddPostrider</c>.</summary>
internal static class DispatcherEmitter
{
    private const string Dispatcher = "global::" + GeneratedNamespace.Name + ".AppDispatcher";
    private const string Embedded = "[global::Microsoft.CodeAnalysis.Embedded]";

    internal static void Emit(SourceProductionContext output, ModuleModel module, string moduleName)
    {
        var source = new SourceWriter();
        using (source.Generated())
        {
            source.Line("/// <summary>This project's dispatcher: an overload per message, and everything else of <see cref=\"global::Postrider.IDispatcher\"/>.</summary>");
            source.Line(Embedded);
            using (source.Block("internal sealed class AppDispatcher : _P::Dispatcher"))
            {
                source.Line("private readonly _D::PipelineTable _table;");
                source.Line($"private readonly {moduleName} _module;");
                using (source.Block("internal AppDispatcher(_D::PipelineTable table, _P::CallOrigin? origin) : base(table, origin)"))
                {
                    source.Line("_table = table;");
                    source.Line($"_module = table.ModuleOf<{moduleName}>();");
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
            source.Line(Embedded);
            using (source.Block("internal static class PostriderServiceCollectionExtensions"))
            {
                source.Line("/// <summary>Registers the dispatcher and the handlers of this project and of those it refers to.</summary>");
                source.Line("public static global::Microsoft.Extensions.DependencyInjection.IServiceCollection AddPostrider(this global::Microsoft.Extensions.DependencyInjection.IServiceCollection services, global::System.Action<global::Postrider.Dispatch.DispatchOptions>? configure = null)");
                source.Line($"    => global::Postrider.Registration.PostriderServiceCollectionExtensions.Add<{Dispatcher}>(services, static () => new global::{GeneratedNamespace.Name}.{moduleName}(), static (table, origin) => new {Dispatcher}(table, origin), configure);");
            }
        }

        // The compiler hides types with this attribute from other projects, including those that may see this project's internals and have
        // their own types of the same names. Partial, because other generators also write it.
        using (source.Block("namespace Microsoft.CodeAnalysis"))
            source.Line("internal sealed partial class EmbeddedAttribute : global::System.Attribute { }");

        if (module.Project.HasCompat)
        {
            using (source.Block("namespace Microsoft.Extensions.DependencyInjection"))
            {
                source.Line(Embedded);
                using (source.Block("internal static class PostriderMediatRServiceCollectionExtensions"))
                {
                    source.Line("/// <summary>Registers Postrider with MediatR's interfaces over it.</summary>");
                    source.Line("public static global::Microsoft.Extensions.DependencyInjection.IServiceCollection AddMediatR(this global::Microsoft.Extensions.DependencyInjection.IServiceCollection services, global::System.Action<global::Postrider.Compat.MediatR.MediatRServiceConfiguration>? configure = null)");
                    source.Line("{");
                    source.Line("    var configuration = global::Postrider.Compat.MediatR.MediatRServiceCollectionExtensions.Configure(services, configure);");
                    source.Line("    return global::Postrider.Compat.MediatR.MediatRServiceCollectionExtensions.Add(services.AddPostrider(configuration.Apply), configuration);");
                    source.Line("}");
                }
            }
        }

        output.AddSource("Postrider.Dispatcher.g.cs", source.ToText());
    }

    private static void EmitOverload(SourceWriter source, EntryModel entry, int index)
    {
        var message = entry.Message.Full;
        var typeId = $"_P::MessageTypeId<{message}>.Value, ct)";
        switch (entry.Kind)
        {
            case MessageKind.Notification:
                // Handlers of base types and of other projects also receive it: only the table knows which.
                if (entry.Message.IsSealed)
                {
                    source.Line($"public _T::ValueTask PublishAsync({message} message, _C ct = default) {Body(entry, $"PublishByTypeId<{message}>(message, {typeId}")}");
                }

                return;
            case MessageKind.Stream:
                source.Line($"public _G::IAsyncEnumerable<{entry.Response}> StreamAsync({message} message, _C ct = default)"
                    + Body(entry, Exact(entry, $"StreamByTypeId<{message}, {entry.Response}>(message, {typeId}", $"StreamByType<{entry.Response}>(message, ct)")));
                return;
        }

        var isCommand = entry.IsCommand;
        var returns = isCommand ? "_T::ValueTask" : $"_T::ValueTask<{entry.Response}>";
        var byTypeId = $"SendByTypeId<{message}, {entry.Response}>(message, {typeId}";
        var byType = $"SendByType<{entry.Response}>(message, ct)";
        if (isCommand)
        {
            byTypeId = $"_D::CallState.FromUnit({byTypeId})";
            byType = $"_D::CallState.FromUnit({byType})";
        }

        var handler = entry.Handlers[0];
        if (!entry.IsDirect)
        {
            source.Line($"public {returns} SendAsync({message} message, _C ct = default){Body(entry, Exact(entry, byTypeId, byType))}");
            return;
        }

        var arguments = "(" + string.Join(", ", handler.Arguments.Select(a => a.Kind == ArgumentKind.Message ? "message" : "ct")) + ")";
        var call = handler.Call.Replace("{0}", $"handler") + arguments;
        var direct = handler.Call.Replace("{0}", $"(_module.Direct{index} ?? _module.MakeDirect{index}(_table))") + arguments;
        source.Line($"public {returns} SendAsync({message} message, _C ct = default)"
            + Body(entry, Exact(entry, $"_D::DirectCalls.Enabled ? {direct} : {byTypeId}", byType)));

        // For interceptors: the message is on the heap there in any case, so a replaced handler only costs the branch.
        source.Line($"internal {returns} Direct({message} message, _C ct)");
        source.Line($"    => (_module.Direct{index} ?? _module.TryDirect{index}(_table)) is {{ }} handler ? {call} : {byTypeId};");
    }

    /// <summary>The handler of a message that typed overloads call without a pipeline; kept in the module, so that the
    /// dispatchers of scopes stay small.</summary>
    internal static void EmitDirect(SourceWriter source, EntryModel entry, int index, HandlerInstances instances)
    {
        if (!entry.IsDirect)
            return;

        var handler = entry.Handlers[0];
        source.Line($"internal {handler.Owner.Full}? Direct{index};");
        using (source.Block($"internal {handler.Owner.Full} MakeDirect{index}(_D::PipelineTable table)"))
        {
            source.Line($"table.CheckDirect(typeof({entry.Message.Full}));");
            source.Line($"return Direct{index} = {instances.Singleton(handler.Owner, "table.Services")};");
        }

        source.Line($"internal {handler.Owner.Full}? TryDirect{index}(_D::PipelineTable table)");
        source.Line($"    => table.IsDirect(typeof({entry.Message.Full})) ? MakeDirect{index}(table) : null;");
    }

    private static string Body(EntryModel entry, string result)
        => entry.Message.IsValueType ? $" => {result};" : $" {{ _S::ArgumentNullException.ThrowIfNull(message); return {result}; }}";

    // If others may derive from the class, an instance of a derived type can arrive, which may have its own handler.
    private static string Exact(EntryModel entry, string exact, string otherwise)
        => entry.Message.IsSealed ? exact : $"message.GetType() == typeof({entry.Message.Full}) ? {exact} : {otherwise}";
}
