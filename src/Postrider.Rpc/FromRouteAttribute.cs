namespace Postrider.Rpc;

/// <summary>Binds the parameter of a routed operation to the path.</summary>
/// <param name="name">The name in the request; null for the parameter's name.</param>
[AttributeUsage(AttributeTargets.Parameter)]
public sealed class FromRouteAttribute(string? name = null) : Attribute
{
    /// <summary>The name in the request, or null.</summary>
    public string? Name { get; } = name;
}
