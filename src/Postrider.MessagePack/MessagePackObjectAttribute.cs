namespace Postrider.MessagePack;

/// <summary>Marks a class, struct or record whose members are written: as an array by index, or as a map by name.</summary>
/// <param name="keyAsPropertyName">Every public member is written under its own name, in a map; otherwise each public member
/// has a <see cref="KeyAttribute"/> or an <see cref="IgnoreMemberAttribute"/>.</param>
/// <remarks>Source of the wire format: MessagePack-CSharp's attribute of the same name.</remarks>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct)]
public sealed class MessagePackObjectAttribute(bool keyAsPropertyName = false) : Attribute
{
    /// <summary>Whether members are written under their names.</summary>
    public bool KeyAsPropertyName { get; } = keyAsPropertyName;
}
