using Postrider.Generators;

namespace Postrider.MessagePack.Generator.Model;

/// <summary>A type that stands for others.</summary>
/// <param name="Type">Its full name.</param>
/// <param name="Display">Its name in errors.</param>
/// <param name="Formatter">The name of the formatter that is written for it.</param>
/// <param name="Cases">The others.</param>
internal sealed record UnionModel(string Type, string Display, string Formatter, EquatableArray<UnionCaseModel> Cases);
