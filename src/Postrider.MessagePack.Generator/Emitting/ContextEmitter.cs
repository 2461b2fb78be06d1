using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.MessagePack.Generator.Model;

namespace Postrider.MessagePack.Generator.Emitting;

/// <summary>Writes a context's table and properties, and the formatters inside it.</summary>
internal static class ContextEmitter
{
    internal const string Library = "global::Postrider.MessagePack.";

    internal static void Emit(SourceProductionContext output, ContextModel model)
    {
        var source = new SourceWriter();
        if (model.Namespace.Length > 0)
            source.Line($"namespace {model.Namespace};").Line();
        using (source.Block($"partial class {model.Name}"))
        {
            const string Pair = "global::System.Collections.Generic.KeyValuePair<global::System.Type, object>";
            source.Line("/// <summary>Knows the types named on it and those reached from them.</summary>");
            source.Line($"public {model.Name}() : base(new {Pair}[]");
            source.Line("{");
            foreach (var root in model.Roots)
                source.Line($"    new {Pair}(typeof({root.Type}), default({root.Formatter})),");
            source.Line("})");
            source.Line("{");
            if (model.Defect.Length > 0)
                source.Line($"    throw new global::System.NotSupportedException({SymbolNames.Text(model.Name + " cannot be used: " + model.Defect)});");
            source.Line("}");
            source.Line();
            source.Line("/// <summary>The one instance that is needed.</summary>");
            source.Line($"public static {model.Name} Default {{ get; }} = new {model.Name}();");
            foreach (var root in model.Roots.Where(r => r.Property is not null))
            {
                source.Line();
                source.Line($"/// <summary>Writes and reads {root.Type.Replace("global::", "").Replace('<', '{').Replace('>', '}')}.</summary>");
                source.Line($"public {Library}IMessagePackFormatter<{root.Type}> {root.Property} {{ get; }} = default({root.Formatter});");
            }

            foreach (var shape in model.Objects)
                ObjectEmitter.Emit(source, shape);
            foreach (var union in model.Unions)
                UnionEmitter.Emit(source, union);
        }

        var name = model.Namespace.Length > 0 ? model.Namespace + "." + model.Name : model.Name;
        output.AddSource($"{name}.MessagePack.g.cs", source.ToText());
    }
}
