using System.Xml.Linq;

namespace Postrider.CommandLine.Wsdl;

/// <summary>Reads the types of schemas, as far as data contracts can express them.</summary>
internal sealed class SchemaReader
{
    private static readonly Dictionary<string, (string Name, bool IsValue)> s_builtIn = new(StringComparer.Ordinal)
    {
        ["boolean"] = ("bool", true),
        ["byte"] = ("sbyte", true),
        ["unsignedByte"] = ("byte", true),
        ["short"] = ("short", true),
        ["unsignedShort"] = ("ushort", true),
        ["int"] = ("int", true),
        ["unsignedInt"] = ("uint", true),
        ["long"] = ("long", true),
        ["unsignedLong"] = ("ulong", true),
        ["integer"] = ("long", true),
        ["nonNegativeInteger"] = ("long", true),
        ["positiveInteger"] = ("long", true),
        ["nonPositiveInteger"] = ("long", true),
        ["negativeInteger"] = ("long", true),
        ["float"] = ("float", true),
        ["double"] = ("double", true),
        ["decimal"] = ("decimal", true),
        ["dateTime"] = ("DateTime", true),
        ["date"] = ("DateOnly", true),
        ["time"] = ("TimeOnly", true),
        ["duration"] = ("TimeSpan", true),
        ["base64Binary"] = ("byte[]", false),
        ["anyURI"] = ("Uri", false),
        ["string"] = ("string", false),
        ["normalizedString"] = ("string", false),
        ["token"] = ("string", false),
        ["language"] = ("string", false),
        ["Name"] = ("string", false),
        ["NCName"] = ("string", false),
        ["NMTOKEN"] = ("string", false),
        ["ID"] = ("string", false),
        ["IDREF"] = ("string", false),
        ["gYear"] = ("string", false),
        ["gMonth"] = ("string", false),
        ["gDay"] = ("string", false),
        ["gYearMonth"] = ("string", false),
        ["gMonthDay"] = ("string", false),
    };

    private readonly Dictionary<XName, XElement> _elements = [];
    private readonly Dictionary<XName, XElement> _types = [];
    private readonly Dictionary<XElement, TypeUse> _known = [];
    private readonly Dictionary<XElement, Declaration> _declared = [];
    private readonly Identifiers _names = new("XmlContext", "Task", "Guid", "Uri", "DateTime", "TimeSpan", "CallContext");

    internal SchemaReader(IEnumerable<XElement> schemas)
    {
        foreach (var schema in schemas)
        {
            var space = (XNamespace)((string?)schema.Attribute("targetNamespace") ?? "");
            foreach (var one in schema.Elements().Where(e => e.Attribute("name") is not null))
            {
                var table = one.Name.LocalName == "element" ? _elements : one.Name.LocalName is "complexType" or "simpleType" ? _types : null;
                table?.TryAdd(space + one.Attribute("name")!.Value, one);
            }
        }
    }

    internal List<Declaration> Declarations { get; } = [];

    internal List<string> Problems { get; } = [];

    internal Identifiers Names => _names;

    internal XElement? Element(XName name) => _elements.GetValueOrDefault(name);

    internal void Refuse(XObject at, string why) => Problems.Add($"{WsdlDocuments.Place(at)}: {why}");

    /// <summary>The name that an attribute refers to.</summary>
    internal static XName? Name(XElement at, string attribute)
    {
        if ((string?)at.Attribute(attribute) is not { } text)
            return null;
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        var space = colon < 0 ? at.GetDefaultNamespace() : at.GetNamespaceOfPrefix(text[..colon]);
        return space is null ? null : space + text[(colon + 1)..];
    }

    /// <summary>The elements of a wrapper, or null when it is more than a sequence of elements.</summary>
    internal IReadOnlyList<XElement>? Sequence(XElement element)
    {
        var type = element.Element(WsdlNames.Xs + "complexType") ?? (Name(element, "type") is { } name ? _types.GetValueOrDefault(name) : null);
        if (type is null || type.Name.LocalName != "complexType" || type.Elements().Any(e => e.Name.LocalName is not ("sequence" or "annotation" or "anyAttribute")))
            return null;
        var inner = type.Elements(WsdlNames.Xs + "sequence").Elements().Where(e => e.Name.LocalName != "annotation").ToList();
        return inner.TrueForAll(e => e.Name == WsdlNames.Xs + "element") ? inner : null;
    }

