using Postrider.Generators;

namespace Postrider.Xml.Generator.Model;

/// <summary>A member of an object.</summary>
/// <param name="Name">Its name in C#.</param>
/// <param name="Element">Its element's name.</param>
/// <param name="Namespace">That element's namespace.</param>
/// <param name="Type">Its type.</param>
/// <param name="Setting">How a value that was read is set.</param>
/// <param name="Owner">The type that declares it.</param>
/// <param name="IsField">Whether it is a field.</param>
/// <param name="IsHidden">Only the runtime can reach its value.</param>
/// <param name="IsRequired">It must be there.</param>
/// <param name="OmitsDefault">It is not written when it has its type's default.</param>
/// <param name="Level">The number of its declaring type, counted from the outermost base.</param>
internal sealed record MemberModel(
    string Name, string Element, string Namespace, TypeModel Type, Setting Setting, string Owner, bool IsField, bool IsHidden, bool IsRequired, bool OmitsDefault, int Level);
