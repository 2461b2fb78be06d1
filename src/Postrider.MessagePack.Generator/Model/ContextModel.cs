using Postrider.Generators;

namespace Postrider.MessagePack.Generator.Model;

/// <summary>A context with everything that is generated for it.</summary>
/// <param name="Namespace">Its namespace, or an empty text.</param>
/// <param name="Name">Its name.</param>
/// <param name="Accessibility">public or internal.</param>
/// <param name="Roots">The types named on it.</param>
/// <param name="Objects">The objects reached from them.</param>
/// <param name="Unions">The unions reached from them.</param>
/// <param name="Defect">Why it cannot be used, or an empty text.</param>
internal sealed record ContextModel(
    string Namespace, string Name, string Accessibility, EquatableArray<RootModel> Roots, EquatableArray<ObjectModel> Objects, EquatableArray<UnionModel> Unions, string Defect = "");
