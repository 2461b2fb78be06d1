namespace Postrider.Rpc;

/// <summary>Names an operation on the wire.</summary>
/// <param name="name">The name; without the attribute it is the method's, without Async at its end.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class OperationAttribute(string name) : Attribute
{
    /// <summary>The name.</summary>
    public string Name { get; } = name;
}
