namespace Postrider.Rpc;

/// <summary>Sets the name of an operation on the wire.</summary>
/// <param name="name">The name. Without the attribute it is the method's name without the suffix Async.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class OperationAttribute(string name) : Attribute
{
    /// <summary>The name.</summary>
    public string Name { get; } = name;
}
