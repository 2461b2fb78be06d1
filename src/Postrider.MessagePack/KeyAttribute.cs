namespace Postrider.MessagePack;

/// <summary>The key of a member: its index in the array, or its name in the map. All members of a type have one kind.</summary>
/// <remarks>A key must stay with its member once it was used: older and newer readers rely on it.</remarks>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field)]
public sealed class KeyAttribute : Attribute
{
    /// <summary>Sets an index.</summary>
    /// <param name="index">From 0; gaps are written as nil.</param>
    public KeyAttribute(int index) => Index = index;

    /// <summary>Sets a name.</summary>
    /// <param name="name">The name.</param>
    public KeyAttribute(string name) => Name = name;

    /// <summary>The index, or null.</summary>
    public int? Index { get; }

    /// <summary>The name, or null.</summary>
    public string? Name { get; }
}
