namespace Postrider.Xml;

/// <summary>The schema of a type.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Namespace">The namespace of that name.</param>
/// <param name="Kind">Its kind.</param>
/// <param name="IsNillable">Whether it allows null.</param>
/// <param name="Members">Its members, item or values.</param>
public sealed record XmlSchemaType(string Name, string Namespace, XmlSchemaKind Kind, bool IsNillable, params XmlSchemaMember[] Members);
