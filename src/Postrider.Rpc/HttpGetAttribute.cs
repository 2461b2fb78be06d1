namespace Postrider.Rpc;

/// <summary>Over HTTP the operation is a GET of a path. What the template names comes from the path, what it does not name from the query.</summary>
/// <param name="template">The path, <c>orders/{id}</c> for example, after what <see cref="RouteAttribute"/> says of the contract; with '/' at its
/// beginning it stands alone. <c>{*rest}</c> at its end takes what is left.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class HttpGetAttribute(string template = "") : Attribute
{
    /// <summary>The path.</summary>
    public string Template { get; } = template;
}