    /// <summary>The type of a body's or a detail's element: one that is named after it.</summary>
    internal string Root(XElement element)
    {
        var wanted = element.Attribute("name")!.Value;
        var space = Space(element);
        if (element.Element(WsdlNames.Xs + "complexType") is { } anonymous)
            return Declare(anonymous, wanted, space)?.Name ?? "object";
        if (Name(element, "type") is not { } name || !_types.TryGetValue(name, out var type) || type.Name.LocalName != "complexType")
        {
            Refuse(element, $"the element '{wanted}' is a message but not of a complex type: a data contract cannot express that");
            return "object";
        }

        var declared = Declare(type, name.LocalName, name.NamespaceName);
        if (declared is null || declared.Kind != DeclarationKind.Object || (name.LocalName == wanted && name.NamespaceName == space))
            return declared?.Name ?? "object";

        // An element whose name differs from its type's: a class with the element's name and the type's members.
        if (_declared.TryGetValue(element, out var before))
            return before.Name;
        var named = new Declaration(DeclarationKind.Object, _names.TakePascal(wanted), wanted, space) { Parent = declared };
        _declared[element] = named;
        Declarations.Add(named);
        return named.Name;
    }

    /// <summary>Declares the types derived from declared types: they can be used in their place.</summary>
    internal void ReachDerived()
    {
        for (var before = -1; before != _declared.Count;)
        {
            before = _declared.Count;
            foreach (var (name, type) in _types)
            {
                if (type.Element(WsdlNames.Xs + "complexContent")?.Element(WsdlNames.Xs + "extension") is { } extension
                    && Name(extension, "base") is { } parent && _types.TryGetValue(parent, out var declared) && _declared.ContainsKey(declared))
                    Declare(type, name.LocalName, name.NamespaceName);
            }
        }
    }

    /// <summary>The type of an element, nullable if the element is.</summary>
    internal string Use(XElement element, string owner)
    {
        if (element.Attribute("ref") is not null)
        {
            if (Name(element, "ref") is not { } referred || Element(referred) is not { } global)
            {
                Refuse(element, $"there is no element '{(string?)element.Attribute("ref")}'");
                return "object";
            }

            return Use(global, owner);
        }

        var use = TypeOf(element, owner);
        return IsTrue(element, "nillable") || !use.IsValue ? use.Nullable : use.Name;
    }

    internal static bool IsMany(XElement element) => (string?)element.Attribute("maxOccurs") is { } max && max is not ("1" or "0");

    internal static string NameOf(XElement element) => (string?)element.Attribute("name") ?? ((string?)element.Attribute("ref") ?? "").Split(':')[^1];

    private static bool IsTrue(XElement element, string attribute) => (string?)element.Attribute(attribute) is "true" or "1";

    private static string Space(XElement at) => (string?)at.AncestorsAndSelf(WsdlNames.Xs + "schema").First().Attribute("targetNamespace") ?? "";

    private TypeUse TypeOf(XElement element, string owner)
    {
        if (element.Elements().FirstOrDefault(e => e.Name.LocalName is "complexType" or "simpleType") is { } anonymous)
            return OfDeclared(anonymous, owner + Identifiers.Pascal(NameOf(element)), Space(element));
        if (Name(element, "type") is not { } name)
        {
            Refuse(element, $"the element '{NameOf(element)}' has no known type: a data contract cannot express arbitrary content");
            return new("object", false);
        }

        return Named(element, name);
    }

    private TypeUse Named(XElement at, XName name)
    {
        if (name.Namespace == WsdlNames.Xs)
        {
            if (s_builtIn.TryGetValue(name.LocalName, out var builtIn))
                return new(builtIn.Name, builtIn.IsValue);
            Refuse(at, $"xs:{name.LocalName} cannot be expressed in a data contract");
            return new("object", false);
        }

        if (name.NamespaceName == WsdlNames.Serialization && name.LocalName is "guid" or "char" or "duration")
            return new(name.LocalName switch { "guid" => "Guid", "char" => "char", _ => "TimeSpan" }, true);
        if (name.LocalName == "DateTimeOffset" && name.NamespaceName.EndsWith("/2004/07/System", StringComparison.Ordinal))
            return new("DateTimeOffset", true);
        if (_types.TryGetValue(name, out var type))
            return OfDeclared(type, name.LocalName, name.NamespaceName);
        Refuse(at, $"the namespace '{name.NamespaceName}' has no type '{name.LocalName}'");
        return new("object", false);
    }

    private TypeUse OfDeclared(XElement type, string name, string space)
    {
        if (_known.TryGetValue(type, out var known))
            return known;
        if (type.Name.LocalName == "simpleType")
            return _known[type] = Simple(type, name, space);
        return Declare(type, name, space) is { } declared ? new(declared.Name, false) : new("object", false);
    }

