using Postrider.Generators;

namespace Postrider.MessagePack.Generator.Model;

/// <summary>A union: a base type with its possible types.</summary>
/// <param name="Type">Its full name.</param>
/// <param name="Display">Its name in errors.</param>
/// <param name="Formatter">The name of the formatter that is generated for it.</param>
/// <param name="Cases">The possible types.</param>
internal sealed record UnionModel(string Type, string Display, string Formatter, EquatableArray<UnionCaseModel> Cases);
