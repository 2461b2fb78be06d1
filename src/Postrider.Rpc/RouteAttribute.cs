namespace Postrider.Rpc;

/// <summary>Sets the prefix of the HTTP routes of a contract's operations.</summary>
/// <param name="template">The path template, for example <c>shops/{shop}</c>. Its parameters must be parameters of each
/// operation.</param>
[AttributeUsage(AttributeTargets.Interface)]
public sealed class RouteAttribute(string template) : Attribute
{
    /// <summary>The path template.</summary>
    public string Template { get; } = template;
}
