using Postrider.Generators;

namespace Postrider.Generator.Model;

/// <summary>The kind of a message.</summary>
internal enum MessageKind
{
    Request,
    Command,
    Notification,
    Stream,
}

/// <summary>A type, as needed by emitted code and the module's table.</summary>
/// <param name="Full">The name with <c>global::</c>.</param>
/// <param name="Metadata">The full name at run time, of the definition for a generic type.</param>
/// <param name="Display">The display name.</param>
/// <param name="IsSealed">Whether no other type derives from it.</param>
/// <param name="IsValueType">A struct.</param>
/// <param name="IsPublic">Whether it is visible outside its project.</param>
/// <param name="Bases">Base classes and interfaces, as <paramref name="Full"/>; the type itself is the first.</param>
internal sealed record TypeModel(
    string Full,
    string Metadata,
    string Display,
    bool IsSealed,
    bool IsValueType,
    bool IsPublic,
    EquatableArray<string> Bases);

/// <summary>A message that this project declares as partial, so that its way to its slot can be written into it.</summary>
/// <param name="Type">The message.</param>
/// <param name="Kind">The kind of message.</param>
/// <param name="Response">The response or item type; empty for notifications.</param>
/// <param name="Namespace">Its namespace, or empty.</param>
/// <param name="Declarations">The partial declarations from the outermost type to the message.</param>
internal sealed record PartialMessageModel(
    TypeModel Type, MessageKind Kind, string Response, string Namespace, EquatableArray<string> Declarations);
