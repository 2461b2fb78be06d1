namespace Postrider.Xml;

/// <summary>What a schema says of a type.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Namespace">The namespace of that name.</param>
/// <param name="Kind">What it is.</param>
/// <param name="IsNillable">It has a null.</param>
/// <param name="Members">Its members, item or values.</param>
public sealed record XmlSchemaType(string Name, string Namespace, XmlSchemaKind Kind, bool IsNillable, params XmlSchemaMember[] Members);
