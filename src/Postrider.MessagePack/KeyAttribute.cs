namespace Postrider.MessagePack;

/// <summary>The key of a member: its index in the array, or its name in the map. All members of a type have one kind.</summary>
/// <remarks>A key that was used stays with its member: older and newer readers meet by it.</remarks>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field)]
public sealed class KeyAttribute : Attribute
{
    /// <summary>An index.</summary>
    /// <param name="index">From 0; gaps are written as nil.</param>
    public KeyAttribute(int index) => Index = index;

    /// <summary>A name.</summary>
    /// <param name="name">The name.</param>
    public KeyAttribute(string name) => Name = name;

    /// <summary>The index, if it is one.</summary>
    public int? Index { get; }

    /// <summary>The name, if it is one.</summary>
    public string? Name { get; }
}
