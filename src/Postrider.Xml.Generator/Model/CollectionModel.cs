namespace Postrider.Xml.Generator.Model;

/// <summary>A collection.</summary>
/// <param name="Type">The collection.</param>
/// <param name="Identifier">The name of the struct with the name of an item's element.</param>
/// <param name="Element">The name of an item's element.</param>
/// <param name="Item">The item; of a map null.</param>
/// <param name="Pair">The name of a map's pair in schemas, or null.</param>
/// <param name="Key">A map's key, or null.</param>
/// <param name="Value">A map's value, or null.</param>
internal sealed record CollectionModel(TypeModel Type, string Identifier, string Element, TypeModel? Item, string? Pair, TypeModel? Key, TypeModel? Value);