    private TypeUse Simple(XElement type, string name, string space)
    {
        var list = type.Element(WsdlNames.Xs + "list");
        var restriction = (list?.Element(WsdlNames.Xs + "simpleType") ?? type).Element(WsdlNames.Xs + "restriction");
        var values = restriction?.Elements(WsdlNames.Xs + "enumeration").Select(e => (string?)e.Attribute("value") ?? "").ToList() ?? [];
        if (restriction is null || (list is not null && values.Count == 0))
        {
            Refuse(type, $"the type '{name}' is a list or a union: a data contract cannot express that");
            return new("object", false);
        }

        if (values.Count == 0 || Name(restriction, "base") is { LocalName: not ("string" or "token" or "NMTOKEN" or "normalizedString") })
            return restriction.Element(WsdlNames.Xs + "simpleType") is { } inner ? OfDeclared(inner, name, space) : Named(restriction, Name(restriction, "base") ?? WsdlNames.Xs + "string");
        var declared = new Declaration(list is null ? DeclarationKind.Enumeration : DeclarationKind.Flags, _names.TakePascal(name), name, space);
        var names = new Identifiers();
        declared.Values.AddRange(values.Select(v => new ValueText(v, names.TakePascal(v))));
        Declarations.Add(declared);
        return new(declared.Name, true);
    }

    private Declaration? Declare(XElement type, string name, string space)
    {
        if (_declared.TryGetValue(type, out var known))
            return known;
        var extension = type.Element(WsdlNames.Xs + "complexContent")?.Element(WsdlNames.Xs + "extension");
        var content = extension ?? type;
        // Attributes of other namespaces are optional, and readers skip them.
        foreach (var other in content.Elements().Where(e => e.Name.LocalName is not ("sequence" or "all" or "annotation" or "anyAttribute") && !(e == extension?.Parent)))
            Refuse(other, $"{other.Name.LocalName} in the type '{name}' cannot be expressed in a data contract");
        var items = content.Elements().Where(e => e.Name.LocalName is "sequence" or "all").Elements().Where(e => e.Name.LocalName != "annotation").ToList();
        var isCollection = extension is null && items.Count == 1 && items[0].Name == WsdlNames.Xs + "element" && IsMany(items[0]);
        var declared = new Declaration(isCollection ? DeclarationKind.Collection : DeclarationKind.Object, _names.TakePascal(name), name, space);
        _declared[type] = declared;
        Declarations.Add(declared);
        if (isCollection)
        {
            declared.Item = (NameOf(items[0]), Use(items[0], name));
            return declared;
        }

        if (extension is not null && Name(extension, "base") is { } parent)
            Derive(declared, extension, parent);
        var names = new Identifiers(declared.Name);
        foreach (var item in items)
            Member(declared, item, names);
        return declared;
    }

    private void Derive(Declaration declared, XElement extension, XName name)
    {
        if (!_types.TryGetValue(name, out var type) || type.Name.LocalName != "complexType" || Declare(type, name.LocalName, name.NamespaceName) is not { Kind: DeclarationKind.Object } parent)
        {
            Refuse(extension, $"'{name.LocalName}' is not a class that can be extended");
            return;
        }

        declared.Parent = parent;
        for (var at = parent; at is not null; at = at.Parent)
            at.Derived.Add(declared);
    }

    private void Member(Declaration declared, XElement item, Identifiers names)
    {
        var name = NameOf(item);
        if (item.Name == WsdlNames.Xs + "any" && (string?)item.Attribute("minOccurs") == "0")
            return;
        if (item.Name != WsdlNames.Xs + "element")
            Refuse(item, $"{item.Name.LocalName} in the type '{declared.WireName}' cannot be expressed in a data contract");
        else if (IsMany(item))
            Refuse(item, $"'{name}' is repeated next to other elements: a data contract puts a list into its own element");
        else if (!IsQualified(item, declared.Namespace))
            Refuse(item, $"'{name}' is not in the namespace '{declared.Namespace}' (elementFormDefault is not qualified), as members of a data contract must be");
        else
            declared.Members.Add(new(name, names.TakePascal(name), Use(item, declared.WireName), (string?)item.Attribute("minOccurs") != "0"));
    }

    private static bool IsQualified(XElement item, string space)
        => item.Attribute("ref") is not null ? Name(item, "ref")?.NamespaceName == space
            : space.Length == 0 || ((string?)item.Attribute("form") ?? (string?)item.Ancestors(WsdlNames.Xs + "schema").First().Attribute("elementFormDefault")) == "qualified";
}
