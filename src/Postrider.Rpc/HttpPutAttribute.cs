namespace Postrider.Rpc;

/// <summary>Maps the operation to an HTTP PUT. Parameters in the template come from the path, all others from the body.</summary>
/// <param name="template">The path template, for example <c>orders/{id}</c>, relative to the contract's <see cref="RouteAttribute"/>; a
/// leading '/' makes it absolute. <c>{*rest}</c> at the end matches the remaining path.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class HttpPutAttribute(string template = "") : Attribute
{
    /// <summary>The path template.</summary>
    public string Template { get; } = template;
}
