using Postrider.Generators;

namespace Postrider.MessagePack.Generator.Model;

/// <summary>An object: its members and how it is created.</summary>
/// <param name="Type">Its full name.</param>
/// <param name="Display">Its name in errors.</param>
/// <param name="Formatter">The name of the formatter that is generated for it.</param>
/// <param name="IsValueType">Whether it is a value type.</param>
/// <param name="IsNamed">Whether members are written under names, otherwise by index.</param>
/// <param name="Members">The members: by index in that order, by name as declared, bases first.</param>
/// <param name="Parameters">The constructor's parameters: for each the number of its member in <paramref name="Members"/>.</param>
internal sealed record ObjectModel(
    string Type, string Display, string Formatter, bool IsValueType, bool IsNamed, EquatableArray<MemberModel> Members, EquatableArray<int> Parameters);
