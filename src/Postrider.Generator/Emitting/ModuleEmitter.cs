using System.Collections.Generic;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Emitting;

/// <summary>Writes a project's module: a table of its message types, and for each type the composition of its pipeline.</summary>
internal static class ModuleEmitter
{
    // Cases per method: the first call of a method compiles all of it, so a thousand cases in one would cost every program's
    // start; two levels of 32 compile 64 cases at most for the first message.
    private const int CasesPerMethodBits = 5;

    internal static void Emit(SourceProductionContext output, ModuleModel module)
    {
        var name = ModuleName(module.Project.Name);
        if (module.Entries.Count + module.CrossModule.Count == 0 && !module.Project.IsHost)
            return;

        var instances = new HandlerInstances(module);
        var source = new SourceWriter();
        EmitMap(source, module);
        source.Line($"[assembly: global::Postrider.Dispatch.PostriderModule(typeof(global::{GeneratedNamespace.Name}.{name}))]");
        using (source.Generated())
        {
            source.Line("/// <summary>The handlers of this project.</summary>");
            source.Line("[_S::ComponentModel.EditorBrowsable(_S::ComponentModel.EditorBrowsableState.Never)]");
            foreach (var entry in module.Entries)
            {
                var response = entry.Response.Length > 0 ? $"typeof({entry.Response})" : "null";
                source.Line($"[_D::HandlesMessage(typeof({entry.Message.Full}), {(int)entry.Kind}, {response})]");
            }

            using (source.Block($"public sealed class {name} : _D::HandlerModule"))
            {
                EmitTable(source, module);
                instances.Emit(source);
                for (var i = 0; i < module.Entries.Count; i++)
                {
                    output.CancellationToken.ThrowIfCancellationRequested();
                    EntryEmitter.Emit(source, module.Entries[i], i, name, instances);
                    if (module.Project.IsHost)
                        DispatcherEmitter.EmitDirect(source, module.Entries[i], i, instances);
                }

                CrossModuleEmitter.Emit(source, module);
                CheckEmitter.Emit(source, module);
            }
        }

        output.AddSource("Postrider.Module.g.cs", source.ToText());
        if (module.Project.IsHost)
            DispatcherEmitter.Emit(output, module, name);
    }

    // The map that an editor shows: this file, opened from the project's analyzers.
    private static void EmitMap(SourceWriter source, ModuleModel module)
    {
        source.Line($"// Handlers of {module.Project.Name}: {module.Entries.Count} message types.");
        foreach (var entry in module.Entries.OrderBy(e => e.Message.Display, System.StringComparer.Ordinal))
        {
            var way = entry.Middleware.Select(m => m.Full.Replace("global::", ""))
                .Concat([string.Join(", ", entry.Handlers.Select(h => h.Owner.Display))]);
            source.Line($"//   {entry.Message.Display} ({entry.Kind.ToString().ToLowerInvariant()}): {string.Join(" -> ", way)}");
        }

        foreach (var wrapper in module.CrossModule)
            source.Line($"//   {wrapper.Message.Message.Display}, of a referenced project: {string.Join(" -> ", wrapper.Middleware.Select(m => m.Full.Replace("global::", "")))} -> its handler");
    }

    private static void EmitTable(SourceWriter source, ModuleModel module)
    {
        var count = module.Entries.Count;
        var strategy = module.Project.Strategy.Length > 0 ? module.Project.Strategy : "null";
        source.Line($"private static _P::PublishStrategy? DefaultStrategy => {strategy};");
        source.Line($"public override string Name => {Literal(module.Project.Name)};");
        source.List("public override _S::ReadOnlySpan<uint> Keys => new uint[] { ", module.Entries, static (s, e) => s.Append($"{e.Hash}u"), " };");
        var open = module.Entries
            .Select((entry, index) => (entry, index))
            .Where(e => e.entry.Kind == MessageKind.Notification && !e.entry.Message.IsSealed)
            .Select(e => e.index.ToString())
            .ToList();
        if (open.Count > 0)
        {
            source.Line("public override _S::ReadOnlySpan<int> OpenNotifications => new int[] { "
                + string.Join(", ", open) + " };");
        }

        if (module.Project.References.Count > 0)
        {
            source.Line("public override _D::HandlerModule[] CreateReferences() => new _D::HandlerModule[] { "
                + string.Join(", ", module.Project.References.Select(r => $"new {r}()")) + " };");
        }

        EmitCreate(source, "public override _D::MessageRegistration", "Create", "Register", count);
    }

    /// <summary>Writes a method that creates the n-th of many objects, each with a separate method.</summary>
    internal static void EmitCreate(
        SourceWriter source, string head, string name, string maker, int count, string parameters = "", string arguments = "")
    {
        const string Otherwise = "_ => throw new _S::ArgumentOutOfRangeException(nameof(index)) };";
        var groups = Enumerable.Range(0, GroupsOf(count)).ToList();
        source.Line($"{head} {name}(int index{parameters}) => (index >> {CasesPerMethodBits}) switch {{ "
            + string.Concat(groups.Select(g => $"{g} => {name}{g}(index{arguments}), ")) + Otherwise);
        var type = head.Substring(head.LastIndexOf(' ') + 1);
        foreach (var group in groups)
        {
            source.Line($"private {type} {name}{group}(int index{parameters}) => index switch {{ "
                + string.Concat(InGroup(group, count).Select(i => $"{i} => {maker}{i}({arguments.TrimStart(',', ' ')}), ")) + Otherwise);
        }
    }

    /// <summary>The number of methods needed for that many objects.</summary>
    internal static int GroupsOf(int count) => (count + (1 << CasesPerMethodBits) - 1) >> CasesPerMethodBits;

    /// <summary>The objects that one of these methods creates.</summary>
    internal static IEnumerable<int> InGroup(int group, int count)
        => Enumerable.Range(group << CasesPerMethodBits, System.Math.Min(1 << CasesPerMethodBits, count - (group << CasesPerMethodBits)));

    internal static string ModuleName(string assembly)
    {
        var name = new StringBuilder("Module_");
        foreach (var c in assembly)
            name.Append(char.IsLetterOrDigit(c) ? c : '_');

        // If characters other than dots were replaced, another assembly's name could become the same: a program sees both.
        if (assembly.Any(c => !char.IsLetterOrDigit(c) && c != '.'))
            name.Append('_').Append(ModuleModel.Hash(assembly).ToString("x8"));
        return name.ToString();
    }

    internal static string Literal(string text) => Microsoft.CodeAnalysis.CSharp.SymbolDisplay.FormatLiteral(text, quote: true);
}
