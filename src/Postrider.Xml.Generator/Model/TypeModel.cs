namespace Postrider.Xml.Generator.Model;

/// <summary>A type, as needed by formatters and schemas.</summary>
/// <param name="Type">Its full name.</param>
/// <param name="Formatter">Its formatter's full name.</param>
/// <param name="Name">Its name in schemas.</param>
/// <param name="Namespace">The namespace of that name.</param>
/// <param name="IsNillable">It has a null.</param>
internal sealed record TypeModel(string Type, string Formatter, string Name, string Namespace, bool IsNillable);
