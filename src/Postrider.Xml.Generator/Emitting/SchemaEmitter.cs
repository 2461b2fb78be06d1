using System.Collections.Generic;
using System.Linq;
using Postrider.Generators;
using Postrider.Xml.Generator.Model;
using Postrider.Xml.Generator.Parsing;

namespace Postrider.Xml.Generator.Emitting;

/// <summary>Writes the schemas of the types.</summary>
internal static class SchemaEmitter
{
    internal static void Emit(SourceWriter source, ContextModel model)
    {
        // Several C# types may be the same in XML: an array and a list.
        var written = new HashSet<string>();
        foreach (var shape in model.Objects)
        {
            var members = shape.Members.Where(m => m.Namespace == shape.Type.Namespace && m.Level == shape.Members.Max(o => o.Level) || shape.Base is null)
                .Select(m => Member(m.Element, m.Type, m.IsRequired)).ToList();
            if (shape.Base is not null)
                members.Insert(0, Member("", shape.Base, isRequired: false));
            Write(source, written, shape.Type, shape.Base is null ? "Object" : "Derived", !shape.IsValueType, members);
        }

        foreach (var collection in model.Collections)
        {
            if (collection is { Pair: { } name, Key: { } key, Value: { } value })
            {
                var pair = new TypeModel("", "", name, collection.Type.Namespace, IsNillable: false);
                Write(source, written, pair, "Object", isNillable: false, [Member("Key", key, isRequired: true), Member("Value", value, isRequired: true)]);
                Write(source, written, collection.Type, "Collection", isNillable: true, [Member(collection.Element, pair, isRequired: false)]);
            }
            else if (collection.Item is { } item)
            {
                Write(source, written, collection.Type, "Collection", isNillable: true, [Member(collection.Element, item, isRequired: false)]);
            }
        }

        foreach (var enumeration in model.Enumerations)
        {
            Write(
                source, written, enumeration.Type, enumeration.IsFlags ? "Flags" : "Enumeration", isNillable: false,
                enumeration.Names.Select(n => $"new {ContextEmitter.Library}XmlSchemaMember({SymbolNames.Text(n)})").ToList());
        }
    }

    private static void Write(SourceWriter source, HashSet<string> written, TypeModel type, string kind, bool isNillable, List<string> members)
    {
        if (!written.Add($"{type.Namespace} {type.Name}"))
            return;
        source.Line($"    new {ContextEmitter.Library}XmlSchemaType({SymbolNames.Text(type.Name)}, {SymbolNames.Text(type.Namespace)}, {ContextEmitter.Library}XmlSchemaKind.{kind}, {ContextEmitter.Bool(isNillable)}{string.Concat(members.Select(m => ", " + m))}),");
    }

    private static string Member(string name, TypeModel type, bool isRequired)
        => $"new {ContextEmitter.Library}XmlSchemaMember({SymbolNames.Text(name)}, {SymbolNames.Text(type.Name)}, {SymbolNames.Text(type.Namespace)}, {ContextEmitter.Bool(type.IsNillable)}, {ContextEmitter.Bool(isRequired)})";
}
