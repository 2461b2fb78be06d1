namespace Postrider.Rpc;

/// <summary>Over HTTP the parameter comes from the query, where the operation has a route of its own.</summary>
/// <param name="name">Its name there; null for the parameter's.</param>
[AttributeUsage(AttributeTargets.Parameter)]
public sealed class FromQueryAttribute(string? name = null) : Attribute
{
    /// <summary>Its name there, or null.</summary>
    public string? Name { get; } = name;
}
