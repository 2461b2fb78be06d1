using Postrider.Generators;

namespace Postrider.Xml.Generator.Model;

/// <summary>An enumeration.</summary>
/// <param name="Type">The enumeration.</param>
/// <param name="Identifier">The name of the struct that lists its names.</param>
/// <param name="IsFlags">Whether several names may be combined.</param>
/// <param name="Names">The names.</param>
/// <param name="Values">Their values.</param>
internal sealed record EnumerationModel(TypeModel Type, string Identifier, bool IsFlags, EquatableArray<string> Names, EquatableArray<ulong> Values);
