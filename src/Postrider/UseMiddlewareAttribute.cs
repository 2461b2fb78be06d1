namespace Postrider;

/// <summary>Applies a middleware or hook class of another project to every message that matches its constraints.</summary>
/// <param name="middleware">The class, for example <c>typeof(RetryMiddleware&lt;,&gt;)</c>.</param>
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
public sealed class UseMiddlewareAttribute(Type middleware) : Attribute
{
    /// <summary>The class.</summary>
    public Type Middleware { get; } = middleware;

    /// <summary>Lower runs first and so is further from the handler.</summary>
    public int Order { get; set; }

    /// <summary>The lifetime of the instance; see <see cref="HandlerLifetime.Inferred"/>.</summary>
    public HandlerLifetime Lifetime { get; set; }
}
