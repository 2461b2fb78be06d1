using System.Xml;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap.Server;

/// <summary>The schemas of a service: its operations' elements, and the types that they reach, by namespace.</summary>
internal sealed class Schemas
{
    private const string Xs = XmlNamespaces.Schema;

    private readonly IReadOnlyList<SoapHandler> _handlers;
    private readonly List<XmlType> _roots;
    private readonly Dictionary<(string Namespace, string Name), XmlSchemaType> _types = [];

    public Schemas(string space, IReadOnlyList<SoapHandler> handlers, IReadOnlyList<XmlType> faults, IReadOnlyList<XmlSchemaType> known)
    {
        _handlers = handlers;
        var parts = handlers.SelectMany(h => h.RequestParts.Concat(h.ResponseParts)).Select(p => p.Value).ToList();
        _roots = [.. parts.Concat(faults).DistinctBy(t => (t.ElementNamespace, t.Element)).Where(t => t.Namespace != Xs)];
        var table = known.ToDictionary(t => (t.Namespace, t.Name));
        table.TryAdd((Offset.Namespace, Offset.Name), Offset);
        foreach (var type in parts.Concat(faults))
            Reach(table, (type.Namespace, type.Name));

        // Derived types can be used in place of a reached type, so they belong to the schema.
        for (var count = -1; count != _types.Count;)
        {
            count = _types.Count;
            foreach (var derived in known.Where(t => t.Kind == XmlSchemaKind.Derived && _types.ContainsKey((t.Members[0].Namespace, t.Members[0].Type))))
                Reach(table, (derived.Namespace, derived.Name));
        }

        Namespaces = [space, .. _types.Keys.Select(k => k.Namespace).Concat(_roots.Select(r => r.ElementNamespace)).Concat(handlers.Select(h => h.Operation.Namespace)).Append(XmlNamespaces.Serialization).Where(n => n != space && n != Xs).Distinct(StringComparer.Ordinal)];
    }

    /// <summary>The namespaces, the service's own first.</summary>
    public IReadOnlyList<string> Namespaces { get; }

    private static XmlSchemaType Offset { get; } = new(
        "DateTimeOffset", XmlNamespaces.Contracts + "System", XmlSchemaKind.Object, false,
        new XmlSchemaMember("DateTime", "dateTime", Xs, IsRequired: true), new XmlSchemaMember("OffsetMinutes", "short", Xs, IsRequired: true));

    /// <summary>A schema that imports all others from their addresses.</summary>
    public void WriteImports(XmlWriter writer, string space, string address)
    {
        writer.WriteStartElement("xs", "schema", Xs);
        writer.WriteAttributeString("targetNamespace", space + (space.EndsWith('/') ? "Imports" : "/Imports"));
        for (var i = 0; i < Namespaces.Count; i++)
            Import(writer, Namespaces[i], $"{address}?xsd=xsd{i}");
        writer.WriteEndElement();
    }

    /// <summary>The schema of a namespace.</summary>
    public void Write(XmlWriter writer, string space, string? address)
    {
        writer.WriteStartElement("xs", "schema", Xs);
        writer.WriteAttributeString("elementFormDefault", "qualified");
        if (space.Length > 0)
            writer.WriteAttributeString("targetNamespace", space);
        for (var i = 0; i < Namespaces.Count; i++)
        {
            if (Namespaces[i] != space)
                Import(writer, Namespaces[i], address is null ? null : $"{address}?xsd=xsd{i}");
        }

        foreach (var handler in _handlers.Where(h => !h.Operation.IsBare && h.Operation.Namespace == space))
        {
            Wrapper(writer, handler.Operation.Name, handler.RequestParts);
            if (handler.Operation.Kind != OperationKind.OneWay)
                Wrapper(writer, handler.Operation.Name + "Response", handler.ResponseParts);
        }

        if (space == XmlNamespaces.Serialization)
            Own(writer, _handlers.Where(h => h.Operation.IsBare).SelectMany(h => h.RequestParts.Concat(h.ResponseParts)).Select(p => p.Value).Where(t => t.ElementNamespace == space).DistinctBy(t => t.Element, StringComparer.Ordinal));
        foreach (var type in _types.Values.Where(t => t.Namespace == space))
            Type(writer, type);
        foreach (var root in _roots.Where(r => r.ElementNamespace == space && space != XmlNamespaces.Serialization))
            Element(writer, new XmlSchemaMember(root.Element, root.Name, root.Namespace, root.IsNillable, IsRequired: true), isGlobal: true);
        writer.WriteEndElement();
    }

    private void Reach(Dictionary<(string Namespace, string Name), XmlSchemaType> table, (string Namespace, string Name) name)
    {
        if (!table.TryGetValue(name, out var type) || !_types.TryAdd(name, type))
            return;
        foreach (var member in type.Members)
            Reach(table, (member.Namespace, member.Type));
    }

