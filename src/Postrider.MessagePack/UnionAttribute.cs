namespace Postrider.MessagePack;

/// <summary>Lists one of the types of a union, which an interface or abstract class represents: written as an array of its key and the
/// value.</summary>
/// <param name="key">The key on the wire.</param>
/// <param name="type">The type; only listed types are ever created.</param>
[AttributeUsage(AttributeTargets.Interface | AttributeTargets.Class, AllowMultiple = true, Inherited = false)]
public sealed class UnionAttribute(int key, Type type) : Attribute
{
    /// <summary>The key on the wire.</summary>
    public int Key { get; } = key;

    /// <summary>The type.</summary>
    public Type Type { get; } = type;
}
