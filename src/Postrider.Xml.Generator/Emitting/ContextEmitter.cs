using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.Xml.Generator.Model;
using Postrider.Xml.Generator.Parsing;

namespace Postrider.Xml.Generator.Emitting;

/// <summary>Writes a context's table, and the formatters inside it.</summary>
internal static class ContextEmitter
{
    internal const string Library = "global::Postrider.Xml.";
    internal const string Elements = "global::Postrider.Xml.Elements.";

    internal static void Emit(SourceProductionContext output, ContextModel model)
    {
        var source = new SourceWriter();
        if (model.Namespace.Length > 0)
            source.Line($"namespace {model.Namespace};").Line();
        using (source.Block($"partial class {model.Name}"))
        {
            source.Line("/// <summary>Knows the types named on it and those reached from them.</summary>");
            source.Line($"public {model.Name}() : base(new {Library}XmlType[]");
            source.Line("{");
            foreach (var type in model.Types)
            {
                // Root elements of scalars have a separate namespace.
                var element = type.Namespace == KnownTypes.Schema ? KnownTypes.Serialization : type.Namespace;
                source.Line($"    new {Library}XmlType<{type.Type}, {type.Formatter}>({SymbolNames.Text(type.Name)}, {SymbolNames.Text(element)}, {SymbolNames.Text(type.Name)}, {SymbolNames.Text(type.Namespace)}, {Bool(type.IsNillable)}),");
            }

            source.Line($"}}, new {Library}XmlSchemaType[]");
            source.Line("{");
            SchemaEmitter.Emit(source, model);
            source.Line("})");
            source.Line("{");
            if (model.Defect.Length > 0)
                source.Line($"    throw new global::System.NotSupportedException({SymbolNames.Text(model.Name + " cannot be used: " + model.Defect)});");
            source.Line("}");
            source.Line();
            source.Line("/// <summary>The one instance that is needed.</summary>");
            source.Line($"public static {model.Name} Default {{ get; }} = new {model.Name}();");
            foreach (var collection in model.Collections)
                Name(source, collection);
            foreach (var enumeration in model.Enumerations)
                Enumeration(source, enumeration);
            foreach (var shape in model.Objects)
                ObjectEmitter.Emit(source, shape);
        }

        var name = model.Namespace.Length > 0 ? model.Namespace + "." + model.Name : model.Name;
        output.AddSource($"{name}.Xml.g.cs", source.ToText());
    }

    internal static string Bool(bool value) => value ? "true" : "false";

    private static void Name(SourceWriter source, CollectionModel model)
    {
        source.Line();
        using (source.Block($"private readonly struct {model.Identifier} : {Elements}IXmlName"))
        {
            source.Line($"public static global::System.ReadOnlySpan<byte> Name => {SymbolNames.Text(model.Element)}u8;");
            source.Line($"public static global::System.ReadOnlySpan<byte> Namespace => {SymbolNames.Text(model.Type.Namespace)}u8;");
        }
    }

    private static void Enumeration(SourceWriter source, EnumerationModel model)
    {
        source.Line();
        using (source.Block($"private readonly struct {model.Identifier} : {Library}Formatters.IXmlNames"))
        {
            source.Line($"private static readonly byte[][] s_names = new byte[][] {{ {string.Join(", ", model.Names.Select(n => SymbolNames.Text(n) + "u8.ToArray()"))} }};");
            source.Line($"private static readonly ulong[] s_values = new ulong[] {{ {string.Join(", ", model.Values.Select(v => v + "UL"))} }};");
            source.Line("public static global::System.ReadOnlySpan<byte[]> Names => s_names;");
            source.Line("public static global::System.ReadOnlySpan<ulong> Values => s_values;");
            source.Line($"public static bool IsFlags => {Bool(model.IsFlags)};");
        }
    }
}
