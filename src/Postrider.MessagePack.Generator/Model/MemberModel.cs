using Postrider.Generators;

namespace Postrider.MessagePack.Generator.Model;

/// <summary>A member of an object.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Type">Its type's full name.</param>
/// <param name="Formatter">Its formatter's full name.</param>
/// <param name="Index">Its index on the wire, when it has one.</param>
/// <param name="Key">Its name on the wire, if it has one.</param>
/// <param name="Setting">How a value that was read is set.</param>
/// <param name="Owner">The type that declares it, for an accessor; null for a part of a tuple.</param>
/// <param name="IsField">Whether it is a field.</param>
internal sealed record MemberModel(
    string Name, string Type, string Formatter, int Index, string? Key, Setting Setting, string? Owner, bool IsField);