    private static void Import(XmlWriter writer, string space, string? location)
    {
        writer.WriteStartElement("import", Xs);
        if (location is not null)
            writer.WriteAttributeString("schemaLocation", location);
        if (space.Length > 0)
            writer.WriteAttributeString("namespace", space);
        writer.WriteEndElement();
    }

    private static void Wrapper(XmlWriter writer, string name, IEnumerable<KeyValuePair<string, XmlType>> parts)
    {
        writer.WriteStartElement("element", Xs);
        writer.WriteAttributeString("name", name);
        writer.WriteStartElement("complexType", Xs);
        writer.WriteStartElement("sequence", Xs);
        foreach (var (part, type) in parts)
            Element(writer, new XmlSchemaMember(part, type.Name, type.Namespace, type.IsNillable));
        writer.WriteEndElement();
        writer.WriteEndElement();
        writer.WriteEndElement();
    }

    private static void Element(XmlWriter writer, XmlSchemaMember member, bool isGlobal = false, bool isMany = false)
    {
        writer.WriteStartElement("element", Xs);
        if (!isGlobal && !member.IsRequired)
            writer.WriteAttributeString("minOccurs", "0");
        if (isMany)
            writer.WriteAttributeString("maxOccurs", "unbounded");
        writer.WriteAttributeString("name", member.Name);
        if (member.IsNillable)
            writer.WriteAttributeString("nillable", "true");
        Named(writer, "type", member.Type, member.Namespace);
        writer.WriteEndElement();
    }

    private static void Type(XmlWriter writer, XmlSchemaType type)
    {
        if (type.Kind is XmlSchemaKind.Enumeration or XmlSchemaKind.Flags)
        {
            writer.WriteStartElement("simpleType", Xs);
            writer.WriteAttributeString("name", type.Name);
            if (type.Kind == XmlSchemaKind.Flags)
            {
                writer.WriteStartElement("list", Xs);
                writer.WriteStartElement("simpleType", Xs);
            }

            writer.WriteStartElement("restriction", Xs);
            Named(writer, "base", "string", Xs);
            foreach (var value in type.Members)
            {
                writer.WriteStartElement("enumeration", Xs);
                writer.WriteAttributeString("value", value.Name);
                writer.WriteEndElement();
            }

            writer.WriteEndElement();
            if (type.Kind == XmlSchemaKind.Flags)
            {
                writer.WriteEndElement();
                writer.WriteEndElement();
            }

            writer.WriteEndElement();
            return;
        }

        writer.WriteStartElement("complexType", Xs);
        writer.WriteAttributeString("name", type.Name);
        if (type.Kind == XmlSchemaKind.Derived)
        {
            writer.WriteStartElement("complexContent", Xs);
            writer.WriteStartElement("extension", Xs);
            Named(writer, "base", type.Members[0].Type, type.Members[0].Namespace);
        }

        writer.WriteStartElement("sequence", Xs);
        foreach (var member in type.Members.Skip(type.Kind == XmlSchemaKind.Derived ? 1 : 0))
            Element(writer, member, isMany: type.Kind == XmlSchemaKind.Collection);
        writer.WriteEndElement();
        if (type.Kind == XmlSchemaKind.Derived)
        {
            writer.WriteEndElement();
            writer.WriteEndElement();
        }

        writer.WriteEndElement();
    }

    /// <summary>The types that XML Schema has not.</summary>
    private static void Own(XmlWriter writer, IEnumerable<XmlType> bare)
    {
        foreach (var type in bare)
            Element(writer, new XmlSchemaMember(type.Element, type.Name, type.Namespace, type.IsNillable, IsRequired: true), isGlobal: true);
        Restriction(writer, "guid", "string", @"[\da-fA-F]{8}-[\da-fA-F]{4}-[\da-fA-F]{4}-[\da-fA-F]{4}-[\da-fA-F]{12}");
        Restriction(writer, "char", "int", null);
        Restriction(writer, "duration", "duration", @"\-?P(\d*D)?(T(\d*H)?(\d*M)?(\d*(\.\d*)?S)?)?");
    }

    private static void Restriction(XmlWriter writer, string name, string @base, string? pattern)
    {
        writer.WriteStartElement("simpleType", Xs);
        writer.WriteAttributeString("name", name);
        writer.WriteStartElement("restriction", Xs);
        Named(writer, "base", @base, Xs);
        if (pattern is not null)
        {
            writer.WriteStartElement("pattern", Xs);
            writer.WriteAttributeString("value", pattern);
            writer.WriteEndElement();
        }

        writer.WriteEndElement();
        writer.WriteEndElement();
    }

    private static void Named(XmlWriter writer, string attribute, string name, string space)
    {
        if (space == Xs)
        {
            writer.WriteAttributeString(attribute, "xs:" + name);
            return;
        }

        if (space.Length > 0)
            writer.WriteAttributeString("xmlns", "q", null, space);
        writer.WriteAttributeString(attribute, (space.Length > 0 ? "q:" : "") + name);
    }
}
