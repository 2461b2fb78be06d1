namespace Postrider.Rpc;

/// <summary>What stands before the paths of a contract's operations over HTTP, where they have one.</summary>
/// <param name="template">The path, <c>shops/{shop}</c> for example; what it names is a parameter of each operation.</param>
[AttributeUsage(AttributeTargets.Interface)]
public sealed class RouteAttribute(string template) : Attribute
{
    /// <summary>The path.</summary>
    public string Template { get; } = template;
}
