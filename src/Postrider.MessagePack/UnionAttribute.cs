namespace Postrider.MessagePack;

/// <summary>One of the types that an interface or an abstract class stands for: written as an array of its key and the value.</summary>
/// <param name="key">The key on the wire.</param>
/// <param name="type">The type; only types that are named so are ever made.</param>
[AttributeUsage(AttributeTargets.Interface | AttributeTargets.Class, AllowMultiple = true, Inherited = false)]
public sealed class UnionAttribute(int key, Type type) : Attribute
{
    /// <summary>The key on the wire.</summary>
    public int Key { get; } = key;

    /// <summary>The type.</summary>
    public Type Type { get; } = type;
}
