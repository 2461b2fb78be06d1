using Postrider.Generators;

namespace Postrider.Xml.Generator.Model;

/// <summary>A context with everything that is generated for it.</summary>
/// <param name="Namespace">Its namespace, or an empty text.</param>
/// <param name="Name">Its name.</param>
/// <param name="Types">The types that it offers.</param>
/// <param name="Objects">The objects reached from them.</param>
/// <param name="Collections">The collections reached from them.</param>
/// <param name="Enumerations">The enumerations reached from them.</param>
/// <param name="Defect">Why it cannot be used, or an empty text.</param>
internal sealed record ContextModel(
    string Namespace, string Name, EquatableArray<TypeModel> Types, EquatableArray<ObjectModel> Objects, EquatableArray<CollectionModel> Collections,
    EquatableArray<EnumerationModel> Enumerations, string Defect = "");
