using Postrider.Generators;

namespace Postrider.Xml.Generator.Model;

/// <summary>An object: its members, how it is created, and the types that can be used in its place.</summary>
/// <param name="Type">The object.</param>
/// <param name="Display">Its name in errors.</param>
/// <param name="IsValueType">Whether it is a value type.</param>
/// <param name="Making">How it is created.</param>
/// <param name="Members">The members in the order in which they are written.</param>
/// <param name="Parameters">The constructor's parameters: for each the number of its member.</param>
/// <param name="Derived">The types that can be used in its place.</param>
/// <param name="Base">The base, when it is a contract too.</param>
/// <param name="Callbacks">The methods that are called during serialization, those of the outermost base first.</param>
internal sealed record ObjectModel(
    TypeModel Type, string Display, bool IsValueType, Making Making, EquatableArray<MemberModel> Members, EquatableArray<int> Parameters,
    EquatableArray<TypeModel> Derived, TypeModel? Base, EquatableArray<CallbackModel> Callbacks);

/// <summary>How an object is created.</summary>
internal enum Making
{
    /// <summary>By its constructor.</summary>
    Constructor,

    /// <summary>Without a constructor, as data contracts are.</summary>
    Empty,

    /// <summary>Not at all: it is abstract.</summary>
    Never,
}
