using System.Collections.Generic;
using System.Linq;
using Postrider.MessagePack.Generator.Emitting;
using Postrider.Xml.Generator.Model;
using Postrider.Xml.Generator.Parsing;

namespace Postrider.Xml.Generator.Emitting;

/// <summary>Writes what schemas say of the types.</summary>
internal static class SchemaEmitter
{
    internal static void Emit(Source source, ContextModel model)
    {
        // Several types of C# may be one in XML: an array and a list.
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
            if (collection.Pair is null)
            {
                Write(source, written, collection.Type, "Collection", isNillable: true, [Member(collection.Element, collection.Item, isRequired: false)]);
                continue;
            }

            var pair = new TypeModel("", "", collection.Pair, collection.Type.Namespace, IsNillable: false);
            Write(source, written, pair, "Object", isNillable: false, [Member("Key", collection.Key, isRequired: true), Member("Value", collection.Value, isRequired: true)]);
            Write(source, written, collection.Type, "Collection", isNillable: true, [Member(collection.Element, pair, isRequired: false)]);
        }

        foreach (var enumeration in model.Enumerations)
        {
            Write(
                source, written, enumeration.Type, enumeration.IsFlags ? "Flags" : "Enumeration", isNillable: false,
                enumeration.Names.Select(n => $"new {ContextEmitter.Library}XmlSchemaMember({Names.Text(n)})").ToList());
        }
    }

    private static void Write(Source source, HashSet<string> written, TypeModel type, string kind, bool isNillable, List<string> members)
    {
        if (!written.Add($"{type.Namespace} {type.Name}"))
            return;
        source.Line($"    new {ContextEmitter.Library}XmlSchemaType({Names.Text(type.Name)}, {Names.Text(type.Namespace)}, {ContextEmitter.Library}XmlSchemaKind.{kind}, {ContextEmitter.Bool(isNillable)}{string.Concat(members.Select(m => ", " + m))}),");
    }

    private static string Member(string name, TypeModel type, bool isRequired)
        => $"new {ContextEmitter.Library}XmlSchemaMember({Names.Text(name)}, {Names.Text(type.Name)}, {Names.Text(type.Namespace)}, {ContextEmitter.Bool(type.IsNillable)}, {ContextEmitter.Bool(isRequired)})";
}
