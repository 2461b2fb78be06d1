namespace Postrider.Xml;

/// <summary>A type in XML: the name of its root element and its name in schemas.</summary>
public abstract class XmlType
{
    private protected XmlType(Type type, string element, string elementNamespace, string name, string space, bool isNillable)
        => (Type, Element, ElementNamespace, Name, Namespace, IsNillable) = (type, element, elementNamespace, name, space, isNillable);

    /// <summary>The type.</summary>
    public Type Type { get; }

    /// <summary>The name of its element if it is the root.</summary>
    public string Element { get; }

    /// <summary>That element's namespace.</summary>
    public string ElementNamespace { get; }

    /// <summary>Its name in schemas.</summary>
    public string Name { get; }

    /// <summary>The namespace of that name.</summary>
    public string Namespace { get; }

    /// <summary>Whether it allows null.</summary>
    public bool IsNillable { get; }
}
