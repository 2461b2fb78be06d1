namespace Postrider.Xml;

/// <summary>A member of an object, the item of a collection, or a value of an enumeration (only its name).</summary>
/// <param name="Name">Its element's name.</param>
/// <param name="Type">Its type's name in schemas.</param>
/// <param name="Namespace">The namespace of that name.</param>
/// <param name="IsNillable">Whether it may be nil.</param>
/// <param name="IsRequired">Whether it is required.</param>
public sealed record XmlSchemaMember(string Name, string Type = "", string Namespace = "", bool IsNillable = false, bool IsRequired = false);
