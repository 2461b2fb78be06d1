namespace Postrider.MessagePack.Generator.Model;

/// <summary>A type that the context offers.</summary>
/// <param name="Property">The name of its property, or null for a type that is only found by type.</param>
/// <param name="Type">Its full name.</param>
/// <param name="Formatter">Its formatter's full name.</param>
internal sealed record RootModel(string? Property, string Type, string Formatter);
